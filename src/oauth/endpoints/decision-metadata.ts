import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import { requestObjectAlgs } from '../clients/request-object-algs.ts';

/** Members of what users decide about elsewhere (RFC 8628 §4, OIDC CIBA §4). */
export function decisionMetadata(server: AuthorizationServer): Readonly<Record<string, unknown>> {
  const { features } = server;
  const device = { device_authorization_endpoint: endpointUrl(server, 'deviceAuthorization') };
  const signed = { backchannel_authentication_request_signing_alg_values_supported: requestObjectAlgs(server) };
  const ciba = {
    backchannel_authentication_endpoint: endpointUrl(server, 'backchannelAuthentication'),
    backchannel_token_delivery_modes_supported: ['poll', 'ping'],
    ...(features.has('jar') ? signed : {}),
    backchannel_user_code_parameter_supported: false,
  };
  return { ...(features.has('device') ? device : {}), ...(features.has('ciba') ? ciba : {}) };
}
