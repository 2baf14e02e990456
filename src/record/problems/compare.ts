import { nearestName } from '../../base/text/nearest.ts';
import type { Case } from './case.ts';
import type { Comparison, Expected, Piece } from './problem.ts';
import { areAlike, markedAgainst, plain, urlDifference } from './url-difference.ts';

const mostExpected = 8;

interface Labels {
  /** Default `Your app sent`. */
  readonly sentLabel?: string;
  /** Default `Expected`. */
  readonly expectedLabel?: string;
  readonly about?: string;
}

/** Compares a value with a list, and marks the characters that differ from the nearest. */
export function compareText(sent: string, expected: readonly string[], labels: Labels = {}): Comparison {
  const nearest = byNearness(sent, expected);
  const [first] = nearest;
  const rows = nearest.map(value => ({ value: markedIfAlike(value, sent), differs: '', ...aboutOf(labels) }));
  return labelled(labels, first === undefined ? plain(sent) : markedIfAlike(sent, first), rows);
}

/** Compares two descriptions, whose letters have no meaning. */
export function compareWords(sent: string, expected: string | readonly string[], labels: Labels = {}): Comparison {
  const rows = [expected].flat().map(value => ({ value: plain(value), differs: '', ...aboutOf(labels) }));
  return labelled(labels, plain(sent), rows);
}

/** Compares an address with the accepted ones, nearest first, and names the parts that differ. */
export function compareUrls(sent: string, expected: readonly string[], labels: Labels = {}): Comparison {
  const all = expected
    .map(url => ({ url, difference: urlDifference(sent, url) }))
    .sort(
      (a, b) => a.difference.parts.length - b.difference.parts.length || distance(sent, a.url) - distance(sent, b.url),
    );
  const rows = all.map(({ difference: { expected: value, parts } }) => ({
    value,
    differs: parts.length === 0 ? '' : `differs: ${parts.join(', ')}`,
    ...aboutOf(labels),
  }));
  return labelled(labels, all[0]?.difference.sent ?? plain(sent), rows);
}

/** Compares the sent value with the list in `expected` of the event, split at a separator. */
export function compareListed(separator: string, labels: Labels | ((refused: Case) => Labels) = {}) {
  return (refused: Case): Comparison => {
    const { sent = '', expected = '' } = refused.error;
    return compareText(sent, expected.split(separator), typeof labels === 'function' ? labels(refused) : labels);
  };
}

/** Compares a value with the nearest known names, or with all of them if none is near. */
export function compareNearest(sent: string, known: readonly string[], all: string, nearest = 'Nearest'): Comparison {
  const near = nearestNames(sent, known);
  return near.length === 0
    ? compareText(sent, known, { expectedLabel: all })
    : compareText(sent, near, { expectedLabel: nearest });
}

/** Labels a comparison with the values registered for the client. */
export function registeredFor({ who }: Pick<Case, 'who'>): Labels {
  return { expectedLabel: 'Registered', about: `registered for ${who}` };
}

interface Described extends Labels {
  /** The default if the event has no sent value. */
  readonly sent?: string;
  readonly expected?: string;
}

/** Compares `sent` and `expected` of the event as descriptions. */
export function compareDescribed({ sent = '', expected = '', ...labels }: Described) {
  return ({ error }: Case): Comparison => compareWords(error.sent ?? sent, error.expected ?? expected, labels);
}

/** Compares `sent` and `expected` of the event, and splits lists. */
export function compareSentAndExpected({ error: { sent, expected } }: Case): Comparison | undefined {
  if (sent === undefined && expected === undefined) return undefined;
  return compareText(sent ?? 'nothing', expected === undefined ? [] : listed(expected));
}

/** Splits `a or b`, `a, b` and lines into a list if all items are single words. */
function listed(expected: string): readonly string[] {
  if (expected.includes('\n')) return expected.split('\n');
  const items = expected.split(/, | or /);
  return items.every(item => item !== '' && !/\s/.test(item)) ? items : [expected];
}

/** Sorts values by the letters that they share with a value at its ends. The sort is stable. */
function byNearness(sent: string, values: readonly string[]): readonly string[] {
  return [...values].sort((a, b) => distance(sent, a) - distance(sent, b));
}

function distance(a: string, b: string): number {
  const differing = (one: string, other: string) =>
    markedAgainst(one, other).reduce((sum, { text, differs }) => sum + (differs ? text.length : 0), 0);
  return differing(a, b) + differing(b, a);
}

function markedIfAlike(value: string, other: string): readonly Piece[] {
  return areAlike(value, other) ? markedAgainst(value, other) : plain(value);
}

function aboutOf({ about }: Labels): Pick<Expected, 'about'> {
  return about === undefined ? {} : { about };
}

function labelled(
  { sentLabel = 'Your app sent', expectedLabel = 'Expected' }: Labels,
  sent: readonly Piece[],
  rows: readonly Expected[],
): Comparison {
  const more = rows.length - mostExpected;
  const expected =
    more <= 0 ? rows : [...rows.slice(0, mostExpected), { value: plain(`and ${more} more`), differs: '' }];
  return { sentLabel, sent, expectedLabel, expected };
}

const most = 3;

/** Returns up to three known names that a mistyped name may mean, the most likely first. */
export function nearestNames(typed: string, known: Iterable<string>): readonly string[] {
  const left = new Set(known);
  const found: string[] = [];
  while (found.length < most) {
    const name = nearestName(typed, left);
    if (name === undefined) return found;
    found.push(name);
    left.delete(name);
  }
  return found;
}

const slip = 2;

/** Returns the known name that a typo almost certainly means. It allows fewer changes than `nearestNames`. */
export function misspelt(typed: string, known: Iterable<string>): string | undefined {
  return nearestName(typed, known, slip);
}
