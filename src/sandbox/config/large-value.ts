import * as v from 'valibot';
import type { Finding } from './problem.ts';

/**
 * Number of values that are checked in one turn of the event loop: each list, each object and each value in them
 * counts.
 */
export const mostValues = 5000;

/** True if a JSON value has too many nested values; stops counting at the limit. */
export function isLarge(value: unknown): boolean {
  return countOf(value, mostValues + 1) === 0;
}

/**
 * Checks a value with a schema. For a large value it stops at the first problem, because finding all would take seconds.
 */
export function checkedBy<const T extends v.GenericSchema>(
  schema: T,
  value: unknown,
): { readonly issues: readonly v.BaseIssue<unknown>[]; readonly output: unknown; readonly isCut: boolean } {
  const isCut = isLarge(value);
  const { issues = [], output } = v.safeParse(schema, value, isCut ? { abortEarly: true } : {});
  return { issues, output, isCut: isCut && issues.length > 0 };
}

/** Reported after the first problem of a large value. */
export const cutFinding: Finding = {
  path: [],
  expected: `the first problem to be fixed first: the file has more than ${mostValues} values, and the rest were not checked`,
};

/** The budget left after counting the values in this one; 0 when it is used up. */
function countOf(value: unknown, most: number): number {
  let left = most - 1;
  if (typeof value !== 'object' || value === null) return Math.max(0, left);
  for (const name in value) {
    if (left <= 0) return 0;
    left = countOf(value[name as keyof typeof value], left);
  }
  return Math.max(0, left);
}
