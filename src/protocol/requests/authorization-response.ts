import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { parseResponseType, responseTypesSupported } from '../clients/response-type.ts';
import type { OAuthError } from '../errors.ts';
import { lenientParameter, type RequestParameters } from '../parameters.ts';
import type { MessageMode, PostedResponse } from './posted-response.ts';
import { defaultMode, findMode, type ResponseMode } from './response-mode.ts';

/** Where an answer goes once client and redirect URI are trusted, whether success or error. */
export interface ResponseTarget {
  readonly client: RegisteredClient;
  readonly redirect_uri: string;
  readonly response_mode: ResponseMode;
  readonly state?: string;
}

/** The response as a value; `query` and `fragment` are redirects, `form_post` is a page that posts. */
export type AuthorizationResponse =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'form_post'; readonly action: string; readonly parameters: ResponseParameters }
  | PostedResponse;

export type ResponseParameters = Readonly<Record<string, string>>;

/** Reads mode and state leniently, so that a refused request still gets its answer at the place it asked for. */
export function responseTarget(
  server: AuthorizationServer,
  client: RegisteredClient,
  redirect_uri: string,
  parameters: RequestParameters,
): ResponseTarget {
  const named = parseResponseType(lenientParameter(parameters, 'response_type'));
  const type = responseTypesSupported(server).find(each => each === named);
  const mode = findMode(server, lenientParameter(parameters, 'response_mode'), type);
  const state = lenientParameter(parameters, 'state');
  return {
    client,
    redirect_uri,
    response_mode: mode !== undefined && canArrive(mode, redirect_uri) ? mode : defaultMode(type),
    ...defined({ state }),
  };
}

function isMessage(mode: ResponseMode): mode is MessageMode {
  return mode.endsWith('_message');
}

/** A message needs a window with an origin, which an application with a scheme of its own does not have. */
export function canArrive(mode: ResponseMode, redirect_uri: string): boolean {
  return !isMessage(mode) || new URL(redirect_uri).origin !== 'null';
}

/** Parameters of an error response (RFC 6749 §4.1.2.1); the caller adds `state` and `iss`. */
export function errorParameters({ code, description }: OAuthError, errorUri?: string): ResponseParameters {
  const uri: Record<string, string> = errorUri === undefined ? {} : { error_uri: errorUri };
  return { error: code, error_description: description, ...uri };
}

/** Puts the parameters where the mode requires. */
export function respond(
  { redirect_uri, response_mode }: ResponseTarget,
  parameters: ResponseParameters,
): AuthorizationResponse {
  if (response_mode.startsWith('form_post')) return { kind: 'form_post', action: redirect_uri, parameters };
  if (isMessage(response_mode))
    return { kind: 'message', mode: response_mode, origin: new URL(redirect_uri).origin, parameters };
  const encoded = new URLSearchParams(parameters).toString();
  const separator = response_mode.startsWith('fragment') ? '#' : redirect_uri.includes('?') ? '&' : '?';
  return { kind: 'redirect', location: redirect_uri + separator + encoded };
}
