import type { Confirmation } from '../../protocol/authorization.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest } from '../../protocol/endpoints/endpoint.ts';
import { bearerToken, noAccessToken } from '../../protocol/proofs/bearer-token.ts';
import { checkBinding } from '../../protocol/proofs/sender-constraint.ts';

/** @throws invalid_token for a request without a bearer token */
export function requireBearer(
  { authorization }: EndpointRequest,
  wanted?: Parameters<typeof noAccessToken>[1],
): string {
  const token = bearerToken(authorization);
  if (token === undefined) throw noAccessToken(authorization, wanted);
  return token;
}

/** The claims of an access token of ours that came as a bearer token, with what it is bound to. @throws invalid_token */
export async function bearerClaims(server: AuthorizationServer, token: string, request: EndpointRequest) {
  const { verifyAccessToken } = await import('../../protocol/tokens/verify-access-token.ts'); // loads jose
  const claims = await verifyAccessToken(server, token);
  // the token is ours, so its cnf can be trusted
  await checkBinding(server, { token, scheme: 'Bearer', method: request.method }, claims.cnf as Confirmation, request);
  return claims;
}
