import type { AuthorizationServer } from '../authorization-server.ts';
import type { OAuthError } from '../errors.ts';
import {
  type AuthorizationResponse,
  errorParameters,
  type ResponseParameters,
  type ResponseTarget,
  respond,
} from '../requests/authorization-response.ts';
import { isSigned } from '../requests/response-mode.ts';
import { spokenError } from '../spoken-error.ts';
import { signResponse } from '../tokens/sign-response.ts';

/** Adds `state` and `iss` (RFC 6749 §4.1.2, RFC 9207 §2). A signed answer is one JWT, without an `iss` next to it (§2.4). */
export async function deliver(
  server: AuthorizationServer,
  target: ResponseTarget,
  parameters: ResponseParameters,
): Promise<AuthorizationResponse> {
  const { state } = target;
  const all = state === undefined ? parameters : { ...parameters, state };
  if (!isSigned(target.response_mode)) return respond(target, answered(server, { ...all, iss: server.iss }));
  return respond(target, { response: await signResponse(server, target.client, all) });
}

/** Without the parameters that a provider does not send. */
function answered({ dialect }: AuthorizationServer, parameters: ResponseParameters): ResponseParameters {
  if (dialect === undefined) return parameters;
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !dialect.responseOmits.includes(name)));
}

/** Delivers an error in the same way (RFC 6749 §4.1.2.1). */
export function deliverError(
  server: AuthorizationServer,
  target: ResponseTarget,
  error: OAuthError,
  errorUri: string | undefined,
): Promise<AuthorizationResponse> {
  const asked = { client_id: target.client.client_id };
  return deliver(server, target, errorParameters(spokenError(server, error, asked), errorUri));
}
