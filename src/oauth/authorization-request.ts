import type { RegisteredClient } from './client.ts';
import { requestedScopes } from './client-scope.ts';
import { invalidRequest, OAuthError, unauthorizedClient } from './errors.ts';
import { parameter, type RequestParameters, rejectUnreadable, requiredParameter, shorten } from './parameters.ts';
import { checkChallenge } from './pkce.ts';
import { checkResources } from './resource-indicator.ts';

/** OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode. */
export const responseModes = ['query', 'fragment', 'form_post'] as const;
export type ResponseMode = (typeof responseModes)[number];

/** Values of `prompt` (OIDC Core §3.1.2.1). */
export const promptValues = ['none', 'login', 'consent', 'select_account'] as const;

/** A checked authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OIDC Core §3.1.2.1). */
export interface AuthorizationRequest {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly response_type: 'code';
  readonly response_mode: ResponseMode;
  readonly scopes: readonly string[];
  readonly state?: string;
  readonly nonce?: string;
  readonly code_challenge?: string;
  /** With a challenge only; there is no other method here. */
  readonly code_challenge_method?: 'S256';
  readonly prompt: readonly string[];
  /** Seconds. */
  readonly max_age?: number;
  readonly login_hint?: string;
  readonly id_token_hint?: string;
  readonly acr_values: readonly string[];
  readonly ui_locales?: string;
  readonly resources: readonly string[];
}

/** What is read here; everything else is ignored and listed as ignored. */
export const authorizationParameters: ReadonlySet<string> = new Set([
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce', 'code_challenge'],
  ...[
    'code_challenge_method',
    'prompt',
    'max_age',
    'login_hint',
    'id_token_hint',
    'acr_values',
    'ui_locales',
    'resource',
  ],
]);

/**
 * Checks a request whose client and redirect URI are trusted already.
 * @throws OAuthError, which may be told to the redirect URI (RFC 6749 §4.1.2.1)
 */
export function parseAuthorizationRequest(
  client: RegisteredClient,
  redirect_uri: string,
  parameters: RequestParameters,
): AuthorizationRequest {
  rejectUnreadable(parameters);
  rejectRequestObjects(parameters);
  const optional = (name: string) => parameter(parameters, name);
  checkResponseType(client, requiredParameter(parameters, 'response_type'));
  checkChallenge(optional('code_challenge'), optional('code_challenge_method'), client.require_pkce);
  return {
    client_id: client.client_id,
    redirect_uri,
    response_type: 'code',
    response_mode: responseMode(optional('response_mode')),
    scopes: requestedScopes(client, optional('scope')),
    prompt: promptOf(optional('prompt')),
    acr_values: acrValues(optional('acr_values')),
    resources: checkResources(parameters.resources),
    ...maxAge(optional('max_age')),
    ...(optional('code_challenge') === undefined ? {} : { code_challenge_method: 'S256' }),
    ...present(parameters, ['state', 'nonce', 'code_challenge', 'login_hint', 'id_token_hint', 'ui_locales']),
  };
}

type OptionalText = 'state' | 'nonce' | 'code_challenge' | 'login_hint' | 'id_token_hint' | 'ui_locales';

function present(parameters: RequestParameters, names: readonly OptionalText[]): Partial<Record<OptionalText, string>> {
  const found: Partial<Record<OptionalText, string>> = {};
  for (const name of names) {
    const value = parameter(parameters, name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** OIDC Core §6: not offered yet, so refused with codes of their own; a server that ignores them fails its clients. */
function rejectRequestObjects(parameters: RequestParameters): void {
  for (const name of ['request', 'request_uri', 'registration'] as const) {
    if (parameter(parameters, name) === undefined) continue;
    const description = `the ${name} parameter is not supported here: send plain parameters`;
    throw new OAuthError(`${name}_not_supported`, 'parameter_unsupported', description, { sent: name });
  }
}

function checkResponseType(client: RegisteredClient, responseType: string): void {
  if (!client.grant_types.includes('authorization_code')) {
    const description = 'this client is not registered for authorization_code';
    const details = { sent: 'response_type=code', expected: client.grant_types.join(', ') };
    throw unauthorizedClient('grant_type_not_registered', description, details);
  }
  if (responseType === 'code') return;
  const details = { sent: shorten(responseType), expected: 'code' };
  const description = 'response_type must be code: OAuth 2.1 has no other';
  throw new OAuthError('unsupported_response_type', 'response_type_unsupported', description, details);
}

function responseMode(mode: string | undefined): ResponseMode {
  if (mode === undefined) return 'query';
  const known = responseModes.find(value => value === mode);
  if (known !== undefined) return known;
  const details = { sent: shorten(mode), expected: responseModes.join(', ') };
  throw invalidRequest('response_mode_unsupported', `response_mode must be one of ${details.expected}`, details);
}

function promptOf(prompt: string | undefined): readonly string[] {
  const values = words(prompt);
  const unknown = values.find(value => !promptValues.some(known => known === value));
  if (unknown !== undefined) {
    const details = { sent: shorten(unknown), expected: promptValues.join(', ') };
    throw invalidRequest('prompt_invalid', `prompt may hold ${details.expected}`, details);
  }
  if (values.includes('none') && values.length > 1) {
    throw invalidRequest('prompt_invalid', 'prompt=none stands alone', {
      sent: shorten(values.join(' ')),
      expected: 'none',
    });
  }
  return values;
}

function maxAge(text: string | undefined): { max_age?: number } {
  if (text === undefined) return {};
  if (/^\d{1,10}$/.test(text)) return { max_age: Number(text) };
  const details = { sent: shorten(text), expected: 'seconds, as digits' };
  throw invalidRequest('parameter_malformed', 'max_age must be a number of seconds', details);
}

const longestAcr = 200;

/** One of them will be in the session and in each token, so none may be longer than any real one. */
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
