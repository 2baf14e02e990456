import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { authenticateClient } from '../../protocol/clients/client-authentication.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { invalidRequest } from '../../protocol/errors.ts';
import { parameter, requiredParameter, shorten } from '../../protocol/parameters.ts';
import { bearerToken, noAccessToken } from '../../protocol/proofs/bearer-token.ts';
import { type Factor, factorsOf, waitingUser } from './second-factor.ts';

/** `POST /mfa/challenge`: says which code the user has to type. Nothing is sent to a telephone. */
export async function challenge(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { client } = await authenticateClient(server, request);
  const user = await waitingUser(server, requiredParameter(request.parameters, 'mfa_token'), client.client_id);
  const asked = parameter(request.parameters, 'challenge_type')?.split(' ') ?? ['otp', 'oob'];
  const type = factorsOf(user).find(factor => asked.includes(factor.type))?.type;
  if (type === undefined) {
    const expected = factorsOf(user)
      .map(factor => factor.type)
      .join(', ');
    const description = 'the user has no second factor of this kind';
    throw invalidRequest('parameter_malformed', description, { sent: shorten(asked.join(' ')), expected });
  }
  if (type !== 'oob') return json({ challenge_type: type });
  const oob_code = server.random.secret();
  await server.store.put(['oob_code', oob_code], user.sub, 600);
  return json({ challenge_type: 'oob', oob_code, binding_method: 'prompt' });
}

/** `GET /mfa/authenticators`, with the `mfa_token` as bearer token. */
export async function authenticators(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const token = bearerToken(request.authorization);
  if (token === undefined)
    throw noAccessToken(request.authorization, { expected: 'Authorization: Bearer <mfa_token>' });
  const user = await waitingUser(server, token);
  return json(factorsOf(user).map(authenticatorOf));
}

function authenticatorOf({ type }: Factor): object {
  if (type === 'recovery-code') return { id: 'recovery-code|dev_1', authenticator_type: type, active: true };
  if (type === 'otp') return { id: 'totp|dev_1', authenticator_type: type, active: true };
  return { id: 'sms|dev_1', authenticator_type: type, oob_channel: 'sms', name: 'XXXXXXXX0101', active: true };
}

function json(body: object): Reply {
  return { kind: 'json', status: 200, body };
}
