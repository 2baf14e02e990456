import { pageOf } from '../../management/call.ts';
import { people, type RealmUser } from './people.ts';
import type { Realm } from './realm.ts';
import { attributesOf } from './user-representation.ts';

/** The users that a query asks for, without paging (UsersResource.java, JpaUserProvider.java). */
export function usersMatching(realm: Realm, query: URLSearchParams): readonly RealmUser[] {
  const tests = [...searchTests(query), ...memberTests(query), ...attributeTests(query.get('q') ?? '')];
  return people(realm).filter(person => tests.every(isMet => isMet(person)));
}

/** A list of Keycloak has a hundred entries at most, unless `max` says another number. */
export function paged<T>(all: readonly T[], query: URLSearchParams, usual = 100): readonly T[] {
  return pageOf(all, query, { offset: 'first', limit: 'max', usual });
}

type Test = (person: RealmUser) => boolean;

/** `search` is compared with the beginnings of four members; `*` stands for any text, and quotes for the whole value. */
function searchTests(query: URLSearchParams): readonly Test[] {
  const search = query.get('search')?.trim() ?? '';
  if (search.startsWith('id:')) {
    const wanted = search.slice('id:'.length).trim().split(/\s+/);
    return [({ id, sub }) => wanted.includes(id) || wanted.includes(sub)];
  }
  const terms = search.match(/"[^"]*"|\S+/g) ?? [];
  return terms.map(term => {
    const isMet = patternOf(term);
    return person => textsOf(person).some(isMet);
  });
}

/** A loop and not a regular expression of the caller: it takes linear time. */
function patternOf(term: string): (text: string) => boolean {
  const quoted = /^"(.*)"$/.exec(term)?.[1];
  if (quoted !== undefined) return text => text === quoted.toLowerCase();
  const [start = '', ...parts] = term.toLowerCase().split('*').slice(0, 20);
  return text => {
    if (!text.startsWith(start)) return false;
    let at = start.length;
    for (const part of parts) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return true;
  };
}

function textsOf({ username, claims: { email, given_name, family_name } }: RealmUser): readonly string[] {
  return [username, email, given_name, family_name].flatMap(text =>
    typeof text === 'string' ? [text.toLowerCase()] : [],
  );
}

const searched: Readonly<Record<string, (person: RealmUser) => unknown>> = {
  username: ({ username }) => username,
  email: ({ claims }) => claims.email,
  firstName: ({ claims }) => claims.given_name,
  lastName: ({ claims }) => claims.family_name,
};

function memberTests(query: URLSearchParams): readonly Test[] {
  const isExact = query.get('exact') === 'true';
  const texts = Object.entries(searched).flatMap(([name, read]): Test[] => {
    const wanted = query.get(name)?.toLowerCase();
    if (wanted === undefined) return [];
    const isMet = (text: string) => (isExact ? text === wanted : text.includes(wanted));
    return [person => isMet(String(read(person) ?? '').toLowerCase())];
  });
  const enabled = query.get('enabled');
  const verified = query.get('emailVerified');
  return [
    ...texts,
    ...(enabled === null ? [] : [(person: RealmUser) => String(person.isHere) === enabled]),
    ...(verified === null ? [] : [({ claims }: RealmUser) => String(claims.email_verified === true) === verified]),
  ];
}

/** `q=department:sales "job title":"head of sales"`: each attribute has this value. */
function attributeTests(q: string): readonly Test[] {
  const pairs = [...q.matchAll(/("[^"]*"|[^\s:"]+):("[^"]*"|\S+)/g)];
  return pairs.map(([, name = '', value = '']) => {
    const [wanted, wantedValue] = [name, value].map(text => text.replaceAll('"', ''));
    const isMet = ([own, values]: readonly [string, readonly string[]]) =>
      own === wanted && values.some(each => each.toLowerCase() === wantedValue?.toLowerCase());
    return ({ claims }: RealmUser) => Object.entries(attributesOf(claims)).some(isMet);
  });
}
