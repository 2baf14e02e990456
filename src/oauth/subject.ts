import { hash } from 'node:crypto';
import type { AuthorizationServer } from './authorization-server.ts';
import type { RegisteredClient } from './client.ts';

/** The `sub` a client sees: the user's own, or one for its sector alone (OIDC Core §8.1). */
export function subjectFor({ pairwiseSalt }: AuthorizationServer, client: RegisteredClient, sub: string): string {
  if (client.subject_type === 'public') return sub;
  return hash('sha256', JSON.stringify([sectorOf(client), sub, pairwiseSalt]), 'base64url');
}

/** OIDC Core §8.1: the host of the sector document, or the one host of the redirect URIs. */
function sectorOf({ sector_identifier_uri, redirect_uris, client_id }: RegisteredClient): string {
  const uri = sector_identifier_uri ?? redirect_uris[0];
  return uri !== undefined && URL.canParse(uri) ? new URL(uri).host : client_id;
}
