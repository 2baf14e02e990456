/**
 * The JSON text of a value that JSON keeps as it is. Members that are undefined are left out, as in memory they have no effect.
 * @throws TypeError that names the member, for a value that would come back as another one: that is a bug of the caller
 */
export function jsonValue(value: unknown): string {
  return JSON.stringify(value, refuseWhatChanges) ?? refuse('', value);
}

/** JSON has called `toJSON` before it asks for the replacement, so the original is read from its holder. */
function refuseWhatChanges(this: unknown, name: string, changed: unknown): unknown {
  const value = (this as Record<string, unknown>)[name]; // JSON gives the holder of the member as `this`
  if (value === undefined && Array.isArray(this)) refuse(name, value);
  return value === undefined || isKept(value) ? changed : refuse(name, value);
}

function isKept(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return ['string', 'boolean', 'object'].includes(typeof value);
  const made = Object.getPrototypeOf(value);
  return Array.isArray(value) || made === Object.prototype || made === null;
}

function refuse(name: string, value: unknown): never {
  const type =
    typeof value === 'object' && value !== null ? value.constructor.name : `${typeof value} ${String(value)}`;
  throw new TypeError(
    `a value of the store has ${name === '' ? '' : `in ${name} `}a ${type}, which JSON does not keep`,
  );
}
