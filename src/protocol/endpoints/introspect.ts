import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { isPublic, type RegisteredClient } from '../clients/client.ts';
import { authenticateClient } from '../clients/client-authentication.ts';
import { invalidClient, type OAuthError } from '../errors.ts';
import { lenientParameter, requiredParameter } from '../parameters.ts';
import { defaultAlg } from '../profile.ts';
import { type FoundToken, findToken } from '../tokens/find-token.ts';
import { signJwt } from '../tokens/signing-key.ts';
import { readUnverified } from '../unverified-jwt.ts';
import { subjectFor } from '../users/user-claims.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** RFC 9701 §5. */
const jwtType = 'token-introspection+jwt';

/**
 * Token introspection (RFC 7662): whether a token is active, and its claims. Any client that authenticates may ask about
 * any access token, because resource servers are ordinary clients here. Only its own client may ask about a refresh
 * token, so that nobody takes one for an access token.
 */
export async function introspect(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, emit } = request;
  const { client, method } = await authenticateClient(server, request);
  if (method === 'none') throw mustAuthenticate(server, client, request);
  const token = requiredParameter(parameters, 'token');
  const found = await findToken(server, token, lenientParameter(parameters, 'token_type_hint'));
  const mayKnow = found?.type === 'access_token' || found?.client_id === client.client_id;
  const shown = mayKnow ? found : undefined;
  emit({
    type: 'token.introspected',
    client_id: client.client_id,
    state: shown?.state ?? 'unknown',
    ...(shown === undefined ? {} : { about: shown.tokenId, issuedTo: shown.client_id }),
  });
  const body =
    shown?.state === 'active' ? activeResponse(server, client, asRead(server, token, shown), shown) : { active: false };
  if (!acceptsMore(request.accept, `application/${jwtType}`, 'application/json'))
    return { kind: 'json', status: 200, body };
  return { kind: 'text', type: `application/${jwtType}`, body: await signedResponse(server, client, body) };
}

function mustAuthenticate(
  { issuer }: AuthorizationServer,
  client: RegisteredClient,
  request: EndpointRequest,
): OAuthError {
  const reason = isPublic(client) ? 'client_is_public' : 'client_secret_missing';
  const description = 'introspection requires client authentication: otherwise anyone could probe tokens';
  const challenge = { headers: { 'WWW-Authenticate': `Basic realm="${issuer}", charset="UTF-8"` } };
  return invalidClient(reason, description, {
    sent: 'none',
    expected: 'a client with credentials (RFC 7662 §2.1)',
    client_id: client.client_id,
    ...(request.authorization === undefined ? {} : challenge), // RFC 6749 §5.2
  });
}

/** With a dialect, the claims of a JWT as its readers see them, besides `client_id`. Its signature is checked already. */
function asRead({ dialect }: AuthorizationServer, token: string, found: FoundToken): FoundToken {
  if (dialect === undefined || !token.includes('.')) return found;
  const { scope } = found.claims;
  return { ...found, claims: { scope, ...readUnverified(token).claims, client_id: found.client_id } };
}

/** RFC 7662 §2.2: the claims of the token, with `scope` as text and, for a user, the name they sign in with. */
function activeResponse(
  server: AuthorizationServer,
  asking: RegisteredClient,
  { type, claims }: FoundToken,
  own: FoundToken,
): object {
  const { scope, cnf } = claims;
  const isRefresh = type === 'refresh_token';
  // a refresh token has the user's own `sub`; its client, the only one that may ask, may know another (OIDC Core §8.1)
  const sub = isRefresh && claims.sub !== undefined ? subjectFor(server, asking, claims.sub) : claims.sub;
  const username = server.users.get((isRefresh ? sub : own.claims.sub) ?? '')?.username; // left out for a pairwise subject, because it would reveal the user
  return {
    active: true,
    ...claims,
    ...defined({ sub }),
    ...(Array.isArray(scope) ? { scope: scope.join(' ') } : {}),
    ...(isRefresh ? {} : { token_type: isRecord(cnf) && 'jkt' in cnf ? 'DPoP' : 'Bearer' }),
    ...defined({ username }),
  };
}

/** RFC 9701 §5: signed, with the caller as audience. */
async function signedResponse(server: AuthorizationServer, client: RegisteredClient, body: object): Promise<string> {
  const key = await server.keys.forAlg(client.introspection_signed_response_alg ?? defaultAlg(server));
  const claims = { iss: server.iss, aud: client.client_id, iat: server.clock(), token_introspection: body };
  return signJwt(key, jwtType, claims);
}

/** True if an `Accept` header names the first media type and does not prefer the second (RFC 9110 §12.5.1). */
function acceptsMore(accept: string | undefined, type: string, than: string): boolean {
  const qualities = new Map((accept ?? '').split(',').map(readRange));
  const wanted = qualities.get(type) ?? 0;
  return wanted > 0 && wanted >= (qualities.get(than) ?? 0);
}

function readRange(range: string): readonly [type: string, quality: number] {
  const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase());
  const quality = parameters.find(parameter => parameter.startsWith('q='));
  return [type, quality === undefined ? 1 : Number(quality.slice('q='.length)) || 0];
}
