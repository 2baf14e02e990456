import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { makeClientKey } from '../support/keys-server.ts';
import { createTlsFetch, type TlsFetch } from '../support/tls-fetch.ts';

const callback = 'https://bank.example/callback';
const signing = await makeClientKey('PS256', { kid: 'sig-1', use: 'sig', alg: 'PS256' });
const privateKey = { key: signing.privateKey, kid: 'sig-1' };

/** Nothing in it but what every client needs: the profile demands the rest. */
const bank: ClientEntry = {
  client_id: 'bank',
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [{ ...signing.publicJwk }] },
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  scope: 'openid profile products:read',
};

describe.each([
  ['without nonces of the server', false],
  ['with nonces of the server', true],
])('openid-client under PROFILE=fapi2, %s', (_, dpopNonce) => {
  let sandbox: Sandbox;
  let call: TlsFetch;
  /** Path and status of each call. */
  const calls: string[] = [];
  beforeAll(async () => {
    sandbox = await createSandbox({ tls: 'self-signed', profile: 'fapi2', clients: [bank], dpopNonce });
    call = createTlsFetch({ ca: sandbox.tls?.ca ?? '' });
  });
  afterAll(() => sandbox.stop());

  async function discover(): Promise<client.Configuration> {
    const customFetch: client.CustomFetch = async (url, { method, headers, body }) => {
      const response = await call(url, { method, headers, body });
      calls.push(`${new URL(url).pathname} ${response.status}`);
      return response;
    };
    const algs = { id_token_signed_response_alg: 'PS256', authorization_signed_response_alg: 'PS256' };
    const config = await client.discovery(new URL(sandbox.issuer), 'bank', algs, client.PrivateKeyJwt(privateKey), {
      [client.customFetch]: customFetch,
      execute: [client.enableNonRepudiationChecks, client.useJwtResponseMode],
    });
    config[client.customFetch] = customFetch;
    return config;
  }

  async function prepare() {
    const config = await discover();
    const checks = {
      pkceCodeVerifier: client.randomPKCECodeVerifier(),
      expectedNonce: client.randomNonce(),
      expectedState: client.randomState(),
    };
    const parameters = {
      redirect_uri: callback,
      scope: 'openid profile products:read',
      nonce: checks.expectedNonce,
      state: checks.expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
    };
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('PS256'));
    calls.length = 0;
    return { config, checks, parameters, DPoP };
  }

  async function login(url: URL, button = 'login-user-alice'): Promise<Visit> {
    const agent = createAgent(sandbox.url, call);
    return agent.submit(await agent.open(url), button);
  }

  async function logIn() {
    const { config, checks, parameters, DPoP } = await prepare();
    const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
    const { url: answer } = await login(url);
    const tokens = await client.authorizationCodeGrant(config, answer, checks, undefined, { DPoP });
    return { config, DPoP, answer, tokens };
  }

  it('pushes, reads a signed response and gets tokens that are bound to its key', async () => {
    const { DPoP, answer, tokens } = await logIn();
    expect([...answer.searchParams.keys()]).toEqual(['response']);
    expect(tokens.token_type).toBe('dpop');
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ jkt: await DPoP.calculateThumbprint() });
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: 'bank' });
  });

  it(
    dpopNonce ? 'learns a nonce at the first endpoint, and tries again by itself' : 'is understood at once',
    async () => {
      await logIn();
      const pushes = calls.filter(each => each.startsWith('/oauth2/par'));
      expect(pushes).toEqual(dpopNonce ? ['/oauth2/par 400', '/oauth2/par 201'] : ['/oauth2/par 201']);
      expect(calls.filter(each => each.startsWith('/oauth2/token'))).toEqual(['/oauth2/token 200']);
    },
  );

  it('opens UserInfo and the API, and refreshes', async () => {
    const { config, DPoP, tokens } = await logIn();
    expect(await client.fetchUserInfo(config, tokens.access_token, 'alice', { DPoP })).toMatchObject({
      name: 'Alice Archer',
    });
    const url = new URL('/api/products', sandbox.url);
    const fetchApi = (token: string) =>
      client.fetchProtectedResource(config, token, url, 'GET', undefined, undefined, { DPoP });
    expect((await fetchApi(tokens.access_token)).status).toBe(200);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
    expect(refreshed.token_type).toBe('dpop');
    expect((await fetchApi(refreshed.access_token)).status).toBe(200);
  });

  it('signs its request and pushes it', async () => {
    const { config, checks, parameters, DPoP } = await prepare();
    const modifyAssertion: client.ModifyAssertionFunction = (_header, claims) => {
      claims.nbf ??= claims.iat; // FAPI 2.0 Message Signing §5.3.2
    };
    const options = { [client.modifyAssertion]: modifyAssertion };
    const { searchParams } = await client.buildAuthorizationUrlWithJAR(config, parameters, privateKey, options);
    const url = await client.buildAuthorizationUrlWithPAR(config, searchParams, { DPoP });
    const { url: answer } = await login(url);
    const tokens = await client.authorizationCodeGrant(config, answer, checks, undefined, { DPoP });
    expect(tokens.claims()).toMatchObject({ sub: 'alice' });
  });

  it('reads a signed error', async () => {
    const { config, checks, parameters, DPoP } = await prepare();
    const { url } = await login(await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP }), 'login-deny');
    await expect(client.authorizationCodeGrant(config, url, checks, undefined, { DPoP })).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  it('gets no tokens without a key to bind them to', async () => {
    observes('setting profile');
    const { config, checks, parameters } = await prepare();
    const { url } = await login(await client.buildAuthorizationUrlWithPAR(config, parameters));
    await expect(client.authorizationCodeGrant(config, url, checks)).rejects.toMatchObject({
      error: 'invalid_dpop_proof',
      status: 400,
    });
  });
});
