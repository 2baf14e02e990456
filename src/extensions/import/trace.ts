import { isRecord } from '../../base/text/record.ts';

/** A member, an index, or an item of a list by the name that it has. */
export type ExportStep = string | number | { readonly index: number; readonly id: string };

/** The place of a value in an export. */
export type ExportPath = readonly ExportStep[];

/** Keeps which values of an export were read, so that a value that nobody reads is never lost silently. */
export interface Trace {
  /** A value with all that is in it was read, or was told. */
  read(owner: object, name: string | number): void;
  /** A text was opened: the values in it count in its place. */
  open(owner: object, name: string | number, inner: unknown): void;
  /** The places of all values that were not read. A value of which no part was read is one place. */
  unread(value: unknown): readonly ExportPath[];
}

/** Creates the trace of one import, of which nothing was read. */
export function createTrace(): Trace {
  const seen = new Map<object, Set<string | number>>();
  const opened = new Map<object, Map<string | number, unknown>>();
  return {
    read(owner, name) {
      const names = seen.get(owner);
      if (names === undefined) seen.set(owner, new Set([name]));
      else names.add(name);
    },
    open(owner, name, inner) {
      opened.set(owner, (opened.get(owner) ?? new Map()).set(name, inner));
    },
    unread: value => look(value, []).unread,
  };

  /** The nesting of an export is bounded, so that this recursion is. */
  function look(value: unknown, path: ExportPath): Looked {
    if (typeof value !== 'object' || value === null)
      return { unread: isNothing(value) ? [] : [path], isTouched: false };
    const names = seen.get(value);
    const below = partsOf(value)
      .filter(([name]) => names?.has(name) !== true)
      .map(([name, step, inner]) => look(opened.get(value)?.get(name) ?? inner, [...path, step]));
    const unread = below.flatMap(each => each.unread);
    const isTouched = names !== undefined || below.some(each => each.isTouched);
    return { unread: isTouched || unread.length === 0 ? unread : [path], isTouched };
  }
}

interface Looked {
  readonly unread: readonly ExportPath[];
  /** A part of the value was read. */
  readonly isTouched: boolean;
}

function partsOf(owner: object): readonly (readonly [name: string | number, step: ExportStep, value: unknown])[] {
  if (Array.isArray(owner)) return owner.map((value, index) => [index, stepOf(value, index), value]);
  return Object.entries(owner).map(([name, value]) => [name, name, value]);
}

/** Members that name an entry of a list, in exports of all products. */
const names = [
  ...['clientId', 'client_id', 'ClientId', 'issuerId', 'username', 'Username', 'cognito:username', 'SubjectId'],
  ...['user_id', 'localId', 'identifier', 'name', 'Name', 'email'],
];

/** The step to an item of a list: by its name if it has one, because nobody counts 40 clients. */
export function stepOf(item: unknown, index: number): ExportStep {
  if (!isRecord(item)) return index;
  const id = names.map(name => (Object.hasOwn(item, name) ? item[name] : undefined)).find(isName);
  return id === undefined ? index : { index, id };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A value that switches nothing on. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true;
  if (typeof value === 'string') return ['', 'false', '0', '{}', '[]'].includes(value.toLowerCase());
  return typeof value === 'object' && Object.keys(value).length === 0;
}
