import type { SandboxConfig, UserEntry } from '../config/sandbox-config.ts';
import { phcText } from '../text/phc.ts';
import { isRecord } from '../text/record.ts';
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
  ...reads('algorithm hash salt cost blockSize parallelization'),
  ...ignores('keylen password'),
};

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

/** A hash in the PHC format is one that the sandbox can check, as is scrypt, whose parameters are members. */
function passwordOf(found: ExportPart): Pick<UserEntry, 'password' | 'password_hash'> {
  const plain = textIn(at(found, 'password'));
  if (plain !== undefined) return { password: plain };
  const custom = at(found, 'custom_password_hash');
  const algorithm = textIn(at(custom, 'algorithm')) ?? 'bcrypt';
  const hash = textIn(at(at(custom, 'hash'), 'value'));
  const known = hash !== undefined && /^\$(?:pbkdf2|argon2|scrypt)/.test(hash) ? hash : scryptOf(custom, algorithm);
  tellLost(custom, hashUses, 'a hash');
  for (const name of ['hash', 'salt'])
    tellLost(at(custom, name), { value: 'read', encoding: 'none', position: 'none' }, 'a hash');
  if (known !== undefined) return { password_hash: known };
  const [place] = [custom, at(found, 'password_hash')].filter(({ value }) => value !== undefined);
  if (place !== undefined)
    lose(place, `hashes of ${algorithm.slice(0, 20)} are not checked here, so any password is accepted`);
  return {};
}

function scryptOf(found: ExportPart, algorithm: string): string | undefined {
  const base64 = (name: string, usual: BufferEncoding) => {
    const part = at(found, name);
    const encoding = encodings.find(each => each === textIn(at(part, 'encoding'))) ?? usual;
    return Buffer.from(textIn(at(part, 'value')) ?? '', encoding).toString('base64');
  };
  if (algorithm !== 'scrypt') return undefined;
  const [cost = 16_384, r = 8, p = 1] = ['cost', 'blockSize', 'parallelization'].map(name => numberIn(at(found, name)));
  return phcText('scrypt', { ln: Math.log2(cost), r, p }, base64('salt', 'utf8'), base64('hash', 'base64'));
}

const encodings = ['utf8', 'base64', 'hex'] as const;
