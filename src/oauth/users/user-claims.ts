import type { AuthorizationServer } from '../authorization-server.ts';
import type { ClaimsRequest } from '../requests/claims-request.ts';

/** The claims of a user that the granted scopes release (OIDC Core §5.4), `sub` among them. */
export function userClaims(
  server: AuthorizationServer,
  sub: string,
  scopes: readonly string[],
): Readonly<Record<string, unknown>> {
  const claims = server.users.get(sub)?.claims ?? {};
  const names = scopes.flatMap(scope => server.scopes.get(scope)?.claims ?? []);
  const released = names.filter(name => Object.hasOwn(claims, name)).map(name => [name, claims[name]]);
  return { sub, ...Object.fromEntries(released) };
}

/**
 * The claims asked for one by one (OIDC Core §5.5). A claim the user does not have is left out, essential or not (§5.5.1);
 * so is one with another value than was asked for.
 */
export function requestedClaims(
  server: AuthorizationServer,
  sub: string,
  asked: ClaimsRequest['userinfo'] = {},
): Readonly<Record<string, unknown>> {
  const claims = server.users.get(sub)?.claims ?? {};
  const released = Object.entries(asked).filter(([name, request]) => {
    if (!Object.hasOwn(claims, name)) return false;
    const wanted = request?.values ?? (request?.value === undefined ? [] : [request.value]);
    return wanted.length === 0 || wanted.some(value => JSON.stringify(value) === JSON.stringify(claims[name]));
  });
  return Object.fromEntries(released.map(([name]) => [name, claims[name]]));
}
