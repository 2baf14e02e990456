import { isRecord } from '../../text/record.ts';

/** Claims to add, as templates. Of two rules with the same claim the later one counts. */
export interface ClaimRule {
  /**
   * Conditions that must all be met, such as `scope.email` or `request.tenant=blue`; see `conditionParts`. Absent: the rule
   * always applies.
   */
  readonly when?: string | readonly string[];
  /** Claims that are left out. */
  readonly omit?: readonly string[];
  /** By name. `${user.claims.email}` stands for a value of the context; see `fillTemplate`. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Values that templates can use, by their first name: `user`, `client`, `token`. */
export type ClaimContext = Readonly<Record<string, unknown>>;

/** The claims of all rules whose condition is met. Each rule finds the claims so far as `claims`, those of earlier rules among them. */
export function claimsByRules(rules: readonly ClaimRule[], context: ClaimContext): Readonly<Record<string, unknown>> {
  let added: Readonly<Record<string, unknown>> = {};
  for (const { when = [], omit = [], claims } of rules) {
    const now = { ...context, claims: { ...(isRecord(context.claims) ? context.claims : {}), ...added } };
    if (![when].flat().every(path => isMet(path, now))) continue;
    const without = Object.fromEntries(omit.map(name => [name, undefined]));
    added = { ...added, ...without, ...asMembers(fillTemplate(claims, now)) };
  }
  return added;
}

function asMembers(filled: unknown): Readonly<Record<string, unknown>> {
  return isRecord(filled) ? filled : {};
}

/**
 * The parts of a condition: a path that must have a value (`user.email`), that must be a value (`request.tenant=blue`), or whose
 * whole value must match a regular expression (`request.audience~dev:.*`). With `!` in front it must not.
 */
export function conditionParts(when: string) {
  const [, negation, path = '', operator, wanted = ''] =
    /^(!?)((?:[^=~[]|\[[^\]]*\]?)*)(?:([=~])(.*))?$/s.exec(when) ?? [];
  return { isNegated: negation === '!', path, operator: operator as '=' | '~' | undefined, wanted };
}

function isMet(when: string, context: ClaimContext): boolean {
  const { isNegated, path, operator, wanted } = conditionParts(when);
  const value = valueAt(context, path);
  return fits(value, operator, wanted) !== isNegated;
}

/** One value of a list is enough. */
function fits(value: unknown, operator: '=' | '~' | undefined, wanted: string): boolean {
  if (operator === undefined) return value !== undefined && value !== null && value !== false && value !== '';
  if (Array.isArray(value)) return value.some(each => fits(each, operator, wanted));
  if (value === undefined || typeof value === 'object') return false;
  return operator === '=' ? String(value) === wanted : new RegExp(`^(?:${wanted})$`, 's').test(String(value));
}

/**
 * A copy of a JSON template with the values of the context:
 * - A text that is only `${path}` becomes the value, with its type.
 * - `${path}` in a longer text becomes the text of the value.
 * - `${...path}` in a list becomes the items of the list at that path.
 * - The member `...` of an object is replaced by the members of its value.
 * - `{ $each: path, $as: template }` becomes an object with the keys of the object at that path, or with the texts of the list
 *   there. The template makes each value; in it, `key` is the key and `value` the value of that key. With `$match` only keys
 *   that match this regular expression count.
 * - `{ $map: path, $as: template }` becomes a list with what the template makes of each item of the list at that path; in it,
 *   `value` is the item, and `outer` the item around it. A list that the template makes is joined with the others.
 *
 * A value that is missing leaves out the member, the item or the text around it. An object or a list that loses all its
 * parts is left out, too.
 */
export function fillTemplate(template: unknown, context: ClaimContext): unknown {
  if (typeof template === 'string') return fillText(template, context);
  if (Array.isArray(template)) return fillList(template, context);
  if (!isRecord(template)) return template;
  if ('$map' in template) return fillMap(template, context);
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

function fillEach({ $each, $as, $match = '' }: Readonly<Record<string, unknown>>, context: ClaimContext): unknown {
  const each = valueAt(context, String($each));
  const all = Array.isArray(each) ? each.map(key => [String(key), key] as const) : Object.entries(asMembers(each));
  const entries = all.filter(([key]) => new RegExp(String($match)).test(key));
  if (each === undefined || entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([key, value]) => [key, fillTemplate($as, { ...context, key, value })]));
}

function fillMap({ $map, $as }: Readonly<Record<string, unknown>>, context: ClaimContext): unknown {
  const list = valueAt(context, String($map));
  if (!Array.isArray(list)) return undefined;
  const items = list.flatMap(value => fillTemplate($as, { ...context, outer: context.value, value }) ?? []);
  return items.length === 0 ? undefined : items;
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
