import { hash } from 'node:crypto';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';

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

/** OIDC Core §8.1: the host of the sector document, or the one host of the redirect URIs. */
function sectorOf({ sector_identifier_uri, redirect_uris, client_id }: RegisteredClient): string {
  const uri = sector_identifier_uri ?? redirect_uris[0];
  const host = uri !== undefined && URL.canParse(uri) ? new URL(uri).hostname : '';
  return host === '' ? client_id : host; // a scheme of its own has no host, and is nobody else's
}
