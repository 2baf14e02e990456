import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient, ResponseType } from '../clients/client.ts';
import type { MessageMode, PostedResponse } from '../dialect.ts';
import type { OAuthError } from '../errors.ts';
import { lenientParameter, type RequestParameters } from '../parameters.ts';
import { parseResponseType, responseTypesSupported } from '../profile.ts';

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
    state,
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

const plainModes = ['query', 'fragment', 'form_post'] as const;
const signedModes = ['query.jwt', 'fragment.jwt', 'form_post.jwt'] as const;

/** Form Post Response Mode, OAuth 2.0 Multiple Response Types §2.1; signed ones by JARM §2.3. */
export type ResponseMode = (typeof plainModes)[number] | (typeof signedModes)[number] | MessageMode;

type ModeOffer = Pick<AuthorizationServer, 'features' | 'dialect'>;

/** Values of `response_mode` that a request may have; `jwt` means the signed form of the default (JARM §2.3.4). */
export function responseModesSupported({ features, dialect }: ModeOffer): readonly (ResponseMode | 'jwt')[] {
  const usual = features.has('jarm') ? [...plainModes, 'jwt' as const, ...signedModes] : plainModes;
  return dialect === undefined ? usual : [...usual, ...dialect.messageModes];
}

/** The mode of a request without `response_mode`: tokens never go into a query (OAuth 2.0 Multiple Response Types §5). */
export function defaultMode(type: ResponseType | undefined): 'query' | 'fragment' {
  return type === undefined || type === 'code' ? 'query' : 'fragment';
}

/** The requested mode; undefined if it is not supported, or not for this response type. */
export function findMode(
  server: ModeOffer,
  asked: string | undefined,
  type: ResponseType | undefined,
): ResponseMode | undefined {
  const usual = defaultMode(type);
  if (asked === undefined) return usual;
  const found = responseModesSupported(server).find(each => each === asked);
  const mode = found === 'jwt' ? (`${usual}.jwt` as const) : found;
  return usual === 'fragment' && mode?.startsWith('query') ? undefined : mode;
}

/** True if the parameters travel in one signed JWT (JARM §2.3). */
export function isSigned(mode: ResponseMode): boolean {
  return mode.endsWith('.jwt');
}
