export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** How much more, by the median of what each round says. */
export function pairedDifference(numbers, others) {
  return median(numbers.map((number, round) => number - others[round]));
}

/** The median of what each round says, not the ratio of two medians: what slowed a round slowed both. */
export function pairedRatio(numbers, others) {
  return others === undefined ? undefined : median(numbers.map((number, round) => number / others[round]));
}
