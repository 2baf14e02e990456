import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/text/record.ts';
import { mostClaims, refuseLongClaims } from '../protocol-claims.ts';

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

/** A rule in code: it returns the claims to add. One that is undefined is not added. */
export type CodedRule<Context extends ClaimContext> = (context: Context) => Members | undefined;

type Members = Readonly<Record<string, unknown>>;

/** The claims of all rules whose condition is met. Each rule finds the claims so far as `claims`, those of earlier rules among them. */
export function claimsByRules<Context extends ClaimContext>(
  rules: readonly (ClaimRule | CodedRule<Context>)[],
  context: Context,
): Members {
  const addBy = addingTo(context);
  return Object.fromEntries(rules.flatMap(rule => Object.entries(addBy(rule))));
}

/**
 * A function that applies one rule after the other and returns the claims of each; undefined is a claim that is left out.
 * @throws server_error if the rules together make more than a token may have
 */
export function addingTo<Context extends ClaimContext>(
  context: Context,
): (rule: ClaimRule | CodedRule<Context>) => Members {
  // without a prototype, because a claim may be called __proto__; copied once, because a copy for each rule adds up
  const claims: Record<string, unknown> = Object.assign(Object.create(null), context.claims);
  const now: Context & Metered = { ...context, claims, [spent]: { parts: 0 } };
  return rule => {
    const added = typeof rule === 'function' ? counted(defined(rule(now) ?? {}), now) : byTemplates(rule, now);
    Object.assign(claims, added);
    return added;
  };
}

function byTemplates({ when = [], omit = [], claims }: ClaimRule, now: Metered): Members {
  if (![when].flat().every(path => isMet(path, now))) return {};
  const without = Object.fromEntries(omit.map(name => [name, undefined]));
  return { ...without, ...asMembers(fillTemplate(claims, now)) };
}

const spent = Symbol('characters that the rules of one token have made');

/** A context that counts what templates make, because a list inside of a list multiplies. */
type Metered = ClaimContext & { readonly [spent]: { parts: number } };

/** Counts a value that is put into the claims, or one step of work that may put in nothing. */
function spend(context: ClaimContext, value?: unknown): void {
  const meter = (context as Partial<Metered>)[spent];
  if (meter === undefined) return;
  meter.parts += sizeOf(value);
  if (meter.parts > mostClaims) refuseLongClaims('the rules for claims make');
}

/** Roughly the characters of a value as JSON, counted as far as the limit. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const [name, inner] of Object.entries(value)) {
    size += (Array.isArray(value) ? 0 : name.length) + sizeOf(inner);
    if (size > mostClaims) break;
  }
  return size;
}

function asMembers(filled: unknown): Members {
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
 *   there. The template makes each value; in it, `key` is the key and `value` the value of that key.
 * - `{ $map: path, $as: template }` becomes a list with what the template makes of each item of the list at that path; in it,
 *   `value` is the item, and `outer` the item around it. A list that the template makes is joined with the others.
 *
 * A value that is missing leaves out the member, the item or the text around it. An object or a list that loses all its
 * parts is left out, too.
 */
export function fillTemplate(template: unknown, context: ClaimContext): unknown {
  spend(context);
  if (typeof template === 'string') return counted(fillText(template, context), context);
  if (Array.isArray(template)) return fillList(template, context);
  if (!isRecord(template)) return template;
  if ('$map' in template) return fillMap(template, context);
  return '$each' in template ? fillEach(template, context) : fillObject(template, context);
}

function counted<T>(value: T, context: ClaimContext): T {
  spend(context, value);
  return value;
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
    if (spread !== undefined) return counted([valueAt(context, spread) ?? []].flat(), context);
    const value = fillTemplate(item, context);
    return value === undefined ? [] : [value];
  });
  return items.length === 0 && list.length > 0 ? undefined : [...new Set(items)];
}

function fillEach({ $each, $as }: Members, context: ClaimContext): unknown {
  const each = valueAt(context, String($each));
  const entries = Array.isArray(each) ? each.map(key => [String(key), key] as const) : Object.entries(asMembers(each));
  if (each === undefined || entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([key, value]) => [key, fillTemplate($as, { ...context, key, value })]));
}

function fillMap({ $map, $as }: Members, context: ClaimContext): unknown {
  const list = valueAt(context, String($map));
  if (!Array.isArray(list)) return undefined;
  const items = list.flatMap(value => fillTemplate($as, { ...context, outer: context.value, value }) ?? []);
  return items.length === 0 ? undefined : items;
}

function fillObject(template: Members, context: ClaimContext): unknown {
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
    value = (value as Members)[key];
  }
  // a copy, because later rules add to the claims
  return value === context.claims && isRecord(value) ? { ...value } : value;
}
