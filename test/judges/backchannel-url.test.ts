import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { freePort } from '../support/free-port.ts';
import { makeClientKey } from '../support/keys-server.ts';

// The browser knows the server as localhost, and the back end in the next container as 127.0.0.1: two addresses, one `iss`.

const callback = 'http://localhost:3000/callback';
const scope = 'openid profile email offline_access products:read';
const web: ClientEntry = {
  client_id: 'web',
  client_secret: 'web-secret',
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  redirect_uris: [callback],
  post_logout_redirect_uris: ['http://localhost:3000/'],
  scope,
};
const spa: ClientEntry = {
  client_id: 'spa',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  scope,
};

const key = await makeClientKey('ES256', { kid: 'one' });
const byKey: ClientEntry = {
  client_id: 'by-key',
  token_endpoint_auth_methods: ['private_key_jwt'],
  grant_types: ['client_credentials'],
  jwks: { keys: [{ ...key.publicJwk }] },
  scope: 'products:read',
};

let sandbox: Sandbox;
let issuer: string;
let backchannel: string;
/** What the back end has called, and the browser application. */
const called: string[] = [];

beforeAll(async () => {
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  backchannel = `http://127.0.0.1:${port}`;
  sandbox = await createSandbox({ port, backchannelUrl: backchannel, clients: [web, spa, byKey] });
});
afterAll(() => sandbox.stop());

/** What reaches the back channel only: for it `localhost` is another machine. */
const fromContainer: client.CustomFetch = async (url, options) => {
  const { host, pathname } = new URL(url);
  // the library asks at the issuer, and its user says that this is to be found elsewhere
  const isDiscovery = pathname.startsWith('/.well-known/');
  if (host !== new URL(backchannel).host && !isDiscovery) throw new Error(`${url} cannot be reached from here`);
  called.push(pathname);
  return fetch(backchannel + url.slice(new URL(url).origin.length), options as RequestInit);
};

async function backEnd(
  client_id = 'web',
  authentication: client.ClientAuth = client.ClientSecretBasic(web.client_secret),
): Promise<client.Configuration> {
  const options = {
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    [client.customFetch]: fromContainer,
  };
  return client.discovery(new URL(issuer), client_id, undefined, authentication, options);
}

async function logIn(config: client.Configuration, DPoP?: client.DPoPHandle) {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedNonce: client.randomNonce(),
    expectedState: client.randomState(),
  };
  const url = client.buildAuthorizationUrl(config, {
    ...{ redirect_uri: callback, scope, nonce: checks.expectedNonce, state: checks.expectedState },
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const browser = createAgent(issuer);
  const page = await browser.open(url);
  const { url: answer } = await browser.submit(page, 'login-user-alice');
  const options = DPoP === undefined ? {} : { DPoP };
  return client.authorizationCodeGrant(config, answer, checks, undefined, options);
}

describe('a back end that reaches the server by another address', () => {
  it('finds the one issuer, endpoints it can call, and the pages where browsers find them', async () => {
    expect((await backEnd()).serverMetadata()).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      end_session_endpoint: `${issuer}/connect/logout`,
      token_endpoint: `${backchannel}/oauth2/token`,
      jwks_uri: `${backchannel}/oauth2/jwks`,
    });
  });

  it('redeems a code of the browser, and believes the ID token by keys from its own side', async () => {
    const config = await backEnd();
    called.length = 0;
    const tokens = await logIn(config);
    expect(tokens.claims()).toMatchObject({ iss: issuer, sub: 'alice', aud: 'web' });
    expect(called).toEqual(expect.arrayContaining(['/oauth2/token', '/oauth2/jwks']));
    expect(await client.fetchUserInfo(config, tokens.access_token, 'alice')).toMatchObject({ name: 'Alice Archer' });
    const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(decodeJwt(again.access_token).iss).toBe(issuer);
    expect(await client.tokenIntrospection(config, again.access_token)).toMatchObject({ active: true, iss: issuer });
  });

  it('calls the sample backend there with a token of the same issuer', async () => {
    const config = await backEnd();
    const { access_token } = await client.clientCredentialsGrant(config, { scope: 'products:read' });
    for (const address of [issuer, backchannel]) {
      const response = await fetch(`${address}/api/products`, { headers: { authorization: `Bearer ${access_token}` } });
      expect(response.status).toBe(200);
    }
  });

  it('asks for the API by the address it has for it (RFC 8707)', async () => {
    const resource = `${backchannel}/api/products`;
    const asked = { scope: 'products:read', resource };
    const { access_token } = await client.clientCredentialsGrant(await backEnd(), asked);
    expect(decodeJwt(access_token).aud).toBe(resource);
    const response = await fetch(resource, { headers: { authorization: `Bearer ${access_token}` } });
    expect(response.status).toBe(200);
  });

  it('proves its key with DPoP at the address it calls', async () => {
    const config = await backEnd();
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    const tokens = await logIn(config, DPoP);
    expect(tokens.token_type).toBe('dpop');
    const info = client.fetchUserInfo(config, tokens.access_token, 'alice', { DPoP });
    expect(await info).toMatchObject({ sub: 'alice' });
    const api = new URL(`${backchannel}/api/products`);
    const options = { DPoP };
    const call = client.fetchProtectedResource(config, tokens.access_token, api, 'GET', undefined, undefined, options);
    expect((await call).status).toBe(200);
  });

  it('authenticates with an assertion for the token endpoint it calls', async () => {
    const aud = `${backchannel}/oauth2/token`;
    const authentication = client.PrivateKeyJwt(
      { key: key.privateKey, kid: 'one' },
      { [client.modifyAssertion]: (_header, payload) => Object.assign(payload, { aud }) },
    );
    const config = await backEnd('by-key', authentication);
    const { access_token } = await client.clientCredentialsGrant(config, { scope: 'products:read' });
    expect(decodeJwt(access_token)).toMatchObject({ iss: issuer, client_id: 'by-key' });
  });
});

describe('a browser application beside it', () => {
  const me: oauth.Client = { client_id: 'spa' };
  const insecure = { [oauth.allowInsecureRequests]: true };

  async function discover(at: string) {
    const response = await oauth.discoveryRequest(new URL(at), insecure);
    return { response, text: await response.clone().text() };
  }

  it('is told addresses of the issuer only, in whatever order both ask', async () => {
    for (const [asked, told] of [
      [backchannel, backchannel],
      [issuer, issuer],
      [backchannel, backchannel],
      [issuer, issuer],
    ] as const) {
      const { response } = await discover(asked);
      const as = await oauth.processDiscoveryResponse(new URL(issuer), response);
      expect(as.token_endpoint).toBe(`${told}/oauth2/token`);
    }
    expect((await discover(issuer)).text).not.toContain('127.0.0.1');
  });

  it('is told the same with CORS, on the way that is not the quick one', async () => {
    for (const [asked, told] of [
      [issuer, issuer],
      [backchannel, backchannel],
    ] as const) {
      const headers = { origin: 'http://localhost:3000' };
      const response = await fetch(`${asked}/.well-known/oauth-authorization-server`, { headers });
      expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
      expect(await response.json()).toMatchObject({ issuer, jwks_uri: `${told}/oauth2/jwks` });
    }
  });

  it('proves its key with DPoP at the issuer', async () => {
    const { response } = await discover(issuer);
    const as = await oauth.processDiscoveryResponse(new URL(issuer), response);
    const DPoP = oauth.DPoP(me, await oauth.generateKeyPair('ES256'));
    const verifier = oauth.generateRandomCodeVerifier();
    const query = new URLSearchParams({
      ...{ client_id: 'spa', response_type: 'code', redirect_uri: callback, scope },
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const browser = createAgent(issuer);
    const page = await browser.open(`${as.authorization_endpoint}?${query}`);
    const answer = oauth.validateAuthResponse(as, me, (await browser.submit(page, 'login-user-alice')).url);
    const options = { ...insecure, DPoP };
    const redeemed = await oauth.authorizationCodeGrantRequest(
      ...[as, me, oauth.None(), answer, callback, verifier, options],
    );
    const { access_token } = await oauth.processAuthorizationCodeResponse(as, me, redeemed);
    // the API is called where this application knows it, and where the back end does
    for (const address of [issuer, backchannel]) {
      const url = new URL(`${address}/api/products`);
      const api = await oauth.protectedResourceRequest(access_token, 'GET', url, undefined, undefined, options);
      expect(api.status).toBe(200);
    }
  });

  it('may log in at the address of back ends too, and is answered by the one issuer', async () => {
    const query = new URLSearchParams({
      ...{ client_id: 'spa', response_type: 'code', redirect_uri: callback, scope: 'openid' },
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
      code_challenge_method: 'S256',
    });
    const browser = createAgent(backchannel);
    const page = await browser.open(`${backchannel}/oauth2/authorize?${query}`);
    const { url } = await browser.submit(page, 'login-user-alice');
    expect(url.searchParams.get('iss')).toBe(issuer);
    expect(url.searchParams.get('code')).toBeTruthy();
  });
});
