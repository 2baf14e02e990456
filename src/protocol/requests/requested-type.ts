import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient, ResponseType } from '../clients/client.ts';
import { brings, parseResponseType, responseTypesSupported } from '../clients/response-type.ts';
import { invalidRequest, OAuthError, unauthorizedClient } from '../errors.ts';
import { shorten } from '../parameters.ts';
import { canArrive } from './authorization-response.ts';
import { defaultMode, findMode, type ResponseMode, responseModesSupported } from './response-mode.ts';

/**
 * The response type and response mode of a request (RFC 6749 §3.1.1, OAuth 2.0 Multiple Response Types §2.1).
 * @throws unsupported_response_type, unauthorized_client, invalid_request
 */
export function checkRequestedType(
  server: AuthorizationServer,
  client: RegisteredClient,
  responseType: string,
  { mode, redirect_uri }: { readonly mode: string | undefined; readonly redirect_uri: string },
): { response_type: ResponseType; response_mode: ResponseMode } {
  const response_type = offeredType(server, responseType);
  checkGrants(client, response_type);
  checkRegistered(client, response_type);
  const response_mode = findMode(server, mode, response_type);
  if (response_mode === undefined) throw wrongMode(server, response_type, mode ?? '');
  if (canArrive(response_mode, redirect_uri)) return { response_type, response_mode };
  const description = `response_mode ${response_mode} needs a redirect_uri with http or https`;
  const details = { sent: shorten(redirect_uri), expected: 'the address of a web page, or another response_mode' };
  throw invalidRequest('response_mode_unsupported', description, details);
}

function offeredType(server: AuthorizationServer, sent: string): ResponseType {
  const named = parseResponseType(sent);
  const offered = responseTypesSupported(server);
  const found = offered.find(type => type === named);
  if (found !== undefined) return found;
  const details = { sent: shorten(sent), expected: offered.join(', ') };
  const why =
    offered.length === 1 ? 'must be code: OAuth 2.1 has no other response type' : `must be one of ${details.expected}`;
  throw new OAuthError('unsupported_response_type', 'response_type_unsupported', `response_type ${why}`, details);
}

/** RFC 7591 §2.1: a code requires the grant type `authorization_code`; tokens in the front channel require `implicit`. */
function checkGrants(client: RegisteredClient, type: ResponseType): void {
  const needed = [...(brings(type, 'code') ? ['authorization_code'] : []), ...(type === 'code' ? [] : ['implicit'])];
  const missing = needed.find(grant => !client.grant_types.includes(grant));
  if (missing === undefined) return;
  throw unauthorizedClient('grant_type_not_registered', `this client is not registered for ${missing}`, {
    sent: `response_type=${type}`,
    expected: client.grant_types.join(', '),
  });
}

function checkRegistered(client: RegisteredClient, type: ResponseType): void {
  const isBound = client.dpop_bound_access_tokens || client.tls_client_certificate_bound_access_tokens;
  if (isBound && brings(type, 'token')) {
    const description =
      'this client can get only bound access tokens, but a token from the front channel is a bearer token';
    throw unauthorizedClient('response_type_not_registered', description, {
      sent: type,
      expected: 'a response type without token',
    });
  }
  if (client.response_types.includes(type)) return;
  throw unauthorizedClient('response_type_not_registered', `this client is not registered for response_type ${type}`, {
    sent: type,
    expected: client.response_types.join(', ') || 'no response type',
  });
}

function wrongMode(server: AuthorizationServer, type: ResponseType, mode: string): OAuthError {
  const modes = responseModesSupported(server).filter(each => findMode(server, each, type) !== undefined);
  const details = { sent: shorten(mode), expected: modes.join(', ') };
  if (responseModesSupported(server).some(each => each === mode)) {
    const description = `response_mode ${mode} would put tokens into a query: the default is ${defaultMode(type)}`;
    return invalidRequest('response_mode_unsupported', description, details);
  }
  return invalidRequest('response_mode_unsupported', `response_mode must be one of ${details.expected}`, details);
}
