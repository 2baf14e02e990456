import { nearestName } from '../oauth/nearest.ts';

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
