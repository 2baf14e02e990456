import { duration } from '../../base/text/duration.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import type { Piece } from '../../record/problems/problem.ts';
import { areAlike, marked, markedAgainst } from '../../record/problems/url-difference.ts';
import { valueText } from './claim-rows.ts';

type DiffRow = ReturnType<typeof rowOf>;

/** The differences between two sets of members, such as claims or headers. */
export interface Diff {
  readonly rows: readonly DiffRow[];
  /** Members that differ in every token. */
  readonly usual: readonly DiffRow[];
  /** Names of members with the same value. */
  readonly same: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

const usualNames = new Set('iat nbf exp jti auth_time sid nonce at_hash c_hash'.split(' '));

/** The differences between two sets of members. */
export function diffOf(before: Members, after: Members): Diff {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter(name => !isSameMember(name, before, after));
  const row = (name: string) => rowOf(name, before, after);
  return {
    rows: differing.filter(name => !usualNames.has(name) || isOnlyInOne(name, before, after)).map(row),
    usual: differing.filter(name => usualNames.has(name) && !isOnlyInOne(name, before, after)).map(row),
    same: names.filter(name => !differing.includes(name)),
  };
}

function isSameMember(name: string, before: Members, after: Members): boolean {
  return !isOnlyInOne(name, before, after) && isSameJson(before[name], after[name]);
}

function isOnlyInOne(name: string, before: Members, after: Members): boolean {
  return Object.hasOwn(before, name) !== Object.hasOwn(after, name);
}

function rowOf(name: string, before: Members, after: Members) {
  const [old, fresh] = [valueText(before[name]), valueText(after[name])];
  if (!Object.hasOwn(before, name)) return { name, change: 'added', words: 'added', after: marked(fresh) };
  if (!Object.hasOwn(after, name)) return { name, change: 'removed', words: 'removed', before: marked(old) };
  const lists = areLists(name, before[name], after[name]);
  return {
    name,
    change: 'changed',
    // `changed: admin was removed; buyer was added`
    words: changeWords(before[name], after[name], lists),
    // the older value, with the differing parts marked; absent if the member was added
    before: lists ? elementPieces(before[name], after[name]) : textPieces(old, fresh),
    after: lists ? elementPieces(after[name], before[name]) : textPieces(fresh, old),
  };
}

function textPieces(value: string, other: string): readonly Piece[] {
  return areAlike(value, other) ? markedAgainst(value, other) : marked(value);
}

function elementPieces(value: unknown, other: unknown): readonly Piece[] {
  const others = elementsOf(other);
  const isList = Array.isArray(value);
  const elements = elementsOf(value).flatMap((element, index): Piece[] => [
    ...(index === 0 ? [] : [{ text: isList ? ', ' : ' ', differs: false }]),
    { text: element, differs: !others.includes(element) },
  ]);
  return isList ? [{ text: '[', differs: false }, ...elements, { text: ']', differs: false }] : elements;
}

function changeWords(before: unknown, after: unknown, lists: boolean): string {
  if (!lists)
    return kindOf(before) === kindOf(after) ? 'changed' : `changed from ${kindOf(before)} to ${kindOf(after)}`;
  const [old, fresh] = [elementsOf(before), elementsOf(after)];
  const gone = old.filter(value => !fresh.includes(value));
  const added = fresh.filter(value => !old.includes(value));
  const parts = [
    ...(gone.length === 0 ? [] : [`${gone.join(', ')} ${gone.length === 1 ? 'was' : 'were'} removed`]),
    ...(added.length === 0 ? [] : [`${added.join(', ')} ${added.length === 1 ? 'was' : 'were'} added`]),
    ...(kindOf(before) === kindOf(after) ? [] : [`${kindOf(before)} before, ${kindOf(after)} now`]),
  ];
  return parts.length === 0 ? 'changed: the same values in a different order' : `changed: ${parts.join('; ')}`;
}

/** Whether to compare the values as lists. `scope` is a list; a text counts as one if the other value is a list, as with `aud`. */
function areLists(name: string, before: unknown, after: unknown): boolean {
  if (name !== 'scope' && !Array.isArray(before) && !Array.isArray(after)) return false;
  return [before, after].every(value => Array.isArray(value) || typeof value === 'string');
}

function elementsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(valueText) : String(value).split(' ');
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const kinds: Readonly<Record<string, string>> = { string: 'text', object: 'an object', boolean: 'true or false' };
  return kinds[typeof value] ?? 'a number';
}

/** The original lifetime of a token in words, as a member to compare. */
export function lifetimeOf({ iat, exp }: { readonly iat: number; readonly exp: number }): string {
  return duration(exp - iat, 3);
}
