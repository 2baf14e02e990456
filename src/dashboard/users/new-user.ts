import type { ChangeFault } from '../../base/events/change.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { madeUpPerson } from '../../server/http/signin/made-up-person.ts';
import { byField, type FieldTexts, faultText } from '../configure/fault-texts.ts';
import type { NewUser } from './user-list.ts';

type Members = Readonly<Record<string, unknown>>;

/** The short form as it was sent. */
export function typedNewUser(typed: URLSearchParams): NewUser {
  const text = (name: string) => (typed.get(name) ?? '').trim();
  return { sub: text('sub'), name: text('name'), email: text('email'), faults: {} };
}

export function newUserMembers({ sub, name, email }: NewUser): Members {
  const named = name === '' ? {} : { name };
  const mail = email === '' ? {} : { email, email_verified: true };
  return { sub, claims: { ...named, preferred_username: sub, ...mail } };
}

/** Texts of faults by field of the short form; `claims.email` belongs to `email`, and any other member to `sub`. */
export function newUserFaults(faults: readonly ChangeFault[]): FieldTexts {
  return byField(faults.map(fault => [/(?:name|email)$/.exec(fault.member)?.[0] ?? 'sub', faultText(fault)]));
}

/** A random user: the next unused name of the list, with a number once all names are taken. */
export function nextPerson(accounts: Iterable<TestUser>): Members {
  const taken = new Set([...accounts].map(({ sub }) => sub));
  for (let index = taken.size; ; index++) {
    const person = madeUpPerson(index, index);
    if (!taken.has(person.sub)) return { ...person };
  }
}

/** A copy under the next free `sub`, without the password. */
export function duplicateOf(entry: Members, accounts: Iterable<TestUser>): Members {
  const taken = new Set([...accounts].flatMap(({ sub, username }) => [sub, username]));
  const { username: _, password: __, password_hash: ___, ...kept } = entry;
  const base = String(entry.sub).replace(/-\d+$/, '').slice(0, 240);
  for (let number = 2; ; number++) {
    const sub = `${base}-${number}`;
    if (!taken.has(sub)) return { ...kept, sub };
  }
}
