import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import { requestObjectAlgs } from '../clients/request-object-algs.ts';
import { responseTypesSupported } from '../clients/response-type.ts';
import { responseModesSupported } from '../requests/response-mode.ts';

/** How requests may come and answers may go (RFC 8414 §2, RFC 9126 §5, RFC 9101 §9, JARM §4, OIDC Discovery §3). */
export function requestMetadata(server: AuthorizationServer): Readonly<Record<string, unknown>> {
  const { features, profile } = server;
  const isStrict = profile === 'fapi2';
  const pushed = {
    pushed_authorization_request_endpoint: endpointUrl(server, 'pushedAuthorizationRequest'),
    require_pushed_authorization_requests: isStrict,
  };
  const signed = {
    require_request_uri_registration: true,
    request_object_signing_alg_values_supported: requestObjectAlgs(server),
    require_signed_request_object: server.requireSignedRequests,
  };
  return {
    response_types_supported: responseTypesSupported(server),
    response_modes_supported: responseModesSupported(server),
    ...(features.has('par') ? pushed : {}),
    request_parameter_supported: features.has('jar'),
    // by reference; what is not pushed does not count under the profile
    request_uri_parameter_supported: features.has('jar') && !isStrict,
    ...(features.has('jar') ? signed : {}),
    ...(features.has('jarm') ? { authorization_signing_alg_values_supported: requestObjectAlgs(server) } : {}),
  };
}

/** `implicit` is no grant of the token endpoint, and a grant type in metadata all the same (RFC 7591 §2). */
export function grantTypesSupported(server: AuthorizationServer): readonly string[] {
  const implicit = responseTypesSupported(server).some(type => type !== 'code') ? ['implicit'] : [];
  return [...server.grants.keys(), ...implicit];
}
