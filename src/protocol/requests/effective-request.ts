import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { type ErrorCode, invalidRequest, OAuthError } from '../errors.ts';
import {
  lenientParameter,
  parameter,
  parseParameters,
  type RequestParameters,
  requiredParameter,
  shorten,
} from '../parameters.ts';
import { type ResponseTarget, responseTarget } from './authorization-response.ts';
import { findPushedRequest, isPushedUri } from './pushed-request.ts';
import { demandPushed, demandSigned, fetchRequestObject, mayAskPlainly, readRequestObject } from './request-object.ts';
import { knownClient, trustedRedirectUri } from './trusted-target.ts';

/** An authorization request with the parameters that count, whether plain, pushed or from a request object. */
export interface EffectiveRequest {
  readonly client: RegisteredClient;
  readonly parameters: RequestParameters;
  /** Absent if the parameters are those of the request itself. */
  readonly source?: 'pushed' | 'request_object';
  /** The `request_uri` of a pushed request, which its answer uses up. */
  readonly pushed?: string;
}

/**
 * The client and its parameters: plain ones, pushed ones (RFC 9126 §4), or those of a request object (RFC 9101 §6).
 * @throws OAuthError, which must not be sent to any redirect URI unless `plainTarget` finds one
 */
export async function effectiveRequest(
  server: AuthorizationServer,
  sent: RequestParameters,
  emit: Emit,
): Promise<EffectiveRequest> {
  const effective = await readForm(server, sent, emit);
  const { dialect } = server;
  return dialect === undefined
    ? effective
    : { ...effective, parameters: dialect.readRequest(server, effective.parameters) };
}

async function readForm(
  server: AuthorizationServer,
  parameters: RequestParameters,
  emit: Emit,
): Promise<EffectiveRequest> {
  const client = await knownClient(server, requiredParameter(parameters, 'client_id'), emit);
  if (isPlain(server, parameters)) {
    demandPushed(server, client);
    demandSigned(server, client);
    return { client, parameters: server.dialect?.heard?.(client, parameters) ?? parameters };
  }
  return openRequest(server, client, parameters, emit);
}

/** True if the request has no request object. An unsupported form is refused later, with its own error code. */
function isPlain({ features }: AuthorizationServer, parameters: RequestParameters): boolean {
  const { values } = parameters;
  if (features.has('jar') && (values.get('request') || values.get('request_uri'))) return false;
  return !(features.has('par') && isPushedUri(values.get('request_uri')));
}

/**
 * The request behind `request` or `request_uri`: only its own parameters count (RFC 9101 §6.3, RFC 9126 §4).
 * @throws OAuthError
 */
async function openRequest(
  server: AuthorizationServer,
  client: RegisteredClient,
  parameters: RequestParameters,
  emit: Emit,
): Promise<EffectiveRequest> {
  const object = parameter(parameters, 'request');
  const uri = parameter(parameters, 'request_uri');
  if (object !== undefined && uri !== undefined) {
    const description = 'request and request_uri cannot be sent together';
    throw invalidRequest('request_parameters_combined', description, { expected: 'one of the two' });
  }
  if (server.features.has('par') && isPushedUri(uri)) return openPushed(server, client, uri);
  demandPushed(server, client);
  if (!server.features.has('jar')) return { client, parameters };
  const jwt = object ?? (await fetchRequestObject(server, client, uri ?? ''));
  const sentAs = object === undefined ? 'reference' : 'value';
  const own = await readRequestObject({ server, client, emit, sentAs }, jwt);
  checkRepeated(parameters, own);
  return { client, parameters: own, source: 'request_object' };
}

async function openPushed(
  server: AuthorizationServer,
  client: RegisteredClient,
  pushed: string,
): Promise<EffectiveRequest> {
  const { query, isSigned } = await findPushedRequest(server, client, pushed);
  if (!isSigned) demandSigned(server, client);
  return { client, parameters: parseParameters(query), source: 'pushed', pushed };
}

/** OIDC Core §6.1: parameters that OAuth requires outside the object must be the same inside. */
function checkRepeated(outside: RequestParameters, inside: RequestParameters): void {
  for (const name of ['client_id', 'response_type']) {
    const sent = parameter(outside, name);
    const expected = inside.values.get(name);
    if (sent === undefined || expected === undefined || sent === expected) continue;
    const description = `${name} next to the request object differs from the value inside it`;
    const details = { sent: shorten(sent), expected: shorten(expected) };
    throw new OAuthError('invalid_request_object', 'request_object_mismatch', description, details);
  }
}

const refusalsOfObjects: readonly ErrorCode[] = [
  'request_not_supported',
  'request_uri_not_supported',
  'invalid_request_object',
  'invalid_request_uri',
];

/**
 * The redirect URI to which a refused request object is reported: the one next to it, if a plain request of this client
 * would be answered there. Values inside a refused object are not trusted.
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
    return responseTarget(server, client, trustedRedirectUri(server, client, parameters), parameters);
  } catch (refused) {
    if (refused instanceof OAuthError) return undefined;
    throw refused;
  }
}
