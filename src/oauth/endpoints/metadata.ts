import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import { supportedAuthMethods } from '../clients/auth-methods.ts';
import { withMutualTls } from '../clients/mutual-tls-metadata.ts';
import type { Feature } from '../feature.ts';
import { promptValues } from '../prompt-values.ts';
import { dpopAlgs } from '../proofs/dpop-algs.ts';
import { decisionMetadata } from './decision-metadata.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';
import { assertionMetadata, responseMetadata } from './key-metadata.ts';
import { grantTypesSupported, requestMetadata } from './request-metadata.ts';
import { tokenStatusMetadata } from './token-status-metadata.ts';

/** Authorization server metadata (RFC 8414 §2), computed from what is there. */
export function oauthMetadata(server: AuthorizationServer): Readonly<Record<string, unknown>> {
  return withMutualTls(server, {
    issuer: server.issuer,
    authorization_endpoint: endpointUrl(server, 'authorize'),
    token_endpoint: endpointUrl(server, 'token'),
    jwks_uri: endpointUrl(server, 'jwks'),
    scopes_supported: [...server.scopes.keys()],
    ...requestMetadata(server),
    grant_types_supported: grantTypesSupported(server),
    token_endpoint_auth_methods_supported: supportedAuthMethods(server),
    ...assertionMetadata(server),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...whenOn(server, 'registration', { registration_endpoint: endpointUrl(server, 'register') }),
    ...whenOn(server, 'client-id-metadata', { client_id_metadata_document_supported: true }),
    ...whenOn(server, 'protected-resource-metadata', {
      protected_resources: server.protectedResources.map(({ resource }) => resource),
    }),
    ...decisionMetadata(server),
    ...detailsMetadata(server),
    ...tokenStatusMetadata(server),
    ...whenOn(server, 'dpop', { dpop_signing_alg_values_supported: dpopAlgs(server) }),
  });
}

/** The same with the members of OpenID Connect (Discovery 1.0 §3, RP-Initiated Logout §2.1). */
export function openidConfiguration(server: AuthorizationServer): Readonly<Record<string, unknown>> {
  return withMutualTls(server, {
    ...oauthMetadata(server),
    userinfo_endpoint: endpointUrl(server, 'userinfo'),
    end_session_endpoint: endpointUrl(server, 'endSession'),
    ...logoutMetadata(server),
    subject_types_supported: ['public', 'pairwise'],
    ...responseMetadata(server),
    claim_types_supported: ['normal'],
    claims_supported: claimsSupported(server),
    prompt_values_supported: promptValues,
    claims_parameter_supported: server.features.has('claims'),
    ...(server.acrValues.length === 0 ? {} : { acr_values_supported: server.acrValues }),
  });
}

/** RFC 9396 §10; without a configured type nothing can be asked for. */
function detailsMetadata(server: AuthorizationServer): Readonly<Record<string, unknown>> {
  const types = [...server.authorizationDetailsTypes.keys()];
  return types.length === 0 ? {} : whenOn(server, 'rar', { authorization_details_types_supported: types });
}

/** OIDC Session Management §3.3, Front-Channel Logout §3, Back-Channel Logout §2.1. */
function logoutMetadata(server: AuthorizationServer): Readonly<Record<string, unknown>> {
  return {
    ...whenOn(server, 'session-management', { check_session_iframe: endpointUrl(server, 'checkSession') }),
    ...whenOn(server, 'frontchannel-logout', {
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    }),
    ...whenOn(server, 'backchannel-logout', {
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    }),
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

export async function oauthMetadataEndpoint(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  return { kind: 'json', status: 200, body: await asSeenBy(request, server, oauthMetadata(server)) };
}

export async function openidConfigurationEndpoint(
  server: AuthorizationServer,
  request: EndpointRequest,
): Promise<Reply> {
  return { kind: 'json', status: 200, body: await asSeenBy(request, server, openidConfiguration(server)) };
}

/** Who asks by the back channel is told addresses there. */
async function asSeenBy({ isBackchannel }: EndpointRequest, server: AuthorizationServer, metadata: object) {
  if (!isBackchannel) return metadata;
  const { forBackchannel } = await import('./backchannel-metadata.ts');
  return forBackchannel(server, { ...metadata });
}
