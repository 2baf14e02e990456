import { isIP } from 'node:net';
import { durationWords, secondsIn } from '../../base/text/duration.ts';
import { nearestName } from '../../base/text/nearest.ts';
import { listing } from '../../base/text/words.ts';
import { parseJson } from './parse-json.ts';
import type { Finding } from './problem.ts';
import { issuerProblem, originProblem, redirectUriProblem } from './uri.ts';

/** A JSON Schema, by keyword. Our own type, so that the declarations of the package import no other package. */
export interface SchemaKeywords {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** The value, or all of its problems. */
export type Reading<T> = { readonly value: T } | { readonly findings: readonly Finding[] };

/** Notation of a setting: text in flags and the environment, `Written` in a file. */
export interface Format<T, Written = T> {
  /** For the type only; never present. */
  readonly written?: Written;
  /** Completes "expected …". */
  readonly expected: string;
  /** The expected form in one or two words, for the help and docs/settings.md. */
  readonly values: string;
  /** JSON schema of the value in a file, for editors; `read` checks more. */
  readonly jsonSchema: SchemaKeywords;
  /** True if giving the setting more than once makes a list. */
  readonly isList?: true;
  read(raw: unknown): Reading<T>;
}

function accept<T>(value: T): Reading<T> {
  return { value };
}
function refuse(value: unknown, expected: string, nearest?: string): { readonly findings: readonly Finding[] } {
  return { findings: [{ path: [], value, expected, nearest }] };
}

/** A format that turns raw input into a value, or undefined. */
function format<T>(
  values: string,
  expected: string,
  jsonSchema: SchemaKeywords,
  parse: (raw: unknown) => T | undefined,
): Format<T> {
  return {
    values,
    expected,
    jsonSchema,
    read(raw) {
      const value = parse(raw);
      return value === undefined ? refuse(raw, expected) : accept(value);
    },
  };
}

const textSchema: SchemaKeywords = { type: 'string', minLength: 1 };

/** A format of text. `problem` returns what was expected, or undefined for valid text. */
export function checkedText(
  values: string,
  expected: string,
  problem: (text: string) => string | undefined,
): Format<string> {
  return {
    values,
    expected,
    jsonSchema: textSchema,
    read(raw) {
      const found = typeof raw === 'string' && raw !== '' ? problem(raw) : expected;
      return found === undefined ? accept(raw as string) : refuse(raw, found);
    },
  };
}

const longestLifetime = 31_536_000;

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number): Format<number> {
  const schema = { type: 'integer', minimum: min, maximum: max } as const;
  return format(`${min} to ${max}`, `a whole number from ${min} to ${max}`, schema, raw => {
    const value = typeof raw === 'string' && /^\s*\d{1,15}\s*$/.test(raw) ? Number(raw) : raw;
    return isWithin(value, min, max) ? value : undefined;
  });
}

/** A number of requests; `off` and 0 are no limit. */
export function requestLimit(max: number): Format<number, number | 'off'> {
  const number = wholeNumber(0, max);
  return {
    values: `off, 0 to ${max}`,
    expected: `${number.expected}, or off`,
    jsonSchema: { anyOf: [number.jsonSchema, { enum: ['off'] }] },
    read: raw => (typeof raw === 'string' && raw.trim().toLowerCase() === 'off' ? accept(0) : number.read(raw)),
  };
}

/** A duration of whole seconds within bounds, such as `90` or `5m`. */
export function seconds(min: number, max = longestLifetime): Format<number, number | string> {
  const schema: SchemaKeywords = { anyOf: [{ type: 'integer', minimum: min, maximum: max }, textSchema] };
  return format(durationWords, `seconds from ${min} to ${max}, such as 90, 90s, 5m, 8h or 1d`, schema, raw => {
    const value = secondsIn(raw);
    return isWithin(value, min, max) ? value : undefined;
  });
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

/** One of the given names. */
export function oneOf<const T extends string>(values: readonly T[]): Format<T> {
  const expected = listing(values, 'or');
  return {
    values: values.join(', '),
    expected,
    jsonSchema: { enum: [...values] },
    read(raw) {
      const value = values.find(known => known === raw);
      if (value !== undefined) return accept(value);
      return refuse(raw, expected, typeof raw === 'string' ? nearestName(raw, values) : undefined);
    },
  };
}

const switchWords = new Map([
  // A flag without a value is ''.
  ...['', 'on', 'true', 'yes', '1'].map(word => [word, true] as const),
  ...['off', 'false', 'no', '0'].map(word => [word, false] as const),
]);
export const onOff = format('on, off', 'on or off', { enum: [true, false, 'on', 'off'] }, raw =>
  typeof raw === 'boolean' ? raw : typeof raw === 'string' ? switchWords.get(raw.trim().toLowerCase()) : undefined,
);

/** on, off or readonly. */
export const dashboardAccess: Format<'on' | 'readonly' | 'off', boolean | 'on' | 'readonly' | 'off'> = format(
  'on, readonly, off',
  'on, readonly or off',
  { enum: [true, false, 'on', 'readonly', 'off'] },
  raw => {
    if (raw === 'readonly') return 'readonly';
    const on = onOff.read(raw);
    return 'value' in on ? (on.value ? 'on' : 'off') : undefined;
  },
);

const textOf = (values: string) =>
  format(values, 'text that is not empty', textSchema, raw =>
    typeof raw === 'string' && raw.trim() !== '' ? raw : undefined,
  );
export const text = textOf('text');
export const filePath = textOf('path');

/** RFC 6749 appendix A.1, A.2: VSCHAR. */
export const visibleText = checkedText('text', 'visible ASCII characters', raw =>
  /^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/.test(raw)
    ? undefined
    : 'visible ASCII characters, not only spaces (RFC 6749 appendix A)',
);

export const issuerUrl = checkedText('URL', 'an absolute http or https URL', issuerProblem);
export const redirectUri = checkedText('URI', 'an absolute URI', redirectUriProblem);

export const hostName = checkedText('name or address', 'a host name or address', raw =>
  isIP(raw) > 0 || /^\w([\w.-]*\w)?$/.test(raw)
    ? undefined
    : 'a host name or address, without scheme, port and brackets',
);

const audience = checkedText('audience', 'an audience', raw =>
  /\s/.test(raw) ? 'an audience without spaces' : undefined,
);

/** Items from text, separated by commas or spaces, or from a list. */
export function listOf(
  item: Format<string>,
  expected: string,
  values = `list of ${item.values}s`,
  separator = /[\s,]+/,
): Format<readonly string[], string | readonly string[]> {
  return {
    values,
    expected,
    jsonSchema: { anyOf: [textSchema, { type: 'array', items: item.jsonSchema, minItems: 1 }] },
    isList: true,
    read(raw) {
      const items = toItems(raw, separator);
      if (items === undefined || items.length === 0) return refuse(raw, expected);
      const readings = items.map((each, index) => ({ index, reading: item.read(each) }));
      const findings = readings.flatMap(({ index, reading }) =>
        'findings' in reading ? reading.findings.map(found => ({ ...found, path: [index, ...found.path] })) : [],
      );
      if (findings.length > 0) return { findings };
      return accept([...new Set(readings.flatMap(({ reading }) => ('value' in reading ? [reading.value] : [])))]);
    },
  };
}

function toItems(raw: unknown, separator: RegExp): readonly unknown[] | undefined {
  const parts: readonly unknown[] | undefined = typeof raw === 'string' ? [raw] : Array.isArray(raw) ? raw : undefined;
  return parts?.flatMap(part =>
    typeof part === 'string' ? part.split(separator).filter(each => each !== '') : [part],
  );
}

export const audiences = listOf(audience, 'audiences, separated by commas or spaces');
export const hostNames = listOf(hostName, 'host names, separated by commas or spaces', 'list of host names');
export const redirectUris = listOf(redirectUri, 'redirect URIs, separated by commas or spaces');

const acrValue = checkedText('acr value', 'an acr value', raw =>
  /^[\x21-\x7e]{1,200}$/.test(raw) ? undefined : 'an acr value: visible ASCII characters, at most 200',
);
export const acrValues = listOf(acrValue, 'acr values, separated by commas or spaces');

const origin = checkedText('origin', 'an origin', raw => {
  if (!/^https?:\/\/[^/?#]/i.test(raw) || !URL.canParse(raw)) return 'an origin such as http://localhost:3000';
  const found = new URL(raw).origin;
  return found === raw ? undefined : `an origin without a path: ${found}`;
});
/** One origin: scheme, host and port, without a path. */
export const originUrl: Format<string> = { ...origin, values: 'origin' };
const pageOrigin = checkedText('origin', 'an origin', originProblem);
const originList = listOf(pageOrigin, '* for any, or origins separated by commas or spaces', '* or list of origins');

/** A list of origins; `*` is not allowed. */
export const namedOrigins = listOf(origin, 'origins, separated by commas or spaces', 'list of origins');

/** `*`, or the origins that browsers may call from. */
export const origins: Format<'*' | readonly string[], string | readonly string[]> = {
  ...originList,
  read: raw => (toItems(raw, /[\s,]+/)?.join() === '*' ? accept('*' as const) : originList.read(raw)),
};

/** A JSON list in one variable. The text is never quoted back: it may hold secrets. */
export function jsonList(of: string): Format<readonly unknown[]> {
  const expected = `a JSON list of ${of}`;
  return {
    values: 'JSON list',
    expected,
    jsonSchema: { type: 'array' },
    read(raw) {
      const parsed = parseJson(String(raw));
      if ('problem' in parsed) return refuse(undefined, `${expected}: ${parsed.problem}`);
      return Array.isArray(parsed.value) ? accept(parsed.value) : refuse(parsed.value, expected);
    },
  };
}
