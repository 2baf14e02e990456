import type { Path } from '../config/problem.ts';
import { isRecord } from '../text/record.ts';
import type { Notes } from './notes.ts';

/** A value of an export with its place. The readers tell of a wrong type, and then answer as if the value were absent. */
export interface ExportPart {
  readonly path: Path;
  readonly notes: Notes;
  readonly value: unknown;
}

/**
 * The use of a member of an export. A text is the meaning that the written file does not have: it is told unless the
 * value says nothing, such as `false` or an empty list. `read`: other code here reads the member. `none`: the member has
 * no meaning outside Keycloak.
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

/** A member that may be absent. */
export function at({ path, notes, value }: ExportPart, name: string): ExportPart {
  const inner = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { path: [...path, name], notes, value: inner };
}

/** Tells that the new file does not have a value as the export has it. `meaning` is a clause without a full stop. */
export function tell({ notes, path }: ExportPart, meaning: string): void {
  notes.tell(path, meaning);
}

/** Tells that an entry is left out, and stands for it in a list. */
export function leftOut(found: ExportPart, fault: string): readonly never[] {
  tell(found, `left out, because ${fault}`);
  return [];
}

/** Tells of each member that the table loses or does not have. */
export function tellLost(found: ExportPart, table: UseTable, thing: string, prefixes: Prefixes = []): void {
  if (!isRecord(found.value)) return;
  for (const [name, value] of Object.entries(found.value)) {
    const use = Object.hasOwn(table, name) ? table[name] : otherUse(name, thing, prefixes);
    if (use === undefined || typeof use === 'string' || isNothing(value)) continue;
    if (use.usual === undefined || JSON.stringify(use.usual) !== JSON.stringify(value)) tell(at(found, name), use.lost);
  }
}

function otherUse(name: string, thing: string, prefixes: Prefixes): MemberUse {
  const lost = prefixes.find(([prefix]) => name.startsWith(prefix))?.[1];
  return { lost: lost ?? `not a member of ${thing} that this version knows` };
}

/** A value that switches nothing on. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true;
  if (typeof value === 'string') return ['', 'false', '0', '{}', '[]'].includes(value);
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A text that is not empty. A placeholder in it stays as it is. */
export function textIn({ path, notes, value }: ExportPart): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return wrong({ path, notes, value }, 'text');
  if (/\$\{[^}]*\}/.test(value)) notes.tell(path, 'a placeholder was not resolved: write its value into the new file');
  return value;
}

/** A switch, also as text. */
export function flagIn(found: ExportPart): boolean | undefined {
  const { value } = found;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'boolean') return value;
  return value === 'true' || value === 'false' ? value === 'true' : wrong(found, 'true or false');
}

/** A whole number that is not negative, also as text. */
export function numberIn(found: ExportPart): number | undefined {
  const { value } = found;
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : wrong(found, 'a number');
}

/** The items of a list. */
export function listIn(found: ExportPart): readonly ExportPart[] {
  const { path, notes, value } = found;
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return wrong(found, 'a list') ?? [];
  return value.map((item, index) => ({ path: [...path, index], notes, value: item }));
}

/** The texts of a list, each once. */
export function textsIn(found: ExportPart): readonly string[] {
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

function wrong({ path, notes }: ExportPart, expected: string): undefined {
  notes.tell(path, `left out, because it is not ${expected}`);
  return undefined;
}
