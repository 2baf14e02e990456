import { isRecord } from '../../base/text/record.ts';
import type { Notes } from './notes.ts';
import { hasPlaceholder } from './placeholders.ts';
import { type ExportPath, isNothing, stepOf } from './trace.ts';

/**
 * A value of an export with its place. The readers tell of a wrong type, and then answer as if the value were absent. They
 * keep what was read, so that `tellUnread` can tell of the rest.
 */
export interface ExportPart {
  /** For an absent value, the place where it would be. */
  readonly path: ExportPath;
  readonly notes: Notes;
  readonly value: unknown;
  /** The object or list that has the value. */
  readonly owner?: object;
  readonly name?: string | number;
}

/**
 * The use of a member of an export. A text is the meaning that the written file does not have: it is told unless the
 * value says nothing, such as `false` or an empty list. `read`: other code here reads the member, and all inside of it.
 * `none`: the member has no meaning outside of the product.
 */
export type MemberUse = 'read' | 'none' | { readonly lost: string; readonly usual?: unknown };

/** The members of one kind of thing, by their names in an export. */
export type UseTable = Readonly<Record<string, MemberUse>>;

/** Members that other code here reads; their names are separated by spaces. */
export const reads = (names: string) => uses(names, 'read');

/** Members without a meaning outside of the product. */
export const ignores = (names: string) => uses(names, 'none');

/** Members whose meaning the written file does not have. */
export const loses = (meaning: string, names: string) => uses(names, { lost: meaning });

function uses(names: string, use: MemberUse): UseTable {
  return Object.fromEntries(names.split(' ').map(name => [name, use]));
}

/** Beginnings of names whose members all have the same meaning. */
export type Prefixes = readonly (readonly [prefix: string, meaning: string])[];

/** A member. The place of an absent one is that of its object, so that no note has a path that is not in the file. */
export function at({ path, notes, value }: ExportPart, name: string): ExportPart {
  if (!isRecord(value) || !Object.hasOwn(value, name)) return { path, notes, value: undefined };
  return { path: [...path, name], notes, value: value[name], owner: value, name };
}

/** The value as it is; all of it counts as read. */
export function valueIn({ notes, value, owner, name }: ExportPart): unknown {
  if (owner !== undefined && name !== undefined) notes.trace.read(owner, name);
  return value;
}

/** The value that a text has in it, such as JSON. */
export function opened(found: ExportPart, value: unknown): ExportPart {
  const { path, notes, owner, name } = found;
  if (owner !== undefined && name !== undefined) notes.trace.open(owner, name, value);
  return { path, notes, value };
}

/** Tells that the new file does not have a value as the export has it. `meaning` is a clause without a full stop. */
export function tell({ notes, path }: ExportPart, meaning: string): void {
  notes.tell(path, meaning);
}

/** Tells that the new file has nothing of a value. */
export function lose(found: ExportPart, meaning: string): void {
  valueIn(found);
  tell(found, meaning);
}

/** Tells that an entry is left out, and stands for it in a list. */
export function leftOut(found: ExportPart, problem: string): readonly never[] {
  lose(found, `left out, because ${problem}`);
  return [];
}

/** Tells of each value that nobody read, which is the promise of `grantbox import`. */
export function tellUnread({ notes, path, value }: ExportPart): void {
  for (const place of notes.trace.unread(value)) notes.tell([...path, ...place], 'has no counterpart here');
}

/** Tells of each member that the table loses or does not have. Members inside of one that is read tell for themselves. */
export function tellLost(found: ExportPart, table: UseTable, thing: string, prefixes: Prefixes = []): void {
  if (!isRecord(found.value)) return;
  for (const [name, value] of Object.entries(found.value)) {
    const use = Object.hasOwn(table, name) ? table[name] : otherUse(name, thing, prefixes);
    if (use === undefined || (use === 'read' && typeof value === 'object')) continue;
    valueIn(at(found, name));
    if (typeof use === 'string' || isNothing(value)) continue;
    if (use.usual === undefined || JSON.stringify(use.usual) !== JSON.stringify(value)) tell(at(found, name), use.lost);
  }
}

function otherUse(name: string, thing: string, prefixes: Prefixes): MemberUse {
  const lost = prefixes.find(([prefix]) => name.startsWith(prefix))?.[1];
  return { lost: lost ?? `not a member of ${thing} that this version knows` };
}

/** A text that is not empty. A placeholder in it stays as it is. */
export function textIn(found: ExportPart): string | undefined {
  const value = valueIn(found);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return wrong(found, 'text');
  if (hasPlaceholder(value)) tell(found, unresolved);
  return value;
}

/** What is told of a placeholder that stays as text. */
export const unresolved = 'a placeholder was not resolved: write its value into the new file';

/** A switch, also as text. */
export function flagIn(found: ExportPart): boolean | undefined {
  const value = valueIn(found);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'boolean') return value;
  return value === 'true' || value === 'false' ? value === 'true' : wrong(found, 'true or false');
}

/** A whole number that is not negative, also as text. */
export function numberIn(found: ExportPart): number | undefined {
  const value = valueIn(found);
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : wrong(found, 'a number');
}

/** The items of a list. */
export function listIn(found: ExportPart): readonly ExportPart[] {
  const { path, notes, value } = found;
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return wrong(found, 'a list') ?? [];
  return value.map((item, index) => ({
    path: [...path, stepOf(item, index)],
    notes,
    value: item,
    owner: value,
    name: index,
  }));
}

/** The texts of a list, each once. */
export function textsIn(found: ExportPart): readonly string[] {
  valueIn(found);
  return [...new Set(listIn(found).flatMap(item => textIn(item) ?? []))];
}

/** The objects of a list. */
export function recordsIn(found: ExportPart): readonly ExportPart[] {
  return listIn(found).filter(item => isRecord(item.value) || wrong(item, 'an object'));
}

/** The members of an object. */
export function entriesIn(found: ExportPart): readonly (readonly [name: string, ExportPart])[] {
  const { value } = found;
  if (value === undefined || value === null) return [];
  if (!isRecord(value)) return wrong(found, 'an object') ?? [];
  return Object.keys(value).map(name => [name, at(found, name)]);
}

function wrong(found: ExportPart, expected: string): undefined {
  const { value } = found;
  if (typeof value === 'string' && hasPlaceholder(value)) lose(found, unresolved);
  else leftOut(found, `it is not ${expected}`);
  return undefined;
}
