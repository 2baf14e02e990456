// Rows with a goal, and the table they are printed as.

/**
 * @param value undefined where it could not be measured
 * @param goal `{ atMost }` or `{ atLeast }`, with the `unit` and how many `digits` are printed
 * @param beside in words: what it was made of, and what to compare it with
 * @param samples everything measured, for --json
 */
export function row(metric, value, goal, beside = '', samples = {}) {
  const format = number => `${number.toFixed(goal.digits ?? 2)} ${goal.unit}`;
  const limit = goal.atMost ?? goal.atLeast;
  return {
    metric,
    value: value === undefined ? '–' : format(value),
    goal: `${goal.atMost === undefined ? '≥' : '≤'} ${limit}`,
    verdict: value === undefined ? 'not measured' : reaches(value, goal) ? 'ok' : 'missed',
    beside,
    number: value,
    samples,
  };
}

function reaches(value, { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }) {
  return value <= atMost && value >= atLeast;
}

/** Markdown, padded to be read as it is too. */
export function table(rows) {
  const head = ['metric', 'value', 'goal', '', 'beside'];
  const body = rows.map(({ metric, value, goal, verdict, beside = '' }) => [metric, value, goal, verdict, beside]);
  const cells = [head, ...body].map(line => line.map(cell => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map(line => line[column].length)));
  const printed = cells.map(line => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  printed.splice(1, 0, `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`);
  return printed.join('\n');
}
