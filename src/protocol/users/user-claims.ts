import { hash } from 'node:crypto';
import type { Authorization, ClaimsRequest } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import { userAtLogin } from './login-claims.ts';
import type { Session } from './session.ts';
import type { TestUser } from './user.ts';

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

/** The `sub` a client sees: the user's own, or one for its sector alone (OIDC Core §8.1). */
export function subjectFor(
  { pairwiseSalt, dialect }: AuthorizationServer,
  client: RegisteredClient,
  sub: string,
): string {
  if (client.subject_type === 'public') return sub;
  const sector = dialect?.ownSectors ? client.client_id : sectorOf(client);
  return hash('sha256', JSON.stringify([sector, sub, pairwiseSalt]), 'base64url');
}

/** The user that this client means by a `sub`, as in an `id_token_hint`; undefined if there is no such user. */
export function userOfSubject(
  server: AuthorizationServer,
  client: RegisteredClient,
  subject: string,
): string | undefined {
  if (client.subject_type === 'public') return server.users.has(subject) ? subject : undefined;
  return [...server.users.keys()].find(sub => subjectFor(server, client, sub) === subject);
}

/** The `sub` that the `claims` parameter accepts (OIDC Core §5.5.1); empty, which is nobody's, for an unknown user. */
export function claimedUser(
  server: AuthorizationServer,
  client: RegisteredClient,
  { claims }: AuthorizationRequest,
  session: Session | undefined,
): string | undefined {
  const request = claims?.id_token?.sub ?? claims?.userinfo?.sub;
  const wanted = request?.values ?? (request?.value === undefined ? [] : [request.value]);
  if (wanted.length === 0) return undefined;
  const isWanted = (sub: string) => wanted.includes(subjectFor(server, client, sub));
  if (session !== undefined && isWanted(session.sub)) return session.sub;
  return [...server.users.keys()].find(isWanted) ?? '';
}

/** OIDC Core §8.1: the host of the sector document, or the common host of the redirect URIs. */
function sectorOf({ sector_identifier_uri, redirect_uris, client_id }: RegisteredClient): string {
  const uri = sector_identifier_uri ?? redirect_uris[0];
  const host = uri !== undefined && URL.canParse(uri) ? new URL(uri).hostname : '';
  return host === '' ? client_id : host; // a private-use scheme has no host and belongs to one client
}
