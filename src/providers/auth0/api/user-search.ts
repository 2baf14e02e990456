import { type AnyMembers, isRecord } from '../../../base/text/record.ts';
import { inputInvalid } from '../../management/refusals.ts';

/** Characters of the longest search. */
const longest = 500;

/**
 * The users that a search finds, in order. Of the query syntax (Lucene) there are `field:value`, `field:"text"`, a text
 * without a field, `*` as a wildcard, NOT, AND and OR without parentheses.
 * @throws 400 for another query
 */
export function matching(users: readonly AnyMembers[], query: URLSearchParams): readonly AnyMembers[] {
  const q = query.get('q')?.trim() ?? '';
  if (q.length > longest || q.split('*').length > 9 || /[()[\]{}~^]/.test(q.replace(/"[^"]*"/g, '')))
    throw inputInvalid("Query validation error: 'q' may have field:value, *, NOT, AND and OR");
  const wanted = q === '' ? () => true : parsed(q);
  return sorted(users.filter(wanted), query.get('sort'));
}

type Test = (user: AnyMembers) => boolean;

/** OR binds less than AND. */
function parsed(q: string): Test {
  const any = splitBy(q, 'OR').map(part => splitBy(part, 'AND').map(term));
  return user => any.some(all => all.every(test => test(user)));
}

/** The parts between a word that stands outside of quotes. */
function splitBy(text: string, word: string): readonly string[] {
  const parts = [''];
  for (const token of text.match(/(?:[^\s"]|"[^"]*")+/g) ?? []) {
    if (token === word) parts.push('');
    else parts.push(`${parts.pop()} ${token}`.trim());
  }
  return parts;
}

function term(text: string): Test {
  if (text.startsWith('NOT ')) {
    const test = term(text.slice(4));
    return user => !test(user);
  }
  const [, field, typed = ''] = /^(?:([\w.]+):)?(.*)$/s.exec(text) ?? [];
  const value = typed.replace(/^"(.*)"$/s, '$1');
  if (value === '') throw inputInvalid(`Query validation error: 'q' has no value after ${field ?? 'the field'}`);
  const pattern = new RegExp(`^${value.split('*').map(escaped).join('.*')}$`, 'is');
  return user => {
    const values = field === undefined ? Object.values(user) : valuesAt(user, field.split('.'));
    return values.flat().some(each => !isRecord(each) && pattern.test(String(each)));
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value].flat();
  return [value].flat().flatMap(each => {
    if (!isRecord(each) || !Object.hasOwn(each, name)) return [];
    return valuesAt(each[name], rest);
  });
}

/** `sort=created_at:-1`. */
function sorted(users: readonly AnyMembers[], sort: string | null): readonly AnyMembers[] {
  const [, field, direction] = /^([\w.]+):(1|-1)$/.exec(sort ?? '') ?? [];
  if (field === undefined) return users;
  const keyOf = (user: AnyMembers) => String(valuesAt(user, field.split('.'))[0] ?? '');
  const order = Number(direction);
  return users.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -order : keyOf(a) > keyOf(b) ? order : 0));
}
