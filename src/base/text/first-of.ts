const most = 20;

/** The first twenty names, and the number of the others: `a, b and 3 more`. */
export function firstOf(names: readonly string[]): string {
  const left = names.length - most;
  return names.slice(0, most).join(', ') + (left > 0 ? ` and ${left} more` : '');
}
