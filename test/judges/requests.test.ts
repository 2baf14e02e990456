import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { makeClientKey } from '../support/keys-server.ts';

const callback = 'http://localhost:3000/callback';
const signing = await makeClientKey('ES256', { kid: 'sig-1', use: 'sig' });

const spa: ClientEntry = {
  client_id: 'spa',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  scope: 'openid profile email products:read',
  require_pushed_authorization_requests: true,
};
const shop: ClientEntry = {
  ...spa,
  client_id: 'shop',
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [{ ...signing.publicJwk }] },
  require_pushed_authorization_requests: false,
};
const signed: ClientEntry = { ...shop, client_id: 'signed', require_signed_request_object: true };
const jarm: ClientEntry = { ...shop, client_id: 'jarm', authorization_signed_response_alg: 'PS256' };
const hybrid: ClientEntry = {
  ...shop,
  client_id: 'hybrid',
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code', 'code id_token', 'id_token', 'code id_token token'],
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clients: [spa, shop, signed, jarm, hybrid] });
});
afterAll(() => sandbox.stop());

const privateKey = { key: signing.privateKey, kid: 'sig-1' };

function discover({ client_id, authorization_signed_response_alg, ...entry }: ClientEntry) {
  const authentication = entry.jwks === undefined ? client.None() : client.PrivateKeyJwt(privateKey);
  return client.discovery(
    new URL(sandbox.issuer),
    client_id,
    {
      id_token_signed_response_alg: 'RS256',
      ...(authorization_signed_response_alg === undefined ? {} : { authorization_signed_response_alg }),
    },
    authentication,
    { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
  );
}

async function prepare() {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedNonce: client.randomNonce(),
    expectedState: client.randomState(),
  };
  const parameters = {
    redirect_uri: callback,
    scope: 'openid email',
    nonce: checks.expectedNonce,
    state: checks.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
  };
  return { checks, parameters };
}

async function login(url: URL): Promise<Visit> {
  const agent = createAgent(new URL(sandbox.url).origin);
  return agent.submit(await agent.open(url), 'login-user-alice');
}

describe('openid-client', () => {
  it.each([spa, shop])('pushes the request of $client_id and logs in', async entry => {
    const config = await discover(entry);
    const { checks, parameters } = await prepare();
    const url = await client.buildAuthorizationUrlWithPAR(config, parameters);
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const tokens = await client.authorizationCodeGrant(config, (await login(url)).url, checks);
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: entry.client_id });
  });

  it('binds a pushed request to its DPoP key', async () => {
    const config = await discover(spa);
    const { checks, parameters } = await prepare();
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
    const { url: answer } = await login(url);
    const tokens = await client.authorizationCodeGrant(config, answer, checks, undefined, { DPoP });
    expect(tokens.token_type).toBe('dpop');
  });

  it.each([shop, signed])('signs the request of $client_id and logs in', async entry => {
    const config = await discover(entry);
    const { checks, parameters } = await prepare();
    const url = await client.buildAuthorizationUrlWithJAR(config, parameters, privateKey);
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request']);
    const tokens = await client.authorizationCodeGrant(config, (await login(url)).url, checks);
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: entry.client_id });
  });

  it('signs a request and pushes it', async () => {
    const config = await discover(signed);
    const { checks, parameters } = await prepare();
    const { searchParams } = await client.buildAuthorizationUrlWithJAR(config, parameters, privateKey);
    const url = await client.buildAuthorizationUrlWithPAR(config, searchParams);
    const tokens = await client.authorizationCodeGrant(config, (await login(url)).url, checks);
    expect(tokens.claims()).toMatchObject({ sub: 'alice' });
  });

  it('reads a signed response', async () => {
    const config = await discover(jarm);
    client.useJwtResponseMode(config);
    const { checks, parameters } = await prepare();
    const { url } = await login(client.buildAuthorizationUrl(config, parameters));
    expect([...url.searchParams.keys()]).toEqual(['response']);
    const tokens = await client.authorizationCodeGrant(config, url, checks);
    expect(tokens.claims()).toMatchObject({ sub: 'alice' });
  });

  it('reads a signed error', async () => {
    const config = await discover(jarm);
    client.useJwtResponseMode(config);
    const { checks, parameters } = await prepare();
    const agent = createAgent(new URL(sandbox.url).origin);
    const url = client.buildAuthorizationUrl(config, { ...parameters, prompt: 'none' });
    const { url: answer } = await agent.open(url);
    await expect(client.authorizationCodeGrant(config, answer, checks)).rejects.toMatchObject({
      error: 'login_required',
    });
  });

  it('logs in with response_type code id_token, and finds that both ID tokens agree', async () => {
    const config = await discover(hybrid);
    client.useCodeIdTokenResponseType(config);
    const { checks, parameters } = await prepare();
    const { url } = await login(client.buildAuthorizationUrl(config, parameters));
    const tokens = await client.authorizationCodeGrant(config, url, checks);
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: 'hybrid' });
  });

  it('logs in with response_type id_token', async () => {
    const config = await discover(hybrid);
    client.useIdTokenResponseType(config);
    const nonce = client.randomNonce();
    const url = client.buildAuthorizationUrl(config, { redirect_uri: callback, scope: 'openid email', nonce });
    const claims = await client.implicitAuthentication(config, (await login(url)).url, nonce);
    expect(claims).toMatchObject({ sub: 'alice', email: 'alice@example.com' });
  });
});

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  let as: oauth.AuthorizationServer;
  beforeAll(async () => {
    const issuer = new URL(sandbox.issuer);
    as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  });

  function addressOf(parameters: Readonly<Record<string, string>>): URL {
    return new URL(`${as.authorization_endpoint}?${new URLSearchParams(parameters)}`);
  }

  it('issues a request object that is pushed and answered', async () => {
    const me = { client_id: 'signed' };
    const { checks, parameters } = await prepare();
    const request = await oauth.issueRequestObject(as, me, { ...parameters, response_type: 'code' }, privateKey);
    const authentication = oauth.PrivateKeyJwt(privateKey);
    const response = await oauth.pushedAuthorizationRequest(as, me, authentication, { request }, insecure);
    const pushed = await oauth.processPushedAuthorizationResponse(as, me, response);
    const { url } = await login(addressOf({ client_id: 'signed', request_uri: pushed.request_uri }));
    expect(oauth.validateAuthResponse(as, me, url, checks.expectedState).get('code')).toBeTruthy();
  });

  it('validates a signed response', async () => {
    const me = { client_id: 'jarm', authorization_signed_response_alg: 'PS256' };
    const { checks, parameters } = await prepare();
    const address = addressOf({ ...parameters, client_id: 'jarm', response_type: 'code', response_mode: 'jwt' });
    const { url } = await login(address);
    const answer = await oauth.validateJwtAuthResponse(as, me, url, checks.expectedState, insecure);
    expect(answer.get('code')).toBeTruthy();
  });

  it.each([
    ['validateCodeIdTokenResponse', oauth.validateCodeIdTokenResponse],
    ['validateDetachedSignatureResponse', oauth.validateDetachedSignatureResponse],
  ])('believes a hybrid answer, by %s', async (name, validate) => {
    const me = { client_id: 'hybrid', id_token_signed_response_alg: 'RS256' };
    const { checks, parameters } = await prepare();
    const { url } = await login(addressOf({ ...parameters, client_id: 'hybrid', response_type: 'code id_token' }));
    const answer = validate(as, me, url, checks.expectedNonce, checks.expectedState, oauth.skipAuthTimeCheck, insecure);
    if (name === 'validateCodeIdTokenResponse') expect((await answer).get('code')).toBeTruthy();
    else await expect(answer).rejects.toThrow(/s_hash/); // of FAPI 1.0, which is not offered
  });
});
