import type { AuthorizationServer } from './authorization-server.ts';

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
