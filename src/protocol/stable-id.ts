import { hash } from 'node:crypto';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** The UUID of a name, the same in each run (RFC 9562 §5.5). */
export function stableId(...parts: readonly string[]): string {
  const hex = hash('sha1', JSON.stringify(parts)).slice(0, 32);
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const all = `${hex.slice(0, 12)}5${hex.slice(13, 16)}${variant}${hex.slice(18)}`;
  return all.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
