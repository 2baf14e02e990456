import { isSameJson, type ParsedObject } from '../json-parameter.ts';
import type { ScopeDefinition } from '../scope.ts';
import { claimsOfTheLogin, mayBeTyped } from './typed-claims.ts';
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
 * the ID Token if a scope releases it, and in each access token if it is one of `access_token_claims` or of RFC 9068
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
