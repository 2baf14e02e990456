import type { Authorization } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { ClaimsRequest } from '../requests/claims-request.ts';
import { userAtLogin } from './login-claims.ts';
import type { TestUser } from './user.ts';

/** The user that claims are about, and the claims that were set for the login. */
type LoggedIn = Required<Pick<Authorization, 'sub'>> & Pick<Authorization, 'edited'>;

/** The user behind an authorization, as their login has them; undefined if the user no longer exists. */
export function loggedInUser(server: AuthorizationServer, { sub, edited }: LoggedIn): TestUser | undefined {
  const user = server.users.get(sub);
  return user === undefined ? undefined : userAtLogin(server.scopes, user, edited);
}

/** The claims of a user that the granted scopes release (OIDC Core §5.4), including `sub`. */
export function userClaims(
  server: AuthorizationServer,
  who: LoggedIn,
  scopes: readonly string[],
): Readonly<Record<string, unknown>> {
  const { sub } = who;
  const { claims = {}, unscoped_claims = [] } = loggedInUser(server, who) ?? {};
  const names = [...scopes.flatMap(scope => server.scopes.get(scope)?.claims ?? []), ...unscoped_claims];
  const released = names.filter(name => Object.hasOwn(claims, name)).map(name => [name, claims[name]]);
  return { sub, ...Object.fromEntries(released) };
}

/** Claims that are not tied to any scope; they are always released. */
export function unscopedClaims(server: AuthorizationServer, who: LoggedIn): Readonly<Record<string, unknown>> {
  const { claims = {}, unscoped_claims = [] } = loggedInUser(server, who) ?? {};
  return Object.fromEntries(
    unscoped_claims.flatMap(name => (Object.hasOwn(claims, name) ? [[name, claims[name]]] : [])),
  );
}

/**
 * The claims that were requested one by one (OIDC Core §5.5). A claim the user does not have is left out, essential or
 * not (§5.5.1), and so is a claim with another value than the requested one.
 */
export function requestedClaims(
  server: AuthorizationServer,
  who: LoggedIn,
  asked: ClaimsRequest['userinfo'] = {},
): Readonly<Record<string, unknown>> {
  const { claims = {} } = loggedInUser(server, who) ?? {};
  const released = Object.entries(asked).filter(([name, request]) => {
    if (!Object.hasOwn(claims, name)) return false;
    const wanted = request?.values ?? (request?.value === undefined ? [] : [request.value]);
    return wanted.length === 0 || wanted.some(value => JSON.stringify(value) === JSON.stringify(claims[name]));
  });
  return Object.fromEntries(released.map(([name]) => [name, claims[name]]));
}
