import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { invalidRequest } from '../errors.ts';

/**
 * Refuses an unpushed request if the client must push its requests (RFC 9126 §5). FAPI 2.0 §5.3.2.2 requires it of every
 * client.
 * @throws invalid_request
 */
export function demandPushed(server: AuthorizationServer, client: RegisteredClient): void {
  if (!mustPush(server, client)) return;
  const description = 'this client must push its authorization requests, but this request was not pushed';
  throw invalidRequest('request_not_pushed', description, {
    expected: 'request_uri from the pushed authorization request endpoint',
    client_id: client.client_id,
  });
}

/**
 * Refuses an unsigned request if the client, or every client, must sign its requests (RFC 9101 §10.5).
 * @throws invalid_request
 */
export function demandSigned(server: AuthorizationServer, client: RegisteredClient): void {
  if (!mustSign(server, client)) return;
  throw invalidRequest('request_not_signed', 'this client must sign its authorization requests: request is missing', {
    expected: 'request, a signed request object',
    client_id: client.client_id,
  });
}

/** True if this client may send a plain authorization request, neither pushed nor signed. */
export function mayAskPlainly(server: AuthorizationServer, client: RegisteredClient): boolean {
  return !mustPush(server, client) && !mustSign(server, client);
}

function mustPush({ profile }: AuthorizationServer, client: RegisteredClient): boolean {
  return profile === 'fapi2' || client.require_pushed_authorization_requests;
}

function mustSign({ requireSignedRequests }: AuthorizationServer, client: RegisteredClient): boolean {
  return requireSignedRequests || client.require_signed_request_object;
}
