import { supportedAuthMethods } from '../auth-methods.ts';
import { promptValues, responseModes } from '../authorization-request.ts';
import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import type { Feature } from '../feature.ts';
import type { Reply } from './endpoint.ts';

/** Authorization server metadata (RFC 8414 §2), computed from what is there. */
export function oauthMetadata(server: AuthorizationServer): Readonly<Record<string, unknown>> {
  return {
    issuer: server.issuer,
    authorization_endpoint: endpointUrl(server, 'authorize'),
    token_endpoint: endpointUrl(server, 'token'),
    jwks_uri: endpointUrl(server, 'jwks'),
    scopes_supported: [...server.scopes.keys()],
    response_types_supported: ['code'],
    response_modes_supported: responseModes,
    grant_types_supported: [...server.grants.keys()],
    token_endpoint_auth_methods_supported: supportedAuthMethods(server),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** The same with the members of OpenID Connect (Discovery 1.0 §3, RP-Initiated Logout §2.1). */
export function openidConfiguration(server: AuthorizationServer): Readonly<Record<string, unknown>> {
  return {
    ...oauthMetadata(server),
    userinfo_endpoint: endpointUrl(server, 'userinfo'),
    end_session_endpoint: endpointUrl(server, 'endSession'),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: server.keys.algs,
    claim_types_supported: ['normal'],
    claims_supported: claimsSupported(server),
    prompt_values_supported: promptValues,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

/** Members that are there only with their feature. */
export function whenOn(
  { features }: AuthorizationServer,
  feature: Feature,
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return features.has(feature) ? members : {};
}

const idTokenClaimNames = [
  'iss',
  'sub',
  'aud',
  'azp',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'at_hash',
  'sid',
  'acr',
  'amr',
];

function claimsSupported(server: AuthorizationServer): string[] {
  const released = [...server.scopes.values()].flatMap(scope => scope.claims);
  return [...new Set([...idTokenClaimNames, ...released])];
}

export async function oauthMetadataEndpoint(server: AuthorizationServer): Promise<Reply> {
  return { kind: 'json', status: 200, body: oauthMetadata(server) };
}

export async function openidConfigurationEndpoint(server: AuthorizationServer): Promise<Reply> {
  return { kind: 'json', status: 200, body: openidConfiguration(server) };
}
