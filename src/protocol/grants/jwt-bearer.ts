import type { GrantHandler, TokenRequest } from '../authorization-server.ts';
import { invalidGrant } from '../errors.ts';
import { parameter, requiredParameter } from '../parameters.ts';
import { checkResources, requestedScopes } from '../requests/requested-access.ts';
import { readTrustedAssertion, useOnce } from '../tokens/trusted-assertion.ts';

/**
 * RFC 7523 §2.1: a trusted issuer names the user in a signed JWT, which can be used once if it has a `jti`. Gives an
 * access token, and with `openid` an ID token. It gives no refresh token, because the client can send a new JWT instead (RFC 7521
 * §4.1).
 */
export const jwtBearer: GrantHandler = {
  grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  feature: 'jwt-bearer',
  parameters: ['assertion', 'resource'],
  async redeem({ server, client, parameters, emit }: TokenRequest) {
    const context = { server, client, emit, refuse: invalidGrant };
    const assertion = await readTrustedAssertion(context, requiredParameter(parameters, 'assertion'));
    const scopes = requestedScopes(server, client, parameter(parameters, 'scope'));
    const resources = checkResources(server, parameters.resources);
    await useOnce(context, assertion);
    const authorization = {
      id: server.random.id(),
      client_id: client.client_id,
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      sub: assertion.user.sub,
      scopes,
      resources,
    };
    return { authorization, scopes, resources, tokens: ['access', 'id'] };
  },
};
