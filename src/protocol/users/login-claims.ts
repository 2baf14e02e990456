import { isDeeperThan, isSameJson, type ParsedObject } from '../json-parameter.ts';
import { readJsonObject } from '../json-text.ts';
import { reservedClaims } from '../protocol-claims.ts';
import type { ScopeDefinition } from '../scope.ts';
import type { TestUser } from './user.ts';

/** Claims set for one login, which override those of its user. Plain data, so it can be stored. */
export interface LoginClaims {
  /** By name; `acr` and `amr` describe the login itself. */
  readonly set: ParsedObject;
  /** Claims of the user that this login leaves out. */
  readonly removed: readonly string[];
}

/** The claims of a user that the editor takes, as one object, including those only access tokens have. */
export function editableClaims({ claims, access_token_claims }: TestUser): ParsedObject {
  const all = { ...claims, ...without(access_token_claims, Object.keys(claims)) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => mayBeTyped(name)));
}

/** The claims that a login changes. `null` removes a claim (OIDC Core §5.3.2), and so does a complete set without it. */
export function loginClaims(
  user: TestUser,
  typed: ParsedObject,
  { isComplete }: { readonly isComplete: boolean },
): LoginClaims | undefined {
  const has = editableClaims(user);
  const isKept = (name: string, value: unknown) => Object.hasOwn(has, name) && isSameJson(has[name], value);
  const set = Object.entries(typed).filter(([name, value]) => value !== null && !isKept(name, value));
  const isGone = (name: string) => (Object.hasOwn(typed, name) ? typed[name] === null : isComplete);
  const removed = Object.keys(has).filter(isGone);
  return set.length === 0 && removed.length === 0 ? undefined : { set: Object.fromEntries(set), removed };
}

/** Names of all edited claims. */
export function editedNames({ set, removed }: LoginClaims): readonly string[] {
  return [...Object.keys(set), ...removed];
}

/** Changes that remain after saving to the user: `acr` and `amr` belong to the login and are never saved. */
export function onlyOfTheLogin({ set }: LoginClaims): LoginClaims | undefined {
  const kept = Object.entries(set).filter(([name]) => claimsOfTheLogin.includes(name));
  return kept.length === 0 ? undefined : { set: Object.fromEntries(kept), removed: [] };
}

/** Names of the edited claims that a token contains. */
export function editedAmong(edited: LoginClaims | undefined, claims: ParsedObject): readonly string[] {
  return edited === undefined ? [] : Object.keys(edited.set).filter(name => Object.hasOwn(claims, name));
}

/** RFC 9068 §2.2.3.1: claims of a user that an access token carries for the decisions of an API. */
const forApis: readonly string[] = ['roles', 'groups', 'entitlements'];

/**
 * The user as a login has them. A claim that was set appears in the same places as a claim of the user: in UserInfo and
 * the ID token if a scope releases it, and in each access token if it is one of `access_token_claims` or of RFC 9068
 * §2.2.3.1. A claim that no scope knows goes everywhere, because otherwise it would appear nowhere.
 */
export function userAtLogin(
  scopes: ReadonlyMap<string, ScopeDefinition>,
  user: TestUser,
  edited: LoginClaims | undefined,
): TestUser {
  if (edited === undefined) return user;
  const set = Object.entries(without(edited.set, claimsOfTheLogin));
  const released = new Set([...scopes.values()].flatMap(({ claims }) => claims));
  const isForApis = ([name]: readonly [string, unknown]) =>
    !released.has(name) || forApis.includes(name) || Object.hasOwn(user.access_token_claims, name);
  const unscoped = set.flatMap(([name]) => (released.has(name) ? [] : [name]));
  return {
    ...user,
    claims: { ...without(user.claims, edited.removed), ...Object.fromEntries(set) },
    access_token_claims: {
      ...without(user.access_token_claims, edited.removed),
      ...Object.fromEntries(set.filter(isForApis)),
    },
    unscoped_claims: [...new Set([...(user.unscoped_claims ?? []), ...unscoped])],
  };
}

function without(claims: ParsedObject, names: readonly string[]): ParsedObject {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));
}

/** A problem in typed claims, with its line. */
export interface ClaimsProblem {
  readonly line: number;
  readonly reason: string;
}

/** A claim that cannot be set, and why; the name is empty for a problem of the claims together. */
interface ObjectProblem {
  readonly name: string;
  readonly reason: string;
}

/** Characters as JSON, levels of nesting, and number of claims of one login. Tokens carry the claims in headers. */
export const mostClaims = { length: 8192, levels: 10, count: 100 } as const;

const claimsOfTheLogin: readonly string[] = ['acr', 'amr'];

/**
 * False for a claim that the server sets itself: overriding one would make a token that no server could have issued. A
 * configured user may have one, such as `may_act`; a login neither changes nor removes it.
 */
function mayBeTyped(name: string): boolean {
  return !reservedClaims.includes(name) || claimsOfTheLogin.includes(name);
}

/** The claims in a JSON text, or the first problem. */
export function readTypedClaims(text: string): { readonly claims: ParsedObject } | { readonly problem: ClaimsProblem } {
  if (text.length > mostClaims.length) {
    const reason = `the text has ${text.length} characters; the limit is ${mostClaims.length}`;
    return { problem: { line: 1, reason } };
  }
  const read = readJsonObject(text, mostClaims.levels);
  if ('reason' in read) return { problem: { line: read.line, reason: read.reason } };
  const wrong = claimsProblem(read.value);
  if (wrong === undefined) return { claims: read.value };
  return { problem: { line: read.lines.get(wrong.name) ?? 1, reason: wrong.reason } };
}

function claimsProblem(claims: ParsedObject): ObjectProblem | undefined {
  const names = Object.keys(claims);
  const tooMany = names[mostClaims.count];
  if (tooMany !== undefined)
    return { name: tooMany, reason: `there are too many claims; the limit is ${mostClaims.count}` };
  for (const name of names) {
    const reason = nameProblem(name) ?? valueProblem(name, claims[name]);
    if (reason !== undefined) return { name, reason };
  }
  return undefined;
}

/** Like `claimsProblem`, and also checks the size; for claims that came as an object and not as text. */
export function claimsObjectProblem(claims: ParsedObject): ObjectProblem | undefined {
  if (isDeeperThan(claims, mostClaims.levels)) {
    return { name: '', reason: `claims are nested deeper than ${mostClaims.levels} levels` };
  }
  const { length } = JSON.stringify(claims);
  if (length > mostClaims.length) {
    return { name: '', reason: `claims are ${length} characters long as JSON; the limit is ${mostClaims.length}` };
  }
  return claimsProblem(claims);
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'a claim needs a name';
  if (name === '__proto__') return '__proto__ cannot be the name of a claim';
  if (mayBeTyped(name)) return undefined;
  return `${name} cannot be set here: the server sets this claim itself`;
}

/** `acr` and `amr` become those of the login, so they need the form of OIDC Core §2. */
function valueProblem(name: string, value: unknown): string | undefined {
  if (name === 'acr' && !(isText(value) && value.length <= 200)) {
    return 'acr is text of 1 to 200 characters, such as "1"';
  }
  if (name !== 'amr' || (Array.isArray(value) && value.length > 0 && value.length <= 20 && value.every(isText))) {
    return undefined;
  }
  return 'amr is a list of 1 to 20 texts, such as ["pwd", "otp"]';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
