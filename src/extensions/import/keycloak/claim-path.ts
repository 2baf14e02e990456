import { isRecord } from '../../../base/text/record.ts';
import type { JsonValue } from '../../../sandbox/config/json.ts';

/** Levels of an object in a claim. */
const deepest = 10;

/** Claims that are being put together. */
export type Claims = Record<string, unknown>;

/** The names in a `claim.name`: a dot nests, `\.` is a dot. */
export function claimPath(name: string): readonly string[] {
  return name.split(/(?<!\\)\./).map(part => part.replaceAll('\\.', '.'));
}

/** Puts a value at a path. False if another value is there, or the path cannot be used. */
export function putClaim(claims: Claims, path: readonly string[], value: unknown): boolean {
  const [name = '', ...rest] = path;
  if (name === '' || name === '__proto__' || path.length > deepest) return false;
  const there = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (rest.length === 0) {
    if (there !== undefined) return JSON.stringify(there) === JSON.stringify(value);
    claims[name] = value;
    return true;
  }
  if (there !== undefined && !isRecord(there)) return false;
  const inner = there ?? {};
  if (!putClaim(inner, rest, value)) return false;
  claims[name] = inner;
  return true;
}

/** Applies `jsonType.label` to texts. Undefined if the text is not of the type. */
export function typedValue(texts: readonly string[], type: string | undefined, isList: boolean): JsonValue | undefined {
  const values = texts.map(text => typed(text, type));
  if (values.some(value => value === undefined)) return undefined;
  return isList ? (values as JsonValue[]) : values[0];
}

function typed(text: string, type: string | undefined): JsonValue | undefined {
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  if (type === 'long' || type === 'int') return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (type !== 'JSON') return text;
  try {
    const value: JsonValue = JSON.parse(text);
    return isPlain(value, deepest) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A `__proto__` in a literal would be the prototype of the object. */
function isPlain(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every(inner => inner === undefined || isPlain(inner, levels - 1));
}
