/** The known name most similar to a mistyped one, if there is one. `most` is the largest number of different letters. */
export function nearestName(
  typed: string,
  known: Iterable<string>,
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  const wanted = plain(typed);
  let best: string | undefined;
  let bestDistance = Math.min(most, Math.max(1, Math.floor(wanted.length * 0.4))) + 1;
  for (const name of known) {
    const distance = isShortFor(wanted, plain(name)) ? 1 : editDistance(wanted, plain(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** The words after "expected" for an unknown name: the most similar known name, or a list of all. */
export function expectedName(typed: string, known: Iterable<string>): string {
  const names = [...known];
  return nearestName(typed, names) ?? `one of ${names.join(', ')}`;
}

/** `clientId`, `client-id` and `client_id` are the same name, spelt by different habits. */
function plain(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[-_\s]/g, '');
}

/** `int` for `integer`, `warning` for `warn`. */
function isShortFor(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 3 && a !== b && (a.startsWith(b) || b.startsWith(a));
}

/** Levenshtein distance, with a swap of neighbours counted as one step. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
        swapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforePrevious, previous] = [previous, current];
  }
  return at(previous, b.length);
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? Number.POSITIVE_INFINITY;
}
