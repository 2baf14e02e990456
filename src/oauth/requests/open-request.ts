import type { Emit } from '../../events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { invalidRequest, OAuthError } from '../errors.ts';
import { parameter, parseParameters, type RequestParameters, shorten } from '../parameters.ts';
import { demandPushed, demandSigned } from './demanded-form.ts';
import { findPushedRequest, isPushedUri } from './pushed-request.ts';

/**
 * The request that `request` or `request_uri` stands for: only its own parameters count (RFC 9101 §6.3, RFC 9126 §4).
 * @throws OAuthError
 */
export async function openRequest(
  server: AuthorizationServer,
  client: RegisteredClient,
  parameters: RequestParameters,
  emit: Emit,
): Promise<EffectiveRequest> {
  const object = parameter(parameters, 'request');
  const uri = parameter(parameters, 'request_uri');
  if (object !== undefined && uri !== undefined) {
    const description = 'request and request_uri exclude each other';
    throw invalidRequest('request_parameters_combined', description, { expected: 'one of the two' });
  }
  if (server.features.has('par') && isPushedUri(uri)) return openPushed(server, client, uri);
  demandPushed(server, client);
  if (!server.features.has('jar')) return { client, parameters };
  const { readRequestObject, fetchRequestObject } = await import('./request-object.ts');
  const jwt = object ?? (await fetchRequestObject(server, client, uri ?? ''));
  const { parameters: own } = await readRequestObject(
    { server, client, emit, sentAs: object === undefined ? 'reference' : 'value' },
    jwt,
  );
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

/** OIDC Core §6.1: what must stand outside for OAuth's sake must be the same inside. */
function checkRepeated(outside: RequestParameters, inside: RequestParameters): void {
  for (const name of ['client_id', 'response_type']) {
    const sent = parameter(outside, name);
    const expected = inside.values.get(name);
    if (sent === undefined || expected === undefined || sent === expected) continue;
    const description = `${name} beside the request object is not the one inside`;
    const details = { sent: shorten(sent), expected: shorten(expected) };
    throw new OAuthError('invalid_request_object', 'request_object_mismatch', description, details);
  }
}

/** An authorization request whose parameters are the ones that count, wherever they came from. */
export interface EffectiveRequest {
  readonly client: RegisteredClient;
  readonly parameters: RequestParameters;
  /** Absent where they are those of the request itself. */
  readonly source?: 'pushed' | 'request_object';
  /** The `request_uri` of a pushed request, to be used up by its answer. */
  readonly pushed?: string;
}
