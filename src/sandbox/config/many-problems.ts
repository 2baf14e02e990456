import { nearestName } from '../../base/text/nearest.ts';
import type { Finding, Path } from './problem.ts';

/** Most problems reported at once; the others follow after these are fixed. */
export const mostProblems = 50;
/** Most unknown names of one object that are reported one by one. */
export const mostNames = 25;

/** Unknown names, each with the most similar known name. Of very many, the first ones and the number of the others. */
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

/** Reported once for all unknown names beyond the limit. */
export function moreUnknown(count: number): string {
  return `only known names: ${count} more are unknown`;
}
