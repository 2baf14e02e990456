/** The known name that is most like the one given, if any is close enough to be meant. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const given = name.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.ceil(given.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(given, candidate.slice(0, 64).toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
