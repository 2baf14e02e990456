import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { type ClientKey, makeClientKey } from '../support/keys-server.ts';

const callback = 'http://localhost:3000/callback';

let sandbox: Sandbox;
let key: ClientKey;
beforeAll(async () => {
  key = await makeClientKey('ES256', { kid: 'one', alg: 'ES256', use: 'sig' });
  sandbox = await createSandbox({
    clients: [
      {
        client_id: 'bound',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...key.publicJwk }] },
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [callback],
        scope: 'openid email products:read',
        dpop_bound_access_tokens: true,
        require_signed_request_object: true,
      },
    ],
  });
});
afterAll(() => sandbox.stop());

/** A login with a signed request object, an assertion and a DPoP proof, all made by the real time. */
async function logIn(config: client.Configuration, DPoP: client.DPoPHandle) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const parameters = {
    redirect_uri: callback,
    scope: 'openid email products:read',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  };
  const url = await client.buildAuthorizationUrlWithJAR(config, parameters, { key: key.privateKey, kid: 'one' });
  const agent = createAgent(new URL(sandbox.url).origin);
  const { url: back } = await agent.submit(await agent.open(url), 'login-user-alice');
  return client.authorizationCodeGrant(config, back, { pkceCodeVerifier }, undefined, { DPoP });
}

describe('openid-client, which goes by the real time', () => {
  it('meets an expired token, renews it and calls on, when the clock of the sandbox is moved', async () => {
    const authentication = client.PrivateKeyJwt({ key: key.privateKey, kid: 'one' });
    const config = await client.discovery(new URL(sandbox.issuer), 'bound', undefined, authentication, {
      execute: [client.allowInsecureRequests],
    });
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    const first = await logIn(config, DPoP);
    const products = new URL(`${sandbox.url}/api/products`);
    const call = ({ access_token }: { readonly access_token: string }) =>
      client.fetchProtectedResource(config, access_token, products, 'GET', undefined, undefined, { DPoP });
    expect((await call(first)).status).toBe(200);

    sandbox.clock.advance(3600);
    await expect(call(first)).rejects.toMatchObject({ status: 401 });
    const renewed = await client.refreshTokenGrant(config, first.refresh_token ?? '', undefined, { DPoP });
    expect((await call(renewed)).status).toBe(200);
    expect((await client.fetchUserInfo(config, renewed.access_token, 'alice', { DPoP })).email).toBe(
      'alice@example.com',
    );

    const again = await logIn(config, DPoP);
    expect((await call(again)).status).toBe(200);
  });
});
