import { phcText } from '../../base/text/phc.ts';
import { isRecord } from '../../base/text/record.ts';
import type { SandboxConfig, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import { configOf, type Drafted, userOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  lose,
  numberIn,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  type UseTable,
  unresolved,
  valueIn,
} from './members.ts';
import { hasPlaceholder } from './placeholders.ts';

const factors = 'secrets of second factors are not used: `claims.factors` of a user has codes, for the preset auth0';

const userUses: UseTable = {
  ...reads('user_id username email email_verified blocked name given_name family_name nickname picture phone_number'),
  ...reads('phone_verified password password_hash custom_password_hash app_metadata user_metadata'),
  ...ignores('updated_at created_at identities last_login last_ip logins_count connection Id last_password_reset'),
  mfa_factors: { lost: factors },
  multifactor: { lost: factors },
};

const hashUses: UseTable = {
  ...reads('algorithm hash salt password cost blockSize parallelization'),
  ...ignores('keylen'),
};

const partUses: UseTable = { ...reads('value key'), ...ignores('encoding position digest') };

/** Whether it is a list for a bulk import of users, or the answer of `GET /api/v2/users`. */
export function isUserList(value: unknown): boolean {
  const [first] = Array.isArray(value) ? value : [];
  return (
    isRecord(first) &&
    ['email', 'user_id', 'username'].some(name => typeof first[name] === 'string') &&
    !('kind' in first)
  );
}

/** Turns the users of a bulk import into users. */
export function importAuth0Users(found: ExportPart): SandboxConfig {
  return configOf(found, { users: recordsIn(found).flatMap(userIn) });
}

function userIn(found: ExportPart): readonly Drafted<UserEntry>[] {
  const text = (name: string) => textIn(at(found, name));
  const email = text('email');
  const id = text('user_id') ?? text('username') ?? email;
  if (flagIn(at(found, 'blocked')) === true) return leftOut(found, 'the user is blocked');
  if (id === undefined) return leftOut(found, 'the user has no name');
  tellLost(found, userUses, 'a user');
  // Auth0 puts the name of the connection before the id of an imported user
  const sub = id.includes('|') ? id : `auth0|${id}`;
  const phone = text('phone_number');
  const record = (name: string) => {
    const value = valueIn(at(found, name));
    if (hasPlaceholder(JSON.stringify(value ?? ''))) tell(at(found, name), unresolved);
    return isRecord(value) ? { [name]: value } : {};
  };
  const claims = {
    ...record('app_metadata'),
    ...record('user_metadata'),
    name: text('name') ?? email,
    nickname: text('nickname'),
    given_name: text('given_name'),
    family_name: text('family_name'),
    picture: text('picture'),
    email,
    ...(email !== undefined && { email_verified: flagIn(at(found, 'email_verified')) ?? false }),
    ...(phone !== undefined && {
      phone_number: phone,
      phone_number_verified: flagIn(at(found, 'phone_verified')) ?? false,
    }),
  };
  return [{ found, entry: userOf({ sub, username: text('username') ?? email ?? sub, ...passwordOf(found) }, claims) }];
}

/** A hash in the PHC format, that of bcrypt or that of LDAP, stays as it is; others are written so. Problems in them are told where users are checked. */
function passwordOf(found: ExportPart): Pick<UserEntry, 'password' | 'password_hash'> {
  const plain = textIn(at(found, 'password'));
  if (plain !== undefined) return { password: plain };
  const [custom, bcrypt] = [at(found, 'custom_password_hash'), at(found, 'password_hash')];
  const algorithm = textIn(at(custom, 'algorithm')) ?? 'bcrypt';
  const hash = textIn(at(at(custom, 'hash'), 'value')) ?? textIn(bcrypt);
  const isWhole = /^(?:bcrypt|pbkdf2|argon2|ldap)$/.test(algorithm) || /^\$(?:pbkdf2|argon2|scrypt)/.test(hash ?? '');
  const known = isWhole ? hash : (scryptOf(custom, algorithm) ?? digestOf(custom, algorithm));
  tellLost(custom, hashUses, 'a hash');
  for (const name of ['hash', 'salt', 'password']) tellLost(at(custom, name), partUses, 'a hash');
  if (known !== undefined) return { password_hash: known };
  const [place] = [custom, bcrypt].filter(({ value }) => value !== undefined);
  const name = [algorithm, textIn(at(at(custom, 'hash'), 'digest')) ?? []].flat().join('-').slice(0, 40);
  if (place !== undefined) lose(place, `hashes of ${name} are not checked here, so any password is accepted`);
  return {};
}

function scryptOf(found: ExportPart, algorithm: string): string | undefined {
  if (algorithm !== 'scrypt') return undefined;
  const [cost = 16_384, r = 8, p = 1] = ['cost', 'blockSize', 'parallelization'].map(name => numberIn(at(found, name)));
  const key = base64In(at(found, 'hash'), 'base64');
  return phcText('scrypt', { ln: Math.log2(cost), r, p }, base64In(at(found, 'salt'), 'utf8'), key);
}

/** A digest, or HMAC, of the password with a salt before or after it. */
function digestOf(found: ExportPart, algorithm: string): string | undefined {
  const hash = at(found, 'hash');
  const isKeyed = algorithm === 'hmac';
  const digest = isKeyed ? textIn(at(hash, 'digest')) : algorithm;
  if (digest === undefined || !/^(?:md5|sha1|sha224|sha256|sha384|sha512|ripemd160)$/.test(digest)) return undefined;
  const pos = textIn(at(at(found, 'salt'), 'position'));
  const enc = textIn(at(at(found, 'password'), 'encoding'));
  const parameters = {
    ...(isKeyed && { k: base64In(at(hash, 'key'), 'utf8') }),
    ...(pos !== undefined && { pos }),
    ...(enc !== undefined && { enc }),
  };
  const id = isKeyed ? `hmac-${digest}` : digest;
  return phcText(id, parameters, base64In(at(found, 'salt'), 'utf8'), base64In(hash, 'hex'));
}

function base64In(found: ExportPart, usual: BufferEncoding): string {
  const encoding = encodings.find(each => each === textIn(at(found, 'encoding'))) ?? usual;
  return Buffer.from(textIn(at(found, 'value')) ?? '', encoding).toString('base64');
}

const encodings = ['utf8', 'base64', 'hex'] as const;
