import { type ResponseMode, responseModes } from './authorization-request.ts';
import type { RegisteredClient } from './client.ts';
import type { OAuthError } from './errors.ts';
import { lenientParameter, type RequestParameters } from './parameters.ts';

/** Where an answer may go, once client and redirect URI are trusted; success and error alike. */
export interface ResponseTarget {
  readonly client: RegisteredClient;
  readonly redirect_uri: string;
  readonly response_mode: ResponseMode;
  readonly state?: string;
}

/** The response as a value; `query` and `fragment` are redirects, `form_post` is a page that posts. */
export type AuthorizationResponse =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'form_post'; readonly action: string; readonly parameters: Readonly<Record<string, string>> };

/** Reads mode and state so that even a request that is refused is answered where it asked to be. */
export function responseTarget(
  client: RegisteredClient,
  redirect_uri: string,
  parameters: RequestParameters,
): ResponseTarget {
  const asked = lenientParameter(parameters, 'response_mode');
  const state = lenientParameter(parameters, 'state');
  return {
    client,
    redirect_uri,
    response_mode: responseModes.find(mode => mode === asked) ?? 'query',
    ...(state === undefined ? {} : { state }),
  };
}

/** Success (RFC 6749 §4.1.2) with `iss` (RFC 9207 §2). */
export function successResponse(issuer: string, target: ResponseTarget, code: string): AuthorizationResponse {
  return respond(target, { code, ...stateOf(target), iss: issuer });
}

/** Error (RFC 6749 §4.1.2.1) with `iss` (RFC 9207 §2). */
export function errorResponse(
  issuer: string,
  target: ResponseTarget,
  { code, description }: OAuthError,
  errorUri?: string,
): AuthorizationResponse {
  const uri = errorUri === undefined ? {} : { error_uri: errorUri };
  return respond(target, { error: code, error_description: description, ...uri, ...stateOf(target), iss: issuer });
}

function stateOf({ state }: ResponseTarget): { state?: string } {
  return state === undefined ? {} : { state };
}

function respond(
  { redirect_uri, response_mode }: ResponseTarget,
  parameters: Record<string, string>,
): AuthorizationResponse {
  if (response_mode === 'form_post') return { kind: 'form_post', action: redirect_uri, parameters };
  const encoded = new URLSearchParams(parameters).toString();
  const separator = response_mode === 'fragment' ? '#' : redirect_uri.includes('?') ? '&' : '?';
  return { kind: 'redirect', location: redirect_uri + separator + encoded };
}
