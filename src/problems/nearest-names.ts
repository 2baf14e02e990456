import { nearestName } from '../text/nearest.ts';

const most = 3;

/** The known names that a mistyped one may mean, the likeliest first. */
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

/** Letters that a slip of the fingers gets wrong. */
const slip = 2;

/** The known name that is almost certainly meant by a mistyped one: closer than what `nearestNames` finds. */
export function misspelt(typed: string, known: Iterable<string>): string | undefined {
  return nearestName(typed, known, slip);
}
