import { isRecord } from '../../base/text/record.ts';
import { invalidRequest, type OAuthError } from '../../protocol/errors.ts';
import { describeValue, shorten } from '../../protocol/parameters.ts';

interface Kinds {
  readonly text: string;
  readonly flag: boolean;
  readonly number: number;
  readonly texts: readonly string[];
  readonly record: Readonly<Record<string, unknown>>;
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Lists of texts by name. A single text is a list of one. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

/** The members of a body that are read, each with its kind. Others are ignored. */
export type Shape = Readonly<Record<string, keyof Kinds>>;

/** The members that were sent. `null` is as good as left out. */
export type MembersOf<S extends Shape> = { readonly [Name in keyof S]?: Kinds[S[Name]] };

/**
 * Reads the members of a body that is an object.
 * @throws invalid_request that names the first member of the wrong kind
 */
export function membersIn<S extends Shape>(body: unknown, shape: S): MembersOf<S> {
  if (!isRecord(body)) throw malformed('the body', body, 'an object');
  const read = Object.entries(shape).flatMap(([name, kind]): [string, unknown][] => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    return value === undefined || value === null ? [] : [[name, readAs(kind, value, name)]];
  });
  return Object.fromEntries(read) as MembersOf<S>; // each value is of the kind of its member
}

/** Reads a body that is a list of objects, such as roles to assign. */
export function recordsIn<S extends Shape>(body: unknown, shape: S): readonly MembersOf<S>[] {
  if (!Array.isArray(body)) throw malformed('the body', body, 'a list');
  return body.map(each => membersIn(each, shape));
}

function readAs(kind: keyof Kinds, value: unknown, name: string): unknown {
  const { is, expected, read } = readers[kind];
  if (!is(value)) throw malformed(name, value, expected);
  return read?.(value) ?? value;
}

interface Reader {
  readonly expected: string;
  is(value: unknown): boolean;
  read?(value: unknown): unknown;
}

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

const readers: Readonly<Record<keyof Kinds, Reader>> = {
  text: { expected: 'text', is: isText },
  flag: { expected: 'true or false', is: value => typeof value === 'boolean' },
  number: { expected: 'a number', is: value => typeof value === 'number' },
  texts: { expected: 'a list of texts', is: isTexts },
  record: { expected: 'an object', is: isRecord },
  records: { expected: 'a list of objects', is: value => Array.isArray(value) && value.every(isRecord) },
  lists: {
    expected: 'an object with lists of texts',
    is: value => isRecord(value) && Object.values(value).every(each => isText(each) || isTexts(each)),
    read: value => Object.fromEntries(Object.entries(Object(value)).map(([name, each]) => [name, [each].flat()])),
  },
};

function malformed(member: string, sent: unknown, expected: string): OAuthError {
  const description = `${shorten(member, 60)} must be ${expected}`;
  return invalidRequest('body_malformed', description, { sent: describeValue(sent), expected });
}
