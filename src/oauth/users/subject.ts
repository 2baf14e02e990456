import { hash } from 'node:crypto';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { Session } from './session.ts';

/** The `sub` a client sees: the user's own, or one for its sector alone (OIDC Core §8.1). */
export function subjectFor({ pairwiseSalt }: AuthorizationServer, client: RegisteredClient, sub: string): string {
  if (client.subject_type === 'public') return sub;
  return hash('sha256', JSON.stringify([sectorOf(client), sub, pairwiseSalt]), 'base64url');
}

/** Whom a `sub` means when this client says it, as in an `id_token_hint`; undefined where we know nobody of that name. */
export function userOfSubject(
  server: AuthorizationServer,
  client: RegisteredClient,
  subject: string,
): string | undefined {
  if (client.subject_type === 'public') return server.users.has(subject) ? subject : undefined;
  return [...server.users.keys()].find(sub => subjectFor(server, client, sub) === subject);
}

/**
 * The `sub` of whom the `claims` parameter names as the only user to answer for (OIDC Core §5.5.1). Undefined where it
 * names nobody; the empty one, which nobody has, where it names somebody unknown.
 */
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

/** OIDC Core §8.1: the host of the sector document, or the one host of the redirect URIs. */
function sectorOf({ sector_identifier_uri, redirect_uris, client_id }: RegisteredClient): string {
  const uri = sector_identifier_uri ?? redirect_uris[0];
  const host = uri !== undefined && URL.canParse(uri) ? new URL(uri).hostname : '';
  return host === '' ? client_id : host; // a private-use scheme has no host and belongs to one client
}
