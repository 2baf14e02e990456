import type { SandboxConfig, UserEntry } from '../config/sandbox-config.ts';
import { isRecord } from '../text/record.ts';
import { configOf, type Drafted, userOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  type UseTable,
} from './members.ts';

const factors = 'secrets of second factors are not used: `claims.factors` of a user has codes, for the preset auth0';

const userUses: UseTable = {
  ...reads('user_id username email email_verified blocked name given_name family_name nickname picture phone_number'),
  ...reads('phone_verified password password_hash custom_password_hash app_metadata user_metadata'),
  ...ignores('updated_at created_at identities last_login last_ip logins_count connection Id last_password_reset'),
  mfa_factors: { lost: factors },
  multifactor: { lost: factors },
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
    const { value } = at(found, name);
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

/** A hash in the PHC format is one that the sandbox can check. */
function passwordOf(found: ExportPart): Pick<UserEntry, 'password' | 'password_hash'> {
  const plain = textIn(at(found, 'password'));
  if (plain !== undefined) return { password: plain };
  const custom = at(found, 'custom_password_hash');
  const hash = textIn(at(at(custom, 'hash'), 'value'));
  const isPhc = hash !== undefined && /^\$(?:pbkdf2|argon2)/.test(hash);
  if (isPhc) return { password_hash: hash };
  const bcrypt = at(found, 'password_hash');
  const [place] = [custom, bcrypt].filter(({ value }) => value !== undefined);
  if (place !== undefined) tell(place, 'only hashes of PBKDF2 and Argon2 are checked, so any password is accepted');
  return {};
}
