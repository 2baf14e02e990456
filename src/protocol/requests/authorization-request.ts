import type { AuthorizationDetail, ClaimsRequest } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient, ResponseType } from '../clients/client.ts';
import { invalidRequest, OAuthError, unauthorizedClient } from '../errors.ts';
import { parameter, type RequestParameters, rejectUnreadable, requiredParameter, shorten } from '../parameters.ts';
import { brings, parseResponseType, responseTypesSupported } from '../profile.ts';
import { isRelaxed } from '../relaxation.ts';
import { checkEssentialAcr } from './acr.ts';
import {
  canArrive,
  defaultMode,
  findMode,
  type ResponseMode,
  responseModesSupported,
} from './authorization-response.ts';
import { parseClaimsParameter } from './claims-parameter.ts';
import { checkChallenge } from './pkce.ts';
import { checkResources, requestedDetails, requestedScopes } from './requested-access.ts';

/** A checked authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OIDC Core §3.1.2.1). */
export interface AuthorizationRequest {
  readonly client_id: string;
  readonly redirect_uri: string;
  /** The request had no `redirect_uri`: it is the registered one, and the token request needs none (RFC 6749 §4.1.3). */
  readonly hasNoRedirectUri?: true;
  readonly response_type: ResponseType;
  readonly response_mode: ResponseMode;
  readonly scopes: readonly string[];
  readonly state?: string;
  readonly nonce?: string;
  readonly code_challenge?: string;
  /** Present with a challenge; no other method is supported. */
  readonly code_challenge_method?: 'S256';
  readonly prompt: readonly string[];
  /** Seconds. */
  readonly max_age?: number;
  readonly login_hint?: string;
  readonly id_token_hint?: string;
  readonly acr_values: readonly string[];
  readonly ui_locales?: string;
  /** OIDC Core §5.5. */
  readonly claims?: ClaimsRequest;
  /** OIDC Core §5.2: accepted without effect, because the claims of users are in one language. */
  readonly claims_locales?: string;
  /** RFC 9396 §2. */
  readonly authorization_details?: readonly AuthorizationDetail[];
  readonly resources: readonly string[];
  /** Name or id of the organization that the user must belong to; only a dialect has organizations. */
  readonly organization?: string;
  /** The thumbprint of the DPoP key the code is for (RFC 9449 §10). */
  readonly dpop_jkt?: string;
}

const always = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'acr_values',
  'ui_locales',
  'claims_locales',
  'resource',
  'sandbox_login',
];
const withFeature = { claims: 'claims', authorization_details: 'rar', dpop_jkt: 'dpop' } as const;

/** Parameters that are read here; all others are ignored and listed as ignored. */
export function authorizationParameters({
  features,
  dialect,
}: Pick<AuthorizationServer, 'features' | 'dialect'>): ReadonlySet<string> {
  const more = Object.entries(withFeature).flatMap(([name, feature]) => (features.has(feature) ? [name] : []));
  return new Set([...always, ...more, ...(dialect?.knownParameters ?? [])]);
}

/**
 * Checks a request whose client and redirect URI are already trusted.
 * @throws OAuthError, which may be reported to the redirect URI (RFC 6749 §4.1.2.1)
 */
export async function parseAuthorizationRequest(
  server: AuthorizationServer,
  client: RegisteredClient,
  redirect_uri: string,
  parameters: RequestParameters,
): Promise<AuthorizationRequest> {
  rejectUnreadable(parameters);
  rejectRequestObjects(parameters);
  const optional = (name: string) => parameter(parameters, name);
  const asked = requiredParameter(parameters, 'response_type');
  const { response_type, response_mode } = checkRequestedType(server, client, asked, {
    mode: optional('response_mode'),
    redirect_uri,
  });
  const needsPkce =
    brings(response_type, 'code') &&
    (client.require_pkce || server.profile === 'fapi2') &&
    !isRelaxed(server, client.client_id, 'pkce_absent');
  checkChallenge(optional('code_challenge'), optional('code_challenge_method'), needsPkce);
  const scopes = requestedScopes(server, client, optional('scope'));
  if (brings(response_type, 'id_token')) checkOpenId(scopes, optional('nonce'));
  const checked: AuthorizationRequest = {
    client_id: client.client_id,
    redirect_uri,
    response_type,
    response_mode,
    scopes,
    prompt: promptOf(optional('prompt')),
    acr_values: acrValues(optional('acr_values') ?? client.default_acr_values?.join(' ')),
    resources: checkResources(server, parameters.resources),
    ...(optional('redirect_uri') === undefined && { hasNoRedirectUri: true }),
    ...(optional('code_challenge') !== undefined && { code_challenge_method: 'S256' }),
    state: optional('state'),
    nonce: optional('nonce'),
    code_challenge: optional('code_challenge'),
    max_age: maxAge(optional('max_age') ?? client.default_max_age?.toString()),
    login_hint: optional('login_hint'),
    id_token_hint: optional('id_token_hint'),
    ui_locales: optional('ui_locales'),
    claims_locales: optional('claims_locales'),
    dpop_jkt: dpopKey(server, optional('dpop_jkt')),
  };
  return {
    ...checked,
    claims: await claimsOf(server, checked, parameters),
    organization: server.dialect?.checkMember && optional('organization'),
    authorization_details: await requestedDetails({ server, client, parameters }),
  };
}

/** Without `openid` there is neither an ID token nor UserInfo to put claims into (OIDC Core §5.5). */
async function claimsOf(
  server: AuthorizationServer,
  checked: AuthorizationRequest,
  parameters: RequestParameters,
): Promise<ClaimsRequest | undefined> {
  const text = server.features.has('claims') ? parameter(parameters, 'claims') : undefined;
  if (text === undefined) return undefined;
  const claims = parseClaimsParameter(text);
  if (!checked.scopes.includes('openid')) return undefined;
  checkEssentialAcr(server, { ...checked, claims });
  return claims;
}

/**
 * OIDC Core §6, §7.2.1: supported request objects have been read by now. Unsupported ones are refused with their own
 * codes, because a server that ignores them fails its clients.
 */
function rejectRequestObjects(parameters: RequestParameters): void {
  for (const name of ['request', 'request_uri', 'registration'] as const) {
    if (parameter(parameters, name) === undefined) continue;
    const description = `the ${name} parameter is not supported here: send plain parameters`;
    throw new OAuthError(`${name}_not_supported`, 'parameter_unsupported', description, { sent: name });
  }
}

/** OIDC Core §3.2.2.1: an ID token in the front channel requires `openid`, and a `nonce` that ties it to its request. */
function checkOpenId(scopes: readonly string[], nonce: string | undefined): void {
  if (!scopes.includes('openid')) {
    const description = 'a response type with id_token needs the scope openid';
    throw invalidRequest('scope_missing_openid', description, { expected: 'openid in scope' });
  }
  if (nonce === undefined) {
    const description = 'nonce is missing: an ID token in the front channel must be tied to its request';
    throw invalidRequest('nonce_missing', description, { expected: 'nonce' });
  }
}

/** RFC 9449 §10; without DPoP the parameter is unknown. */
function dpopKey({ features }: AuthorizationServer, thumbprint: string | undefined): string | undefined {
  if (thumbprint === undefined || !features.has('dpop')) return undefined;
  if (/^[A-Za-z0-9_-]{43}$/.test(thumbprint)) return thumbprint;
  const description = 'dpop_jkt must be the SHA-256 thumbprint of a public key (RFC 7638)';
  const details = { sent: shorten(thumbprint), expected: '43 characters of base64url' };
  throw invalidRequest('parameter_malformed', description, details);
}

function promptOf(prompt: string | undefined): readonly string[] {
  const values = words(prompt);
  const unknown = values.find(value => !promptValues.some(known => known === value));
  if (unknown !== undefined) {
    const details = { sent: shorten(unknown), expected: promptValues.join(', ') };
    throw invalidRequest('prompt_invalid', `prompt may hold ${details.expected}`, details);
  }
  if (values.includes('none') && values.length > 1) {
    throw invalidRequest('prompt_invalid', 'prompt=none cannot be combined with other values', {
      sent: shorten(values.join(' ')),
      expected: 'none',
    });
  }
  return values;
}

function maxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const details = { sent: shorten(text), expected: 'seconds, as digits' };
  throw invalidRequest('parameter_malformed', 'max_age must be a number of seconds', details);
}

const longestAcr = 200;

/** The `acr_values`. The session and each token will have one of them, so none may be longer than a real one. */
function acrValues(text: string | undefined): readonly string[] {
  const values = words(text);
  const long = values.find(value => value.length > longestAcr);
  if (long === undefined) return values;
  const details = { sent: shorten(long), expected: `at most ${longestAcr} characters` };
  throw invalidRequest('parameter_malformed', 'acr_values has a value that is too long', details);
}

function words(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(' ').filter(word => word !== ''))];
}

/** Values of `prompt` (OIDC Core §3.1.2.1). */
export const promptValues = ['none', 'login', 'consent', 'select_account'] as const;

/**
 * The response type and response mode of a request (RFC 6749 §3.1.1, OAuth 2.0 Multiple Response Types §2.1).
 * @throws unsupported_response_type, unauthorized_client, invalid_request
 */
function checkRequestedType(
  server: AuthorizationServer,
  client: RegisteredClient,
  responseType: string,
  { mode, redirect_uri }: { readonly mode: string | undefined; readonly redirect_uri: string },
): { response_type: ResponseType; response_mode: ResponseMode } {
  const response_type = offeredType(server, responseType);
  checkGrants(client, response_type);
  checkRegistered(client, response_type);
  const response_mode = findMode(server, mode, response_type);
  if (response_mode === undefined) throw wrongMode(server, response_type, mode ?? '');
  if (canArrive(response_mode, redirect_uri)) return { response_type, response_mode };
  const description = `response_mode ${response_mode} needs a redirect_uri with http or https`;
  const details = { sent: shorten(redirect_uri), expected: 'the address of a web page, or another response_mode' };
  throw invalidRequest('response_mode_unsupported', description, details);
}

function offeredType(server: AuthorizationServer, sent: string): ResponseType {
  const named = parseResponseType(sent);
  const offered = responseTypesSupported(server);
  const found = offered.find(type => type === named);
  if (found !== undefined) return found;
  const details = { sent: shorten(sent), expected: offered.join(', ') };
  const why =
    offered.length === 1 ? 'must be code: OAuth 2.1 has no other response type' : `must be one of ${details.expected}`;
  throw new OAuthError('unsupported_response_type', 'response_type_unsupported', `response_type ${why}`, details);
}

/** RFC 7591 §2.1: a code requires the grant type `authorization_code`; tokens in the front channel require `implicit`. */
function checkGrants(client: RegisteredClient, type: ResponseType): void {
  const needed = [...(brings(type, 'code') ? ['authorization_code'] : []), ...(type === 'code' ? [] : ['implicit'])];
  const missing = needed.find(grant => !client.grant_types.includes(grant));
  if (missing === undefined) return;
  throw unauthorizedClient('grant_type_not_registered', `this client is not registered for ${missing}`, {
    sent: `response_type=${type}`,
    expected: client.grant_types.join(', '),
  });
}

function checkRegistered(client: RegisteredClient, type: ResponseType): void {
  const isBound = client.dpop_bound_access_tokens || client.tls_client_certificate_bound_access_tokens;
  if (isBound && brings(type, 'token')) {
    const description =
      'this client can get only bound access tokens, but a token from the front channel is a bearer token';
    throw unauthorizedClient('response_type_not_registered', description, {
      sent: type,
      expected: 'a response type without token',
    });
  }
  if (client.response_types.includes(type)) return;
  throw unauthorizedClient('response_type_not_registered', `this client is not registered for response_type ${type}`, {
    sent: type,
    expected: client.response_types.join(', ') || 'no response type',
  });
}

function wrongMode(server: AuthorizationServer, type: ResponseType, mode: string): OAuthError {
  const modes = responseModesSupported(server).filter(each => findMode(server, each, type) !== undefined);
  const details = { sent: shorten(mode), expected: modes.join(', ') };
  if (responseModesSupported(server).some(each => each === mode)) {
    const description = `response_mode ${mode} would put tokens into a query: the default is ${defaultMode(type)}`;
    return invalidRequest('response_mode_unsupported', description, details);
  }
  return invalidRequest('response_mode_unsupported', `response_mode must be one of ${details.expected}`, details);
}
