import { isRecord } from '../../base/text/record.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';

/** Replaces personal values of samples by made-up ones of the same form, and remembers where. */
export interface MadeUp {
  /** A copy of claims without personal values. `place` is for the list, such as `id_token`. */
  claims(place: string, claims: ParsedObject): ParsedObject;
  /** Places whose values were replaced, each once. */
  replaced(): readonly string[];
  /** Places whose values are as in the sample, because they name no person. */
  kept(): readonly string[];
}

const harmless = new RegExp(
  `(?:^|[^a-z])(?:${[
    'roles?',
    'groups?',
    'permissions?',
    'scopes?',
    'scp',
    'wids',
    'entitlements?',
    'authorities',
    'feature_flags',
    'plan',
    'tier',
    'locale',
    'zoneinfo',
    'typ',
    'ver',
    'version',
    'token_use',
    'token_type',
    'gty',
    'idtyp',
    'acr',
    'amr',
    'aal',
    'azpacr',
    'appidacr',
    'allowed-origins',
    'providers?',
    'sign_in_provider',
    'hd',
  ].join('|')})$`,
  'i',
);

const person: Readonly<Record<string, string>> = {
  name: 'Alex Moreau',
  given_name: 'Alex',
  family_name: 'Moreau',
  middle_name: 'Kim',
  nickname: 'alex',
  preferred_username: 'alex.moreau',
  gender: 'unspecified',
  birthdate: '1990-01-01',
};

/** Bounds for hostile samples. */
const deepest = 12;
const mostItems = 200;
const mostText = 1000;

/** Starts without replacements. The same value becomes the same made-up one in all samples of one reading. */
export function createMadeUp(): MadeUp {
  const known = new Map<string, string>();
  const replaced = new Set<string>();
  const kept = new Set<string>();

  function text(value: string, name: string, place: string): string {
    const isPersonal = known.has(value) || hasForm(value, 'UUID') || hasForm(value, 'e-mail address');
    if (!isPersonal && harmless.test(name)) {
      kept.add(place);
      return plainText(value.slice(0, mostText));
    }
    replaced.add(place);
    const made = known.get(value) ?? madeText(value.slice(0, mostText), name, known);
    known.set(value, made);
    return made;
  }

  function single(value: unknown, name: string, place: string): unknown {
    if (typeof value === 'string') return text(value, name, place);
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'number') return null;
    if (harmless.test(name)) return value;
    replaced.add(place);
    return madeNumber(value);
  }

  function copy(value: unknown, name: string, place: string, depth: number): unknown {
    const isShallow = depth < deepest;
    if (Array.isArray(value) && isShallow)
      return value.slice(0, mostItems).map(item => copy(item, name, place, depth + 1));
    return isRecord(value) && isShallow ? object(value, place, depth) : single(value, name, place);
  }

  function object(value: ParsedObject, place: string, depth: number): ParsedObject {
    const members = Object.entries(value).slice(0, mostItems);
    return Object.fromEntries(
      members.flatMap(([member, inner]) => {
        if (isUnsafe(member)) return [];
        const isName = hasForm(member, 'UUID') || hasForm(member, 'e-mail address');
        const key = isName ? text(member, '', place) : plainText(member.slice(0, 200));
        return [[key, copy(inner, member, `${place}.${key}`, depth + 1)]];
      }),
    );
  }

  return {
    claims: (place, claims) => object(claims, place, 0),
    replaced: () => [...replaced],
    kept: () => [...kept],
  };
}

/** Names that templates of rules give a meaning, and the one that sets a prototype. */
function isUnsafe(member: string): boolean {
  return ['__proto__', '...', '$each', '$as'].includes(member);
}

/** A text that is no template, and that a terminal shows as it is. */
function plainText(text: string): string {
  return text.replaceAll('${', '$ {').replace(/\p{Cc}+/gu, ' ');
}

function madeNumber(value: number): number {
  if (!Number.isInteger(value)) return 1.5;
  if (value > 1e9 && value < 1e10) return 1_700_000_000; // Unix seconds
  return Number(String(Math.abs(value)).replace(/\d/g, '1').slice(0, 15));
}

function madeText(value: string, name: string, known: ReadonlyMap<string, string>): string {
  const count = known.size;
  if (hasForm(value, 'e-mail address')) {
    const first = 'alex.moreau@example.com';
    return [...known.values()].includes(first) ? `alex.moreau+${count}@example.com` : first;
  }
  if (hasForm(value, 'URL')) return 'https://example.com/made-up';
  const own = Object.hasOwn(person, name) ? person[name] : undefined;
  if (own !== undefined) return own;
  const connection = /^[\w-]{1,40}\|/.exec(value)?.[0] ?? '';
  return connection + masked(value.slice(connection.length), count);
}

/** The same length, and letters and digits at the same places. The letters do not depend on the value. */
function masked(value: string, count: number): string {
  const isHex = /^[0-9a-f-]+$/i.test(value);
  const letters = isHex ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
  let state = count + 1;
  const next = (most: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  const isUuid = hasForm(value, 'UUID');
  return [...value]
    .map((sign, at) => {
      // the version and the variant of a UUID
      if (isUuid && (at === 14 || at === 19)) return sign;
      if (/\d/.test(sign)) return String(next(10));
      if (/[a-z]/.test(sign)) return letters[next(letters.length)];
      if (/\p{L}/u.test(sign)) return letters[next(letters.length)]?.toUpperCase();
      return plainText(sign);
    })
    .join('')
    .replaceAll('${', '$ {');
}

/** The type of a JSON value in words; of a list that of its items. */
export function typeOf(value: unknown): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'empty list';
    return `list of ${[...new Set(value.slice(0, 1000).map(typeOf))].sort().join(' and ')}`;
  }
  if (isRecord(value)) return 'object';
  if (value === null) return 'null';
  return { string: 'text', number: 'number', boolean: 'true or false' }[typeof value as string] ?? 'nothing';
}

const forms: readonly (readonly [name: string, form: RegExp])[] = [
  ['UUID', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ['e-mail address', /^[^\s@]{1,100}@[^\s@]{1,200}$/],
  ['URL', /^https?:\/\//],
  ['digits', /^\d+$/],
];

/** The type of a text with the form that readers of it rely on: `text (UUID)`, `text (auth0|…)`. */
export function idForm(text: string): string {
  const [name] = forms.find(([, form]) => form.test(text)) ?? [];
  if (name !== undefined) return `text (${name})`;
  const connection = /^([\w-]{1,40})\|/.exec(text)?.[1];
  return connection === undefined ? 'text' : `text (${connection}|…)`;
}

/** Whether a text has one of these forms. */
export function hasForm(text: string, name: 'UUID' | 'e-mail address' | 'URL' | 'digits'): boolean {
  return forms.some(([known, form]) => known === name && form.test(text));
}
