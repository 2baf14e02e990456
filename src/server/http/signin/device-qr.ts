import { renderSVG } from 'uqr';
import { type AuthorizationServer, endpointUrl } from '../../../protocol/authorization-server.ts';
import { readUserCode } from '../../../protocol/decoupled/pending-authorization.ts';
import type { EndpointRequest, Reply } from '../../../protocol/endpoints/endpoint.ts';
import { invalidRequest } from '../../../protocol/errors.ts';
import { requiredParameter, shorten } from '../../../protocol/parameters.ts';

/**
 * The `verification_uri_complete` of a user code, to be shown on a device and read by a phone (RFC 8628 §3.3.1). Any
 * possible code gets a picture, so that the endpoint does not reveal which codes exist.
 */
export async function deviceQr(server: AuthorizationServer, { parameters }: EndpointRequest): Promise<Reply> {
  const typed = requiredParameter(parameters, 'user_code');
  const user_code = readUserCode(typed);
  if (user_code === undefined) {
    throw invalidRequest('parameter_malformed', 'user_code must be eight letters', {
      sent: shorten(typed, 40),
      expected: 'the user_code of a device authorization response',
    });
  }
  const address = `${endpointUrl(server, 'deviceVerification')}?${new URLSearchParams({ user_code })}`;
  return { kind: 'text', type: 'image/svg+xml', body: renderSVG(address, { ecc: 'M', border: 4, pixelSize: 4 }) };
}
