import { isRecord } from '../../text/record.ts';

/** Claims to add, as templates. Of two rules with the same claim the later one counts. */
export interface ClaimRule {
  /**
   * Paths of the context that must have a value, such as `scope.email`. With `!` in front a path must have none. Absent:
   * the rule always applies.
   */
  readonly when?: string | readonly string[];
  /** By name. `${user.claims.email}` stands for a value of the context; see `fillTemplate`. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Values that templates can use, by their first name: `user`, `client`, `token`. */
export type ClaimContext = Readonly<Record<string, unknown>>;

/** The claims of all rules whose condition is met. */
export function claimsByRules(rules: readonly ClaimRule[], context: ClaimContext): Readonly<Record<string, unknown>> {
  const met = rules.filter(({ when = [] }) => [when].flat().every(path => isMet(path, context)));
  return Object.fromEntries(met.flatMap(({ claims }) => Object.entries(fillTemplate(claims, context) ?? {})));
}

function isMet(when: string, context: ClaimContext): boolean {
  if (when.startsWith('!')) return !isMet(when.slice(1), context);
  const value = valueAt(context, when);
  return value !== undefined && value !== null && value !== false && value !== '';
}

/**
 * A copy of a JSON template with the values of the context:
 * - A text that is only `${path}` becomes the value, with its type.
 * - `${path}` in a longer text becomes the text of the value.
 * - `${...path}` in a list becomes the items of the list at that path.
 * - The member `...` of an object is replaced by the members of its value.
 * - `{ $each: path, $as: template }` becomes an object with the keys of the object at that path. The template makes each
 *   value; in it, `value` is the value of that key.
 *
 * A value that is missing leaves out the member, the item or the text around it. An object or a list that loses all its
 * parts is left out, too.
 */
export function fillTemplate(template: unknown, context: ClaimContext): unknown {
  if (typeof template === 'string') return fillText(template, context);
  if (Array.isArray(template)) return fillList(template, context);
  if (!isRecord(template)) return template;
  return '$each' in template ? fillEach(template, context) : fillObject(template, context);
}

/** A placeholder in a text: `${path}`, or `${...path}`. */
export const placeholder = /\$\{(\.\.\.)?([^}]+)\}/g;
const onePlaceholder = /^\$\{([^}.][^}]*)\}$/;

function fillText(text: string, context: ClaimContext): unknown {
  const path = onePlaceholder.exec(text)?.[1];
  if (path !== undefined) return valueAt(context, path);
  let isComplete = true;
  const filled = text.replace(placeholder, (_, _spread, inner: string) => {
    const value = valueAt(context, inner);
    if (value === undefined) isComplete = false;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  return isComplete ? filled : undefined;
}

function fillList(list: readonly unknown[], context: ClaimContext): unknown {
  const items = list.flatMap(item => {
    const spread = typeof item === 'string' ? /^\$\{\.\.\.([^}]+)\}$/.exec(item)?.[1] : undefined;
    if (spread !== undefined) return [valueAt(context, spread) ?? []].flat();
    const value = fillTemplate(item, context);
    return value === undefined ? [] : [value];
  });
  return items.length === 0 && list.length > 0 ? undefined : [...new Set(items)];
}

function fillEach({ $each, $as }: Readonly<Record<string, unknown>>, context: ClaimContext): unknown {
  const each = valueAt(context, String($each));
  if (!isRecord(each)) return undefined;
  return Object.fromEntries(
    Object.entries(each).map(([key, value]) => [key, fillTemplate($as, { ...context, key, value })]),
  );
}

function fillObject(template: Readonly<Record<string, unknown>>, context: ClaimContext): unknown {
  const members = Object.entries(template).flatMap(([name, inner]): (readonly [string, unknown])[] => {
    const value = fillTemplate(inner, context);
    if (name === '...') return isRecord(value) ? Object.entries(value) : [];
    return value === undefined ? [] : [[name, value]];
  });
  return members.length === 0 && Object.keys(template).length > 0 ? undefined : Object.fromEntries(members);
}

/** The value at a path such as `user.claims.email` or `user.claims[https://shop.example/roles]`; only own members count. */
function valueAt(context: ClaimContext, path: string): unknown {
  let value: unknown = context;
  for (const [, bracket, name] of path.matchAll(/\[([^\]]+)\]|([^.[\]]+)/g)) {
    const key = bracket ?? name ?? '';
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
