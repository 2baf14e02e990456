import { nearestName } from '../../base/text/nearest.ts';

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

/** The most letters that a typo changes. */
const slip = 2;

/** Returns the known name that a typo almost certainly means. It allows fewer changes than `nearestNames`. */
export function misspelt(typed: string, known: Iterable<string>): string | undefined {
  return nearestName(typed, known, slip);
}
