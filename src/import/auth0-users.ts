import type { UserEntry } from '../config/sandbox-config.ts';
import { isRecord } from '../text/record.ts';
import { configOf, type Drafted, userOf } from './drafts.ts';
import type { Imported } from './imported.ts';
import { at, type ExportPart, flagIn, recordsIn, tellLost, textIn, type UseTable } from './members.ts';
import { createNotes } from './notes.ts';

const factors = 'secrets of second factors are not used: `claims.factors` of a user has codes, for the preset auth0';

const userUses: UseTable = {
  ...{ user_id: 'read', username: 'read', email: 'read', email_verified: 'read', blocked: 'read', name: 'read' },
  ...{ given_name: 'read', family_name: 'read', nickname: 'read', picture: 'read', phone_number: 'read' },
  ...{
    phone_verified: 'read',
    password: 'read',
    password_hash: 'read',
    custom_password_hash: 'read',
    updated_at: 'none',
  },
  ...{ created_at: 'none', identities: 'none', last_login: 'none', last_ip: 'none', logins_count: 'none' },
  ...{ connection: 'none', Id: 'none', last_password_reset: 'none' },
  app_metadata: 'read',
  user_metadata: 'read',
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
export function importAuth0Users(value: unknown): Imported {
  const notes = createNotes();
  const found: ExportPart = { path: [], notes, value };
  return { config: configOf(found, { users: recordsIn(found).flatMap(userIn) }), notes: notes.lines() };
}

function userIn(found: ExportPart): readonly Drafted<UserEntry>[] {
  const text = (name: string) => textIn(at(found, name));
  const email = text('email');
  const id = text('user_id') ?? text('username') ?? email;
  const isBlocked = flagIn(at(found, 'blocked')) === true;
  if (id === undefined || isBlocked)
    found.notes.tell(found.path, `left out, because ${isBlocked ? 'the user is blocked' : 'the user has no name'}`);
  if (id === undefined || isBlocked) return [];
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
  if (place !== undefined)
    found.notes.tell(place.path, 'only hashes of PBKDF2 and Argon2 are checked, so any password is accepted');
  return {};
}
