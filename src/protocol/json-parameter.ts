import { isRecord } from '../base/text/record.ts';

export type ParsedObject = Readonly<Record<string, unknown>>;

const deepest = 20;

/** Parses a parameter that contains JSON, such as `claims`. `refuse` makes the error from the problem. */
export function readJsonParameter(text: string, refuse: (problem: string) => Error): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(describe(error));
  }
  if (isDeeperThan(value, deepest)) throw refuse(`it is nested deeper than ${deepest} levels`);
  return value;
}

/** Gives only the place, because V8's message quotes the text around it. */
function describe(error: unknown): string {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? 'it ends too early or is empty' : `the mistake is at character ${position}`;
}

/** True if a value has more than `levels` levels. Stops at the first level too deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some(each => isDeeperThan(each, levels - 1));
}

/** True if two JSON values are equal; the order of members does not count. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true; // the same value needs no look at its contents
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((each, index) => isSameJson(each, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(name => Object.hasOwn(b, name) && isSameJson(a[name], b[name]))
  );
}
