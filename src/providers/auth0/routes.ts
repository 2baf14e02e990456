import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { allowsPostLogoutRedirectUri } from '../../protocol/clients/client.ts';
import { authenticateClient } from '../../protocol/clients/client-authentication.ts';
import { confirmLogout } from '../../protocol/endpoints/end-session.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { revoke } from '../../protocol/endpoints/revoke.ts';
import { token } from '../../protocol/endpoints/token.ts';
import { userinfo } from '../../protocol/endpoints/userinfo.ts';
import { invalidRequest } from '../../protocol/errors.ts';
import {
  lenientParameter,
  parameter,
  type RequestParameters,
  requiredParameter,
  shorten,
} from '../../protocol/parameters.ts';
import { bearerToken, noAccessToken } from '../../protocol/proofs/bearer-token.ts';
import { certifiedKeys } from '../../protocol/tokens/key-certificate.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import { asChallenge, asJson, asPage } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { forClients, ownRoute, withQueryToken } from '../own-route.ts';
import { asDatabaseError, changePassword, signUp } from './database.ts';
import { type Factor, factorsOf, waitingUser } from './second-factor.ts';

const byQueryToken = withQueryToken(userinfo);

/** Endpoints of a tenant that are its own, or differ from the usual ones: several accept JSON in place of a form. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('Auth0');
  const asked = { form: asJson, ...forClients, body: 'parameters' } as const;
  const database = { ...asked, form: asDatabaseError, knownPages: true } as const;
  return [
    own('jwks GET', base + paths.jwks, 'public keys, with certificates', jwksWithCertificates, {
      form: asJson,
      cors: 'anyone',
      constant: true,
    }),
    own('token POST', base + paths.token, 'token endpoint, for forms and JSON', token, { ...asked, credentials: true }),
    own('revoke POST', base + paths.revoke, 'token revocation, for forms and JSON', revoke, {
      ...asked,
      feature: 'revocation',
    }),
    own('userinfo GET POST', base + paths.userinfo, 'UserInfo, also with the token in the query', byQueryToken, {
      form: asChallenge,
      ...forClients,
    }),
    own('v2_logout GET', `${base}/v2/logout`, 'logout without a question, back to `returnTo`', logout, {
      form: asPage,
    }),
    own('mfa_challenge POST', `${base}/mfa/challenge`, 'asks a user for a second factor', challenge, asked),
    own('mfa_authenticators GET', `${base}/mfa/authenticators`, 'second factors of a user', authenticators, {
      form: asJson,
      cors: 'clients',
    }),
    own('signup POST', `${base}/dbconnections/signup`, 'creates a user', signUp, database),
    own(
      'change_password POST',
      `${base}/dbconnections/change_password`,
      'accepts the wish for a new password; the sandbox sends no e-mail',
      changePassword,
      database,
    ),
  ];
}

/** The public keys, RSA keys with a certificate that they signed themselves: `x5c` and `x5t` (RFC 7517 §4.7, §4.8). */
async function jwksWithCertificates(server: AuthorizationServer): Promise<Reply> {
  const { keys } = await certifiedKeys(server);
  const body = keys.map(({ x5c, x5t, 'x5t#S256': _, ...jwk }) => (jwk.kty === 'RSA' ? { ...jwk, x5c, x5t } : jwk));
  return { kind: 'json', status: 200, body: { keys: body } };
}

/**
 * Ends the session of the browser without a question, as `/v2/logout` does, and goes to `returnTo`. The other parameters of
 * the provider (`federated`) change nothing here.
 */
function logout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  return confirmLogout(server, { ...request, parameters: completed(server, request.parameters) });
}

/**
 * Without `client_id`, `returnTo` may be an address of any client. Without `returnTo`, it is the first address of the client.
 */
function completed({ clients }: AuthorizationServer, sent: RequestParameters): RequestParameters {
  const client_id = lenientParameter(sent, 'client_id');
  const returnTo = lenientParameter(sent, 'post_logout_redirect_uri');
  const values = new Map(sent.values);
  const [first] = clients.get(client_id ?? '')?.post_logout_redirect_uris ?? [];
  if (returnTo === undefined && first !== undefined) values.set('post_logout_redirect_uri', first);
  const found = [...clients.values()].find(each => allowsPostLogoutRedirectUri(each, returnTo ?? ''));
  if (client_id === undefined && found !== undefined) values.set('client_id', found.client_id);
  return { ...sent, values };
}

/** `POST /mfa/challenge`: says which code the user has to type. Nothing is sent to a telephone. */
async function challenge(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
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
async function authenticators(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
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
