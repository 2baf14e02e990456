import { nearestName } from '../text/nearest.ts';
import type { Finding, Path } from './problem.ts';

/** Most problems reported at once; the others follow after these are fixed. */
export const mostProblems = 50;
/** Names of one object that are told one by one. */
export const mostNames = 25;

/** Names nobody knows, each with the one that comes closest; of a great many, the first and how many more there are. */
export function unknownNames(
  names: readonly string[],
  known: readonly string[],
  { at = [], expected = 'a known name' }: { readonly at?: Path; readonly expected?: string } = {},
): Finding[] {
  const told = names
    .slice(0, mostNames)
    .map(name => ({ path: [...at, name], expected, nearest: nearestName(name, known) }));
  const more = names.length - told.length;
  return more === 0 ? told : [...told, { path: at, expected: moreUnknown(more) }];
}

/** Said once for all unknown names that are not told one by one. */
export function moreUnknown(count: number): string {
  return `known names only: ${count} more are unknown`;
}
