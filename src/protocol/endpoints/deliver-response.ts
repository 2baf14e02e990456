import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer, ClientCall } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { AskedOverHttp } from '../dialect.ts';
import { type ErrorCode, OAuthError } from '../errors.ts';
import { allowedAlgs, defaultAlg } from '../profile.ts';
import {
  type AuthorizationResponse,
  errorParameters,
  isSigned,
  type ResponseParameters,
  type ResponseTarget,
  respond,
} from '../requests/authorization-response.ts';
import { signJwt } from '../tokens/signing-key.ts';
import type { EndpointRequest } from './endpoint.ts';

/** Adds `state` and `iss` (RFC 6749 §4.1.2, RFC 9207 §2). A signed answer is one JWT, without an `iss` next to it (§2.4). */
export async function deliver(
  server: AuthorizationServer,
  target: ResponseTarget,
  parameters: ResponseParameters,
  emit: Emit,
): Promise<AuthorizationResponse> {
  const { state } = target;
  const all = state === undefined ? parameters : { ...parameters, state };
  if (!isSigned(target.response_mode)) return respond(target, answered(server, { ...all, iss: server.iss }));
  return respond(target, { response: await signResponse({ server, client: target.client, emit }, all) });
}

function answered({ dialect }: AuthorizationServer, parameters: ResponseParameters): ResponseParameters {
  if (dialect === undefined) return parameters;
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !dialect.responseOmits.includes(name)));
}

/** Delivers an error in the same way (RFC 6749 §4.1.2.1). */
export function deliverError(
  server: AuthorizationServer,
  target: ResponseTarget,
  error: OAuthError,
  { emit, errorUri }: Pick<EndpointRequest, 'emit' | 'errorUri'>,
): Promise<AuthorizationResponse> {
  const asked = { client_id: target.client.client_id };
  return deliver(server, target, errorParameters(spokenError(server, error, asked), errorUri), emit);
}

/** An error as clients of this server read it. The log keeps the original. */
export function spokenError(server: AuthorizationServer, original: OAuthError, asked?: AskedOverHttp): OAuthError {
  const spoken = server.dialect?.spoken(original, { server, asked });
  if (spoken === undefined) return original;
  const { error = original.code, error_description = original.description, status = original.status } = spoken;
  const { isBare, members } = spoken;
  // a provider has codes of its own; only the answer has them
  return new OAuthError(error as ErrorCode, original.reason, error_description, {
    ...original.details,
    status,
    ...(isBare && { isBare }),
    ...(members && { members }),
  });
}

/** Seconds. JARM §2.1 recommends at most ten minutes, and a code lives for one. */
const lifetime = 300;

/** The algorithm the client registered, or else the default of this server. */
export function responseAlg(server: AuthorizationServer, client: RegisteredClient): string {
  const { authorization_signed_response_alg: registered } = client;
  return allowedAlgs(server, registered === undefined ? [] : [registered])[0] ?? defaultAlg(server);
}

/** The parameters of an authorization response as a signed JWT (JARM §2.1). */
async function signResponse(
  { server, client, emit }: ClientCall,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const key = await server.keys.forAlg(responseAlg(server, client));
  const exp = server.clock() + lifetime;
  const claims = { ...parameters, iss: server.iss, aud: client.client_id, exp };
  const draft = { kind: 'response', key, typ: 'JWT', claims, client_id: client.client_id, emit } as const;
  return (await server.tampering?.jwt(draft))?.token ?? signJwt(key, 'JWT', claims);
}
