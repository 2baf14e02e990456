import { isRecord } from '../../base/text/record.ts';
import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import { encryptionAlgs, encryptionEncs } from '../clients/client.ts';
import { OAuthError } from '../errors.ts';
import type { Feature } from '../feature.ts';
import { withDecryptionKeys } from '../key-pair.ts';
import { shorten } from '../parameters.ts';
import { assertionAlgs, asymmetricAlgs, responseTypesSupported, supportedAuthMethods } from '../profile.ts';
import { type ProtectedResource, resourceMetadataPath } from '../protected-resource.ts';
import { idTokenClaimNames } from '../protocol-claims.ts';
import { promptValues } from '../requests/authorization-request.ts';
import { responseModesSupported } from '../requests/authorization-response.ts';
import { certifiedKeys } from '../tokens/key-certificate.ts';
import { algorithmOf } from '../tokens/signing-key.ts';
import { uiLocales } from '../ui-locales.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** Authorization server metadata (RFC 8414 §2), computed from the present state of the server. */
export function oauthMetadata(server: AuthorizationServer): Metadata {
  return withMutualTls(server, {
    issuer: server.iss,
    authorization_endpoint: endpointUrl(server, 'authorize'),
    token_endpoint: endpointUrl(server, 'token'),
    jwks_uri: endpointUrl(server, 'jwks'),
    scopes_supported: [...server.scopes.keys()],
    ...requestMetadata(server),
    ...authenticationMetadata(server),
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
    ...whenOn(server, 'dpop', { dpop_signing_alg_values_supported: asymmetricAlgs(server) }),
  });
}

/** The same metadata with the members of OpenID Connect (Discovery 1.0 §3, RP-Initiated Logout §2.1). */
export function openidConfiguration(server: AuthorizationServer): Metadata {
  const signing = asymmetricAlgs(server); // a client may register for an algorithm without a key; the key is made then
  return withMutualTls(server, {
    ...oauthMetadata(server),
    userinfo_endpoint: endpointUrl(server, 'userinfo'),
    end_session_endpoint: endpointUrl(server, 'endSession'),
    ...logoutMetadata(server),
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: signing,
    id_token_encryption_alg_values_supported: encryptionAlgs,
    id_token_encryption_enc_values_supported: encryptionEncs,
    userinfo_signing_alg_values_supported: signing,
    userinfo_encryption_alg_values_supported: encryptionAlgs,
    userinfo_encryption_enc_values_supported: encryptionEncs,
    claim_types_supported: ['normal'],
    claims_supported: claimsSupported(server),
    prompt_values_supported: promptValues,
    ui_locales_supported: uiLocales,
    claims_parameter_supported: server.features.has('claims'),
    ...(server.acrValues.length === 0 ? {} : { acr_values_supported: server.acrValues }),
  });
}

/** Members that are present only while their feature is on. */
function whenOn({ features }: AuthorizationServer, feature: Feature, members: Metadata): Metadata {
  return features.has(feature) ? members : {};
}

/** The forms of requests and answers (RFC 8414 §2, RFC 9126 §5, RFC 9101 §9, JARM §4, OIDC Discovery §3). */
function requestMetadata(server: AuthorizationServer): Metadata {
  const { features, profile } = server;
  const isStrict = profile === 'fapi2';
  return {
    response_types_supported: responseTypesSupported(server),
    response_modes_supported: responseModesSupported(server),
    ...whenOn(server, 'par', {
      pushed_authorization_request_endpoint: endpointUrl(server, 'pushedAuthorizationRequest'),
      require_pushed_authorization_requests: isStrict,
    }),
    request_parameter_supported: features.has('jar'),
    // a `request_uri` that was not pushed; the profile does not accept one
    request_uri_parameter_supported: features.has('jar') && !isStrict,
    ...whenOn(server, 'jar', {
      require_request_uri_registration: true,
      request_object_signing_alg_values_supported: asymmetricAlgs(server),
      require_signed_request_object: server.requireSignedRequests,
      ...(server.dropIns?.requestEncryption && {
        request_object_encryption_alg_values_supported: encryptionAlgs,
        request_object_encryption_enc_values_supported: encryptionEncs,
      }),
    }),
    ...whenOn(server, 'jarm', { authorization_signing_alg_values_supported: asymmetricAlgs(server) }),
  };
}

/** Metadata about grants at the token endpoint, and about client authentication (RFC 8414 §2). */
function authenticationMetadata(server: AuthorizationServer): Metadata {
  const methods = supportedAuthMethods(server);
  const algs = assertionAlgs(server, methods);
  // `implicit` is not a grant of the token endpoint, but metadata lists it (RFC 7591 §2)
  const implicit = responseTypesSupported(server).some(type => type !== 'code') ? ['implicit'] : [];
  return {
    grant_types_supported: [...server.grants.keys(), ...implicit],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: algs,
    ...whenOn(server, 'introspection', { introspection_endpoint_auth_signing_alg_values_supported: algs }),
    ...whenOn(server, 'revocation', { revocation_endpoint_auth_signing_alg_values_supported: algs }),
  };
}

/** Metadata about grants that users decide on another device (RFC 8628 §4, OIDC CIBA §4). */
function decisionMetadata(server: AuthorizationServer): Metadata {
  const signed = { backchannel_authentication_request_signing_alg_values_supported: asymmetricAlgs(server) };
  return {
    ...whenOn(server, 'device', { device_authorization_endpoint: endpointUrl(server, 'deviceAuthorization') }),
    ...whenOn(server, 'ciba', {
      backchannel_authentication_endpoint: endpointUrl(server, 'backchannelAuthentication'),
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
      ...whenOn(server, 'jar', signed),
      backchannel_user_code_parameter_supported: false,
    }),
  };
}

/** RFC 9396 §10; empty if no type is configured, because then nothing can be requested. */
function detailsMetadata(server: AuthorizationServer): Metadata {
  const types = [...server.authorizationDetailsTypes.keys()];
  return types.length === 0 ? {} : whenOn(server, 'rar', { authorization_details_types_supported: types });
}

/** Introspection and revocation (RFC 8414 §2, RFC 9701 §7). A client without credentials cannot introspect. */
function tokenStatusMetadata(server: AuthorizationServer): Metadata {
  const methods = supportedAuthMethods(server);
  return {
    ...whenOn(server, 'introspection', {
      introspection_endpoint: endpointUrl(server, 'introspect'),
      introspection_endpoint_auth_methods_supported: methods.filter(method => method !== 'none'),
      introspection_signing_alg_values_supported: asymmetricAlgs(server),
    }),
    ...whenOn(server, 'revocation', {
      revocation_endpoint: endpointUrl(server, 'revoke'),
      revocation_endpoint_auth_methods_supported: methods,
    }),
  };
}

/** OIDC Session Management §3.3, Front-Channel Logout §3, Back-Channel Logout §2.1. */
function logoutMetadata(server: AuthorizationServer): Metadata {
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

function claimsSupported(server: AuthorizationServer): string[] {
  const released = [...server.scopes.values()].flatMap(scope => scope.claims);
  return [...new Set([...idTokenClaimNames, ...released])];
}

/** Endpoints where a client authenticates or uses a bound token (RFC 8705 §5). */
const aliased = [
  'token_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
  'userinfo_endpoint',
];

/**
 * Adds the members of mutual TLS to a metadata document (RFC 8705 §3.3, §5). The aliases are the usual addresses: this
 * server asks each connection for a certificate, in a way that does not make browsers show a choice.
 */
function withMutualTls(server: AuthorizationServer, metadata: Metadata): Metadata {
  const known = aliased.filter(name => name in metadata);
  return {
    ...metadata,
    ...whenOn(server, 'mtls', {
      tls_client_certificate_bound_access_tokens: true,
      mtls_endpoint_aliases: Object.fromEntries(known.map(name => [name, metadata[name]])),
    }),
  };
}

/** Endpoints that back ends call. Endpoints for browsers stay at the issuer in either answer. */
const calledByBackEnds = [...aliased, 'jwks_uri', 'registration_endpoint'];

function forBackchannel({ issuer, backchannelUrl = issuer }: AuthorizationServer, metadata: Metadata): Metadata {
  const moved = (members: Metadata) =>
    Object.fromEntries(
      Object.entries(members).map(([name, url]) =>
        calledByBackEnds.includes(name) && typeof url === 'string' && url.startsWith(issuer)
          ? [name, backchannelUrl + url.slice(issuer.length)]
          : [name, url],
      ),
    );
  const { mtls_endpoint_aliases: aliases } = metadata;
  return { ...moved(metadata), ...(isRecord(aliases) ? { mtls_endpoint_aliases: moved(aliases) } : {}) };
}

export async function oauthMetadataEndpoint(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  return replyTo(request, server, oauthMetadata(server));
}

export async function openidConfigurationEndpoint(
  server: AuthorizationServer,
  request: EndpointRequest,
): Promise<Reply> {
  return replyTo(request, server, openidConfiguration(server));
}

function replyTo({ isBackchannel }: EndpointRequest, server: AuthorizationServer, usual: Metadata): Reply {
  const metadata = advertised(server, usual);
  return { kind: 'json', status: 200, body: isBackchannel ? forBackchannel(server, metadata) : metadata };
}

/** The metadata as clients see it. */
function advertised(server: AuthorizationServer, usual: Metadata = openidConfiguration(server)): Metadata {
  return overridden(server, server.dialect?.metadata(server, usual) ?? usual);
}

/** Members of `METADATA_OVERRIDES` are added or replaced, and those with null removed. */
function overridden({ dropIns }: AuthorizationServer, metadata: Metadata): Metadata {
  const merged = Object.entries({ ...metadata, ...dropIns?.metadataOverrides });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}

/** Metadata of a protected resource (RFC 9728 §3), at the address derived from its identifier. */
export async function resourceMetadata(server: AuthorizationServer, { path }: EndpointRequest): Promise<Reply> {
  const asked = new URL(server.issuer).origin + path.slice(resourceMetadataPath.length);
  const found = server.protectedResources.find(({ resource }) => resource === asked);
  if (found !== undefined) return { kind: 'json', status: 200, body: documentOf(server, found) };
  throw new OAuthError('invalid_request', 'path_unknown', 'there is no protected resource at this address', {
    status: 404,
    sent: shorten(asked),
    expected: server.protectedResources.map(({ resource }) => resource).join('\n'),
  });
}

/** RFC 9728 §2. `offline_access` is left out: it concerns the client and the issuer, and no API requires it. */
function documentOf(server: AuthorizationServer, { resource, name, scopes }: ProtectedResource): object {
  return {
    resource,
    authorization_servers: [server.iss],
    scopes_supported: scopes.filter(scope => scope !== 'offline_access'),
    bearer_methods_supported: ['header'],
    resource_name: name,
    ...whenOn(server, 'dpop', { dpop_signing_alg_values_supported: asymmetricAlgs(server) }),
    ...whenOn(server, 'mtls', { tls_client_certificate_bound_access_tokens: true }),
  };
}

/** The public keys (RFC 7517 §5); waits for keys that are still being made. */
export async function jwks(server: AuthorizationServer): Promise<Reply> {
  const { keyCertificates, requestEncryption } = server.dropIns ?? {};
  const signing = keyCertificates ? await certifiedKeys(server) : await server.keys.jwks();
  const body = requestEncryption ? await withDecryptionKeys(server.keys, signing) : signing;
  return { kind: 'json', status: 200, body };
}

/** Answers that this server signs. The metadata has a list of algorithms for each, such as `id_token_signing_alg_values_supported`. */
const signed = ['id_token', 'userinfo', 'authorization', 'introspection'];

/**
 * The advertised algorithms whose keys are published before they are used. EdDSA and ES512 are not among them: some libraries fail on
 * a whole JWK Set if they do not know one type or curve in it, although RFC 7517 §5 has them ignore it. These two get their key with the
 * first client that registers for them. RSA is last, because making its keys takes longest.
 */
export function algsToPrepare(server: AuthorizationServer): readonly string[] {
  const metadata = advertised(server);
  const offered = signed.flatMap(name => metadata[`${name}_signing_alg_values_supported`] ?? []);
  const algs = asymmetricAlgs(server).filter(alg => offered.includes(alg));
  const quick = algs.filter(alg => /^ES(?:256|384)$/.test(alg));
  const slow = algs.filter(alg => algorithmOf(alg).keyType === 'rsa');
  return [...quick, ...slow];
}
