import { defined } from '../../base/defined.ts';
import { wordOfScripts } from '../../base/text/authorization-header.ts';
import { isRecord } from '../../base/text/record.ts';
import { type AuthorizationServer, askedAt } from '../authorization-server.ts';
import { authMethodOf, needsSecret, readClientMetadata } from '../clients/client-metadata.ts';
import { clientInformation, startRegistration } from '../clients/client-registration.ts';
import { localizedMembers } from '../clients/localized-metadata.ts';
import { withSoftwareStatement } from '../clients/software-statement.ts';
import { invalidClientMetadata, OAuthError } from '../errors.ts';
import { bearerToken, otherHeader } from '../proofs/bearer-token.ts';
import { sameSecret } from '../random.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** Dynamic client registration (RFC 7591 §3, OIDC Registration §3). */
export async function register(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  checkInitialAccessToken(server, request);
  const metadata = await withSoftwareStatement(server, metadataOf(request.json));
  const client_id = server.random.id(); // never chosen by the client (RFC 9700 §4.15.1)
  const localized = localizedMembers(metadata);
  const client_secret = secretFor(server, authMethodOf(metadata));
  const client = await readClientMetadata(server, metadata, { client_id, client_secret, origin: 'registration' });
  server.clients.register(client);
  const { registration, token } = await startRegistration(server, client_id, localized);
  const { client_name, redirect_uris, scope } = client;
  request.emit({ type: 'client.registered', client_id, client_name, redirect_uris, scope });
  const body = clientInformation(server, client, registration, token, askedAt(server, request));
  return { kind: 'json', status: 201, body };
}

/** RFC 7591 §3: registration needs the initial access token, unless the mode is `open`. */
function checkInitialAccessToken({ registration, issuer }: AuthorizationServer, request: EndpointRequest): void {
  if (registration.mode === 'open') return;
  const needed = 'registration needs the initial access token of this sandbox';
  const token = registrationToken(issuer, request, 'initial_access_token_missing', needed);
  const { initialAccessToken } = registration;
  if (initialAccessToken !== undefined && sameSecret(token, initialAccessToken)) return;
  const description = 'this is not the initial access token of this sandbox';
  throw challenged(issuer, 'initial_access_token_wrong', description, wordOfScripts(token));
}

/**
 * The token of a request that needs one for registrations. @throws invalid_token, with the `missing` reason only for a request
 * without an Authorization header
 */
export function registrationToken(
  issuer: string,
  { authorization }: EndpointRequest,
  missing: TokenReason,
  needed: string,
): string {
  const token = bearerToken(authorization);
  if (token !== undefined) return token;
  const other = otherHeader(authorization);
  if (other === undefined) throw challenged(issuer, missing, needed);
  throw challenged(issuer, 'access_token_scheme_wrong', `${other.clause}; ${needed}`, other.sent);
}

type TokenReason =
  | 'access_token_scheme_wrong'
  | 'initial_access_token_missing'
  | 'initial_access_token_wrong'
  | 'registration_access_token_missing'
  | 'registration_access_token_wrong';

/** A 401 with its challenge (RFC 6750 §3), without an error code if no token was sent. */
export function challenged(issuer: string, reason: TokenReason, description: string, sent?: string): OAuthError {
  const error = reason.endsWith('_token_wrong') ? `, error="invalid_token", error_description="${description}"` : '';
  const headers = { 'WWW-Authenticate': `Bearer realm="${issuer}"${error}` };
  const expected = 'Authorization: Bearer <token>';
  return new OAuthError('invalid_token', reason, description, { ...defined({ sent }), expected, headers });
}

/** @throws invalid_client_metadata for a body that is not a JSON object */
export function metadataOf(json: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(json)) return json;
  throw invalidClientMetadata('client_metadata_invalid', 'the body must be a JSON object', {
    sent: Array.isArray(json) ? 'a list' : String(json).slice(0, 100),
    expected: '{"redirect_uris": [ ... ]}',
  });
}

/** Shortest key of HS512 in octets; no other HMAC needs a longer one (RFC 7518 §3.2). */
export const longestHmacKey = 64;

/** Makes a secret. It is long enough for any HMAC if the client's method uses one (RFC 7518 §3.2). */
export function secretFor({ random }: Pick<AuthorizationServer, 'random'>, method: string): string | undefined {
  if (!needsSecret(method)) return undefined;
  return method === 'client_secret_jwt' ? random.secret() + random.secret() : random.secret();
}
