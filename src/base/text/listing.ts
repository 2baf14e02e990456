/** `a`, `a or b`, `a, b or c`; empty for no names. */
export function listing(names: readonly string[], conjunction: 'and' | 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}
