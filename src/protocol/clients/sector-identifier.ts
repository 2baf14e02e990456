import { defined } from '../../base/defined.ts';
import { jsonIn } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { invalidClientMetadata, type OAuthError } from '../errors.ts';
import type { Outbound } from '../outbound.ts';
import { shorten } from '../parameters.ts';
import type { RegisteredClient } from './client.ts';
import { isSecureOrLocal } from './client-metadata-rules.ts';
import { fetchInTurn, getDocument, outboundFor } from './document-fetches.ts';

/**
 * Checks that the document of a sector lists each redirect URI of the client (OIDC Registration §5). Otherwise any client
 * could join any sector.
 * @throws invalid_client_metadata
 */
export async function checkSectorDocument(server: AuthorizationServer, client: RegisteredClient): Promise<void> {
  const { client_id, sector_identifier_uri: uri, redirect_uris } = client;
  if (uri === undefined) return;
  if (!isSecureOrLocal(uri)) {
    throw invalidClientMetadata('sector_document_unusable', 'sector_identifier_uri: it is not an https address', {
      sent: shorten(uri, 500),
      expected: 'https, or http on a loopback host',
    });
  }
  const document = { name: `sector ${uri}`, url: uri, client_id };
  const listed = await fetchInTurn(server, document, () => readSectorDocument(outboundFor(server, client), uri));
  const missing = redirect_uris.find(redirect => !listed.includes(redirect));
  if (missing !== undefined) throw unusable(uri, `its document does not list ${shorten(missing, 500)}`);
}

async function readSectorDocument(outbound: Outbound, uri: string): Promise<readonly unknown[]> {
  const headers = { Accept: 'application/json' };
  const { status, body } = await getDocument(outbound, uri, { headers }, (met, cause) => unusable(uri, met, cause));
  if (status !== 200) throw unusable(uri, `it answers with status ${status}`);
  const listed = jsonIn(body);
  if (!Array.isArray(listed)) throw unusable(uri, 'its document is not a JSON array');
  return listed;
}

/** All failures give the same answer, so that it reveals nothing about our network; the log has the cause. */
function unusable(uri: string, met: string, cause?: unknown): OAuthError {
  const description = 'sector_identifier_uri: its document cannot be read, or does not list all redirect_uris';
  return invalidClientMetadata('sector_document_unusable', description, {
    sent: shorten(uri, 500),
    expected: 'a JSON array with all redirect_uris',
    met,
    ...defined({ cause }),
  });
}
