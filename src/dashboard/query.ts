/** A query parameter that is text; anything else (absent, repeated) is empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A query parameter that is a whole number; undefined for anything else. */
export function integerOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
