import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

const callback = 'http://localhost:3000/callback';
const audience = 'https://api.example.com';
const insecure = { [oauth.allowInsecureRequests]: true };
const me: oauth.Client = { client_id: 'spa' };

const spa: ClientEntry = {
  client_id: 'spa',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  scope: 'openid profile products:read',
  audience,
};

/** What an application does that uses the library: one more try, with the nonce the handle has kept. */
async function persistently<T>(attempt: () => Promise<T>): Promise<{ readonly value: T; readonly tries: number }> {
  try {
    return { value: await attempt(), tries: 1 };
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return { value: await attempt(), tries: 2 };
  }
}

describe.each([
  ['without nonces of the server', false],
  ['with nonces of the server', true],
])('oauth4webapi with DPoP, %s', (_, dpopNonce) => {
  let sandbox: Sandbox;
  let as: oauth.AuthorizationServer;
  beforeAll(async () => {
    sandbox = await createSandbox({ clients: [spa], dpopNonce });
    const issuer = new URL(sandbox.issuer);
    as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  });
  afterAll(() => sandbox.stop());

  const newHandle = async () => oauth.DPoP(me, await oauth.generateKeyPair('ES256'));

  async function logIn(DPoP: oauth.DPoPHandle) {
    const verifier = oauth.generateRandomCodeVerifier();
    const parameters = {
      ...{ client_id: 'spa', response_type: 'code', redirect_uri: callback, scope: spa.scope ?? '' },
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      dpop_jkt: await DPoP.calculateThumbprint(),
    };
    const agent = createAgent(new URL(sandbox.url).origin);
    const page = await agent.open(`${as.authorization_endpoint}?${new URLSearchParams(parameters)}`);
    const { url } = await agent.submit(page, 'login-user-alice');
    const answer = oauth.validateAuthResponse(as, me, url, oauth.expectNoState);
    return persistently(async () => {
      const options = { ...insecure, DPoP };
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        me,
        oauth.None(),
        answer,
        callback,
        verifier,
        options,
      );
      return oauth.processAuthorizationCodeResponse(as, me, response);
    });
  }

  const callApi = (token: string, DPoP: oauth.DPoPHandle, options: oauth.ProtectedResourceRequestOptions = {}) => {
    const url = new URL('/api/products?page=1', sandbox.url);
    return oauth.protectedResourceRequest(token, 'GET', url, undefined, undefined, { ...insecure, ...options, DPoP });
  };

  it('gets tokens that are bound to its key, and tries again as often as it needs to', async () => {
    const DPoP = await newHandle();
    const { value: tokens, tries } = await logIn(DPoP);
    expect(tries).toBe(dpopNonce ? 2 : 1);
    expect(tokens.token_type).toBe('dpop');
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ jkt: await DPoP.calculateThumbprint() });
  });

  it('opens the API and UserInfo', async () => {
    const DPoP = await newHandle();
    const { access_token } = (await logIn(DPoP)).value;
    const api = await persistently(() => callApi(access_token, DPoP));
    expect(api.value.status).toBe(200);
    const claims = await persistently(async () => {
      const response = await oauth.userInfoRequest(as, me, access_token, { ...insecure, DPoP });
      return oauth.processUserInfoResponse(as, me, 'alice', response);
    });
    expect(claims.value.name).toBe('Alice Archer');
  });

  it('is refused at the API with another key', async () => {
    const { access_token } = (await logIn(await newHandle())).value;
    const thief = await newHandle();
    const stolen = persistently(() => callApi(access_token, thief));
    await expect(stolen).rejects.toMatchObject({ status: 401, cause: [{ scheme: 'dpop' }] });
  });

  it('refreshes with its key, and with no other', async () => {
    const DPoP = await newHandle();
    const { refresh_token = '' } = (await logIn(DPoP)).value;
    const refresh = (handle: oauth.DPoPHandle) =>
      persistently(async () => {
        const options = { ...insecure, DPoP: handle };
        const response = await oauth.refreshTokenGrantRequest(as, me, oauth.None(), refresh_token, options);
        return oauth.processRefreshTokenResponse(as, me, response);
      });
    const thief = await newHandle();
    await expect(refresh(thief)).rejects.toMatchObject({ error: 'invalid_grant' });
    const { access_token } = (await refresh(DPoP)).value;
    expect((await persistently(() => callApi(access_token, DPoP))).value.status).toBe(200);
  });

  it('accepts token and proof as a resource server of its own', async () => {
    const DPoP = await newHandle();
    const { access_token } = (await logIn(DPoP)).value;
    let seen: Request | undefined;
    const resource = (url: string, init: RequestInit) => {
      seen = new Request(url, init);
      return Promise.resolve(new Response('{}'));
    };
    await callApi(access_token, DPoP, { [oauth.customFetch]: (url, init) => resource(url, init as RequestInit) });
    if (seen === undefined) throw new Error('the resource was not called');
    const claims = await oauth.validateJwtAccessToken(as, seen, audience, { ...insecure, requireDPoP: true });
    expect(claims).toMatchObject({ sub: 'alice', client_id: 'spa' });
  });
});
