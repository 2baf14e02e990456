import { decodeJwt } from '../../base/text/jwt.ts';
import type { Authorization } from '../../protocol/authorization.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest } from '../../protocol/endpoints/endpoint.ts';
import type { FaultTarget } from './fault.ts';

/** Guesses whom a request is of, to find its faults. It verifies nothing, so the result must not grant access. */
export async function whoseRequest(
  server: AuthorizationServer,
  endpoint: string,
  request: Pick<EndpointRequest, 'parameters' | 'authorization' | 'sessionId'>,
): Promise<FaultTarget> {
  const { values } = request.parameters;
  const bearer = bearerClaims(request.authorization);
  const client_id = values.get('client_id') ?? basicId(request.authorization) ?? textIn(bearer, 'client_id');
  const sub = (await userOf(server, request)) ?? textIn(bearer, 'sub');
  return { endpoint, client_id: client_id ?? assertedId(values.get('client_assertion')), sub };
}

/** Returns the user of the code, the refresh token or the session. */
async function userOf(
  { store }: AuthorizationServer,
  { parameters: { values }, sessionId }: Pick<EndpointRequest, 'parameters' | 'sessionId'>,
): Promise<string | undefined> {
  for (const kind of ['code', 'refresh_token'] as const) {
    const value = values.get(kind);
    if (value === undefined) continue;
    const record = await store.get<{ readonly authorization: Authorization }>([kind, value]);
    return record?.authorization.sub;
  }
  if (sessionId === undefined) return undefined;
  return (await store.get<{ readonly sub: string }>(['session', sessionId]))?.sub;
}

/** RFC 7617 §2; malformed credentials are refused later by client authentication. */
function basicId(authorization = ''): string | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [id = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The same for a route that is not an endpoint, from its access token alone. */
export function whoseBearer(endpoint: string, authorization: string | undefined): FaultTarget {
  const claims = bearerClaims(authorization);
  return { endpoint, client_id: textIn(claims, 'client_id'), sub: textIn(claims, 'sub') };
}

/** Returns the claims of the access token without verification. */
function bearerClaims(authorization = ''): Readonly<Record<string, unknown>> | undefined {
  const token = /^(?:bearer|dpop) +(\S+)$/i.exec(authorization)?.[1];
  return token === undefined ? undefined : decodeJwt(token)?.claims;
}

/** RFC 7523 §3: `sub` is the client. */
function assertedId(assertion: string | undefined): string | undefined {
  return assertion === undefined ? undefined : textIn(decodeJwt(assertion)?.claims, 'sub');
}

function textIn(claims: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const value = claims?.[name];
  return typeof value === 'string' ? value : undefined;
}
