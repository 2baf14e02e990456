import { madeUpPerson } from '../../http/signin/made-up-person.ts';
import type { TestUser } from '../../oauth/users/user.ts';
import type { NewUser } from './user-list.ts';

type Members = Readonly<Record<string, unknown>>;

/** The short form as somebody filled it in. */
export function typedNewUser(typed: URLSearchParams): NewUser {
  const text = (name: string) => (typed.get(name) ?? '').trim();
  return { sub: text('sub'), name: text('name'), email: text('email'), faults: [] };
}

export function newUserMembers({ sub, name, email }: NewUser): Members {
  const named = name === '' ? {} : { name };
  const mail = email === '' ? {} : { email, email_verified: true };
  return { sub, claims: { ...named, preferred_username: sub, ...mail } };
}

/** Somebody who does not exist; the next name of the list, and another number when all were there once. */
export function nextPerson(accounts: Iterable<TestUser>): Members {
  const taken = new Set([...accounts].map(({ sub }) => sub));
  for (let index = taken.size; ; index++) {
    const person = madeUpPerson(index, index);
    if (!taken.has(person.sub)) return { ...person };
  }
}

/** The same once more, under the next free name; a password is the user's own and stays with them. */
export function duplicateOf(entry: Members, accounts: Iterable<TestUser>): Members {
  const taken = new Set([...accounts].flatMap(({ sub, username }) => [sub, username]));
  const { username: _, password: __, ...kept } = entry;
  const base = String(entry.sub).replace(/-\d+$/, '').slice(0, 240);
  for (let number = 2; ; number++) {
    const sub = `${base}-${number}`;
    if (!taken.has(sub)) return { ...kept, sub };
  }
}
