import type { Emit } from '../../events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { type ErrorCode, OAuthError } from '../errors.ts';
import { lenientParameter, parameter, type RequestParameters, requiredParameter } from '../parameters.ts';
import { type ResponseTarget, responseTarget } from './authorization-response.ts';
import { demandPushed, demandSigned, mayAskPlainly } from './demanded-form.ts';
import type { EffectiveRequest } from './open-request.ts';
import { isPushedUri } from './pushed-request.ts';
import { knownClient, trustedRedirectUri } from './trusted-target.ts';

/**
 * The client and its parameters: plain ones, pushed ones (RFC 9126 §4), or those of a request object (RFC 9101 §6).
 * @throws OAuthError, which must not be told to any redirect URI unless `plainTarget` finds one
 */
export async function effectiveRequest(
  server: AuthorizationServer,
  parameters: RequestParameters,
  emit: Emit,
): Promise<EffectiveRequest> {
  const client = await knownClient(server, requiredParameter(parameters, 'client_id'), emit);
  if (isPlain(server, parameters)) {
    demandPushed(server, client);
    demandSigned(server, client);
    return { client, parameters };
  }
  const { openRequest } = await import('./open-request.ts'); // a start does without
  return openRequest(server, client, parameters, emit);
}

/** Whether nothing points elsewhere; what is not offered here is refused later, with a code of its own. */
function isPlain({ features }: AuthorizationServer, parameters: RequestParameters): boolean {
  const { values } = parameters;
  if (features.has('jar') && (values.get('request') || values.get('request_uri'))) return false;
  return !(features.has('par') && isPushedUri(values.get('request_uri')));
}

const refusalsOfObjects: readonly ErrorCode[] = [
  'request_not_supported',
  'request_uri_not_supported',
  'invalid_request_object',
  'invalid_request_uri',
];

/**
 * Where a refused request object may be told: to the redirect URI beside it, as far as a plain request of this client would be
 * answered there. What stands in an object that was refused is trusted with nothing.
 */
export async function plainTarget(
  server: AuthorizationServer,
  parameters: RequestParameters,
  error: OAuthError,
): Promise<ResponseTarget | undefined> {
  if (!refusalsOfObjects.includes(error.code)) return undefined;
  if (isPushedUri(lenientParameter(parameters, 'request_uri'))) return undefined;
  const client = await knownClient(server, requiredParameter(parameters, 'client_id'));
  if (!mayAskPlainly(server, client)) return undefined;
  if (parameter(parameters, 'redirect_uri') === undefined) return undefined;
  try {
    return responseTarget(server, client, trustedRedirectUri(client, parameters), parameters);
  } catch (refused) {
    if (refused instanceof OAuthError) return undefined;
    throw refused;
  }
}
