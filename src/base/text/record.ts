/** The members of an object whose values can be anything. */
export type AnyMembers = Readonly<Record<string, unknown>>;

/** Whether a value is a plain object: not a list, Date or Map. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The value of a JSON text; undefined for invalid JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object in a JSON text; undefined for other JSON and for invalid JSON. */
export function recordIn(text: string): Record<string, unknown> | undefined {
  const value = jsonIn(text);
  return isRecord(value) ? value : undefined;
}
