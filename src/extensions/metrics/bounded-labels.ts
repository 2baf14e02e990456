/** Most series of one metric. The closed list of reasons is the longest with some hundreds. */
const mostSeries = 1000;

/** Label values in place of those beyond the limit. */
const other = 'other';

/**
 * Keeps the series of one metric bounded: label values that would begin one more are replaced by `other`. All labels are from
 * closed lists, so this is reached only if a list turns out to be open.
 */
export function createBoundedLabels(most = mostSeries): (labels: readonly (string | number)[]) => string[] {
  const known = new Set<string>();
  return labels => {
    const values = labels.map(String);
    const key = values.join('\n');
    if (known.has(key)) return values;
    if (known.size >= most) return values.map(() => other);
    known.add(key);
    return values;
  };
}
