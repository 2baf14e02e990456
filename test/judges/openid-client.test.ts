import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { type Agent, createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

const callback = 'http://localhost:3000/callback';
const signedOut = 'http://localhost:3000/';

const spa: ClientEntry = {
  client_id: 'spa',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  post_logout_redirect_uris: [signedOut],
  scope: 'openid profile email offline_access products:read',
};
const web: ClientEntry = {
  ...spa,
  client_id: 'web',
  client_secret: 'a secret: with/odd+characters %',
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
};
const elliptic: ClientEntry = { ...spa, client_id: 'elliptic', id_token_signed_response_alg: 'ES256' };

let sandbox: Sandbox;
let agent: Agent;

beforeAll(async () => {
  sandbox = await createSandbox({ clients: [spa, web, elliptic] });
});
afterAll(() => sandbox.stop());

function discover(
  entry: ClientEntry,
  authentication: client.ClientAuth = client.None(),
  options: Pick<client.DiscoveryRequestOptions, 'algorithm'> = {},
): Promise<client.Configuration> {
  return client.discovery(
    new URL(sandbox.issuer),
    entry.client_id,
    { id_token_signed_response_alg: entry.id_token_signed_response_alg ?? 'RS256' },
    authentication,
    { ...options, execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
  );
}

/** What a login needs to remember until it is back. */
async function prepare(config: client.Configuration, extra: Record<string, string> = {}) {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedNonce: client.randomNonce(),
    expectedState: client.randomState(),
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile email products:read',
    nonce: checks.expectedNonce,
    state: checks.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...extra,
  });
  return { checks, url };
}

async function login(url: URL, sub = 'alice'): Promise<Visit> {
  agent = createAgent(new URL(sandbox.url).origin);
  return agent.submit(await agent.open(url), `login-user-${sub}`);
}

async function logIn(config: client.Configuration, extra: Record<string, string> = {}) {
  const { checks, url } = await prepare(config, extra);
  const tokens = await client.authorizationCodeGrant(config, (await login(url)).url, checks);
  return { tokens, claims: tokens.claims() };
}

describe('openid-client', () => {
  it.each(['oidc', 'oauth2'] as const)('discovers the server by %s metadata', async algorithm => {
    const config = await discover(spa, client.None(), { algorithm });
    expect(config.serverMetadata()).toMatchObject({
      issuer: sandbox.issuer,
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
    });
    expect(config.serverMetadata().supportsPKCE()).toBe(true);
  });

  it('logs in with code, PKCE, state and nonce, and believes the ID token', async () => {
    const config = await discover(spa);
    const { tokens, claims } = await logIn(config);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'openid profile email products:read' });
    expect(tokens.expires_in).toBe(300);
    expect(claims).toMatchObject({ iss: sandbox.issuer, sub: 'alice', aud: 'spa', azp: 'spa' });
    const half = createHash('sha256').update(tokens.access_token).digest().subarray(0, 16);
    expect(claims?.at_hash).toBe(half.toString('base64url'));
  });

  it.each([
    ['client_secret_basic', () => client.ClientSecretBasic(web.client_secret)],
    ['client_secret_post', () => client.ClientSecretPost(web.client_secret)],
  ])('logs in as a confidential client with %s', async (_name, authentication) => {
    const { claims } = await logIn(await discover(web, authentication()));
    expect(claims).toMatchObject({ sub: 'alice', aud: 'web' });
  });

  it('logs in as a confidential client with nothing but its id and secret, as its own examples do', async () => {
    const config = await client.discovery(new URL(sandbox.issuer), 'web', web.client_secret, undefined, {
      execute: [client.allowInsecureRequests],
    });
    expect((await logIn(config)).claims).toMatchObject({ sub: 'alice', aud: 'web' });
  });

  it('believes an ID token signed with the algorithm the client is registered for', async () => {
    const { claims } = await logIn(await discover(elliptic));
    expect(claims?.aud).toBe('elliptic');
  });

  it('checks auth_time against max_age', async () => {
    const config = await discover(spa);
    const { checks, url } = await prepare(config, { max_age: '60' });
    const tokens = await client.authorizationCodeGrant(config, (await login(url)).url, { ...checks, maxAge: 60 });
    expect(tokens.claims()?.auth_time).toEqual(expect.any(Number));
  });

  it('reads UserInfo of the same subject', async () => {
    const config = await discover(spa);
    const { tokens } = await logIn(config);
    const info = await client.fetchUserInfo(config, tokens.access_token, 'alice');
    expect(info).toMatchObject({ sub: 'alice', name: 'Alice Archer', email: 'alice@example.com' });
  });

  it('calls the sample backend with the access token', async () => {
    const config = await discover(spa);
    const { tokens } = await logIn(config);
    const products = new URL('/api/products?size=2', sandbox.url);
    const response = await client.fetchProtectedResource(config, tokens.access_token, products, 'GET');
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveLength(2);
  });

  it('is told why the sample backend refuses it', async () => {
    const config = await discover(spa);
    const { tokens } = await logIn(config);
    const bikes = client.fetchProtectedResource(config, tokens.access_token, new URL('/api/bikes', sandbox.url), 'GET');
    await expect(bikes).rejects.toMatchObject({
      status: 403,
      cause: [{ scheme: 'bearer', parameters: { error: 'insufficient_scope', scope: 'bikes:read' } }],
    });
  });

  it('refreshes with rotation, and a used refresh token ends the family', async () => {
    const config = await discover(spa);
    const { tokens } = await logIn(config);
    const first = tokens.refresh_token ?? '';
    const renewed = await client.refreshTokenGrant(config, first);
    const second = renewed.refresh_token ?? '';
    expect(second).not.toBe(first);
    expect(renewed.claims()).toMatchObject({ sub: 'alice', aud: 'spa' });
    await expect(client.refreshTokenGrant(config, first)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(client.refreshTokenGrant(config, second)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('narrows the scope when it refreshes, and may repeat the one it first asked for', async () => {
    const config = await discover(spa);
    const { tokens } = await logIn(config, { scope: 'openid profile offline_access' });
    const same = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', {
      scope: 'openid profile offline_access',
    });
    const narrow = await client.refreshTokenGrant(config, same.refresh_token ?? '', { scope: 'openid' });
    expect(narrow.scope).toBe('openid');
    const wide = client.refreshTokenGrant(config, narrow.refresh_token ?? '', { scope: 'openid products:read' });
    await expect(wide).rejects.toMatchObject({ error: 'invalid_scope', status: 400 });
  });

  it.each([
    ['client_secret_basic', () => client.ClientSecretBasic(web.client_secret)],
    ['client_secret_post', () => client.ClientSecretPost(web.client_secret)],
  ])('gets a token for itself with %s', async (_name, authentication) => {
    const config = await discover(web, authentication());
    const tokens = await client.clientCredentialsGrant(config, { scope: 'products:read' });
    expect(tokens.scope).toBe('products:read');
    expect(tokens.refresh_token).toBeUndefined();
    const products = new URL('/api/products', sandbox.url);
    const response = await client.fetchProtectedResource(config, tokens.access_token, products, 'GET');
    expect(response.status).toBe(200);
  });

  it('is refused with a wrong secret', async () => {
    const config = await discover(web, client.ClientSecretBasic('wrong'));
    await expect(client.clientCredentialsGrant(config)).rejects.toMatchObject({
      name: 'WWWAuthenticateChallengeError',
      status: 401,
    });
    const post = await discover(web, client.ClientSecretPost('wrong'));
    await expect(client.clientCredentialsGrant(post)).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
  });

  it('is refused a scope that is not its own, wholly', async () => {
    const config = await discover(web, client.ClientSecretBasic(web.client_secret));
    const grant = client.clientCredentialsGrant(config, { scope: 'products:read telemetry:write' });
    await expect(grant).rejects.toMatchObject({ error: 'invalid_scope', status: 400 });
  });

  it('takes the answer of response_mode=form_post', async () => {
    const config = await discover(spa);
    const { checks, url } = await prepare(config, { response_mode: 'form_post' });
    const posted = await agent.submit(await login(url), 'form-post');
    expect(posted.url.href).toBe(callback);
    const request = new Request(posted.url, { method: 'POST', body: posted.body ?? null });
    const tokens = await client.authorizationCodeGrant(config, request, checks);
    expect(tokens.claims()?.sub).toBe('alice');
  });

  it('takes the answer of response_mode=fragment', async () => {
    const config = await discover(spa);
    const { checks, url } = await prepare(config, { response_mode: 'fragment' });
    const landed = (await login(url)).url;
    expect(landed.search).toBe('');
    // The library reads the query; an application moves the fragment there.
    const moved = new URL(`${callback}?${landed.hash.slice(1)}`);
    const tokens = await client.authorizationCodeGrant(config, moved, checks);
    expect(tokens.claims()?.sub).toBe('alice');
  });

  it.each(['query', 'form_post'])('is told by %s that the user said no', async response_mode => {
    const config = await discover(spa);
    const { checks, url } = await prepare(config, { response_mode });
    agent = createAgent(new URL(sandbox.url).origin);
    let visit = await agent.submit(await agent.open(url), 'login-deny');
    if (response_mode === 'form_post') visit = await agent.submit(visit, 'form-post');
    const answer =
      visit.body === undefined ? visit.url : new Request(visit.url, { method: 'POST', body: visit.body ?? null });
    await expect(client.authorizationCodeGrant(config, answer, checks)).rejects.toMatchObject({
      name: 'AuthorizationResponseError',
      error: 'access_denied',
    });
  });

  it('is told at its callback of a scope that is not its own', async () => {
    const config = await discover(spa);
    const { checks, url } = await prepare(config, { scope: 'openid telemetry:write' });
    const landed = await createAgent(new URL(sandbox.url).origin).open(url);
    await expect(client.authorizationCodeGrant(config, landed.url, checks)).rejects.toMatchObject({
      error: 'invalid_scope',
    });
  });

  it('is told login_required by prompt=none without a session, and gets a code with one', async () => {
    const config = await discover(spa);
    await logIn(config);
    const { checks, url } = await prepare(config, { prompt: 'none' });
    const silent = await agent.open(url);
    const tokens = await client.authorizationCodeGrant(config, silent.url, checks);
    expect(tokens.claims()?.sub).toBe('alice');

    const stranger = await createAgent(new URL(sandbox.url).origin).open(url);
    await expect(client.authorizationCodeGrant(config, stranger.url, checks)).rejects.toMatchObject({
      error: 'login_required',
    });
  });

  it('notices another iss, state or nonce: they really come back', async () => {
    const config = await discover(spa);
    const { checks, url } = await prepare(config);
    const landed = (await login(url)).url;
    const foreign = new URL(landed);
    foreign.searchParams.set('iss', 'http://localhost:1');
    await expect(client.authorizationCodeGrant(config, foreign, checks)).rejects.toMatchObject({
      code: 'OAUTH_INVALID_RESPONSE',
    });
    const otherState = { ...checks, expectedState: 'other' };
    await expect(client.authorizationCodeGrant(config, landed, otherState)).rejects.toMatchObject({
      code: 'OAUTH_INVALID_RESPONSE',
    });
    const otherNonce = { ...checks, expectedNonce: 'other' };
    await expect(client.authorizationCodeGrant(config, landed, otherNonce)).rejects.toMatchObject({
      code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
    });
  });

  it('cannot redeem a code twice, nor with another verifier', async () => {
    const config = await discover(spa);
    const first = await prepare(config);
    const landed = (await login(first.url)).url;
    await client.authorizationCodeGrant(config, landed, first.checks);
    await expect(client.authorizationCodeGrant(config, landed, first.checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const second = await prepare(config);
    const other = { ...second.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    await expect(client.authorizationCodeGrant(config, (await login(second.url)).url, other)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('logs out with id_token_hint: back at once, with state, and the session is gone', async () => {
    const config = await discover(spa);
    const { tokens } = await logIn(config);
    const end = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: signedOut,
      state: 'where I was',
    });
    const back = await agent.open(end);
    expect(back.url.origin + back.url.pathname).toBe(signedOut);
    expect(back.url.searchParams.get('state')).toBe('where I was');
    const again = await agent.open((await prepare(config)).url);
    expect(again.html).toContain('data-testid="login-user-alice"');
  });

  it('logs out without id_token_hint: the user is asked, then sent back', async () => {
    const config = await discover(spa);
    await logIn(config);
    const end = client.buildEndSessionUrl(config, { post_logout_redirect_uri: signedOut, state: 's' });
    const asked = await agent.open(end);
    expect(asked.url.origin).toBe(new URL(sandbox.url).origin);
    const back = await agent.submit(asked, 'logout-confirm');
    expect(back.url.href).toBe(`${signedOut}?state=s`);
  });

  it('is shown a page, and sent nowhere, for a return address that is not registered', async () => {
    const config = await discover(spa);
    const { tokens } = await logIn(config);
    const end = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'http://localhost:3000/elsewhere',
    });
    const page = await agent.open(end);
    expect(page.status).toBe(400);
    expect(page.html).toMatch(/data-testid="problem-code">invalid_request</);
  });
});
