import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { type Agent, createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

const callback = 'http://127.0.0.1:4711/callback';
const signedOut = 'http://127.0.0.1:4711/';
const insecure = { [oauth.allowInsecureRequests]: true };

const native: ClientEntry = {
  client_id: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  // RFC 8252 §7.3: any port of a loopback address
  redirect_uris: ['http://127.0.0.1/callback'],
  post_logout_redirect_uris: [signedOut],
  scope: 'openid profile email offline_access products:read',
  audience: 'https://api.example.com',
};
const service: ClientEntry = {
  client_id: 'service:1',
  client_secret: 'secret with + and %',
  token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
  grant_types: ['client_credentials'],
  scope: 'telemetry:write',
};

let sandbox: Sandbox;
let as: oauth.AuthorizationServer;
let agent: Agent;

beforeAll(async () => {
  sandbox = await createSandbox({ clients: [native, service] });
  as = await discover('oidc');
});
afterAll(() => sandbox.stop());

async function discover(algorithm: 'oidc' | 'oauth2'): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(sandbox.issuer);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...insecure }));
}

const me: oauth.Client = { client_id: native.client_id };

interface Login {
  readonly parameters?: Record<string, string>;
  readonly button?: string;
}

/** From the first redirect to the parameters at the callback; what an application would do, by hand. */
async function authorize({ parameters = {}, button = 'login-user-bob' }: Login = {}) {
  const verifier = oauth.generateRandomCodeVerifier();
  const nonce = oauth.generateRandomNonce();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint ?? '');
  const request = {
    client_id: me.client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid profile email products:read',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    nonce,
    state,
    ...parameters,
  };
  url.search = new URLSearchParams(request).toString();
  agent = createAgent(new URL(sandbox.url).origin);
  let visit = await agent.open(url);
  if (visit.html !== '') visit = await agent.submit(visit, button);
  if (visit.html.includes('id="form-post"')) visit = await agent.submit(visit, 'form-post');
  return { visit, verifier, nonce, state };
}

async function redeem(parameters: URLSearchParams, verifier: string, nonce: string) {
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    me,
    oauth.None(),
    parameters,
    callback,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, me, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, response, insecure);
  return tokens;
}

async function logIn(parameters: Record<string, string> = {}): Promise<oauth.TokenEndpointResponse> {
  const { visit, verifier, nonce, state } = await authorize({ parameters });
  return redeem(oauth.validateAuthResponse(as, me, visit.url, state), verifier, nonce);
}

function withToken(token: string): Request {
  return new Request(new URL('/api/products', sandbox.url), { headers: { Authorization: `Bearer ${token}` } });
}

describe('oauth4webapi', () => {
  it('reads the same server from both metadata documents', async () => {
    const oauth2 = await discover('oauth2');
    expect(as).toMatchObject(oauth2);
    expect(as).toMatchObject({ authorization_response_iss_parameter_supported: true });
  });

  it('logs in with code, PKCE, state, nonce and iss, and verifies the ID token', async () => {
    const tokens = await logIn();
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    expect(claims).toMatchObject({ iss: sandbox.issuer, sub: 'bob', aud: 'native' });
    const half = createHash('sha256').update(tokens.access_token).digest().subarray(0, 16);
    expect(claims?.at_hash).toBe(half.toString('base64url'));
    const jwks = createRemoteJWKSet(new URL(as.jwks_uri ?? ''));
    const verified = await jwtVerify(tokens.id_token ?? '', jwks, { issuer: sandbox.issuer, audience: 'native' });
    expect(verified.protectedHeader.alg).toBe('RS256');
  });

  it('reads UserInfo of the same subject', async () => {
    const { access_token } = await logIn();
    const response = await oauth.userInfoRequest(as, me, access_token, insecure);
    expect(await oauth.processUserInfoResponse(as, me, 'bob', response)).toMatchObject({
      sub: 'bob',
      name: 'Bob Brewer',
      email_verified: true,
    });
  });

  it('accepts the access token as RFC 9068 says, against the JWKS', async () => {
    const { access_token } = await logIn();
    const claims = await oauth.validateJwtAccessToken(as, withToken(access_token), 'https://api.example.com', insecure);
    expect(claims).toMatchObject({ sub: 'bob', client_id: 'native', scope: 'openid profile email products:read' });
    expect(claims.jti).toEqual(expect.any(String));
  });

  it('accepts an access token made for the resource that was asked for', async () => {
    const { access_token } = await logIn({ resource: 'https://other.example.com/api' });
    const claims = await oauth.validateJwtAccessToken(
      as,
      withToken(access_token),
      'https://other.example.com/api',
      insecure,
    );
    expect(claims.aud).toBe('https://other.example.com/api');
  });

  it('refuses an ID token as access token', async () => {
    const { id_token } = await logIn();
    const asked = oauth.validateJwtAccessToken(as, withToken(id_token ?? ''), 'native', insecure);
    await expect(asked).rejects.toThrow(/typ/);
  });

  it('refreshes with rotation', async () => {
    const { refresh_token = '' } = await logIn();
    const renew = async (token: string) => {
      const response = await oauth.refreshTokenGrantRequest(as, me, oauth.None(), token, insecure);
      return oauth.processRefreshTokenResponse(as, me, response);
    };
    const renewed = await renew(refresh_token);
    expect(renewed.refresh_token).not.toBe(refresh_token);
    expect(oauth.getValidatedIdTokenClaims(renewed)).toMatchObject({ sub: 'bob' });
    await expect(renew(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  });

  it.each([
    ['basic', oauth.ClientSecretBasic(service.client_secret ?? '')],
    ['post', oauth.ClientSecretPost(service.client_secret ?? '')],
  ])('gets a token for a service with %s, made out to the service itself', async (_name, authentication) => {
    const self: oauth.Client = { client_id: service.client_id };
    const scope = { scope: 'telemetry:write' };
    const response = await oauth.clientCredentialsGrantRequest(as, self, authentication, scope, insecure);
    const { access_token } = await oauth.processClientCredentialsResponse(as, self, response);
    const claims = await oauth.validateJwtAccessToken(as, withToken(access_token), service.client_id, insecure);
    expect(claims).toMatchObject({ sub: service.client_id, client_id: service.client_id, scope: 'telemetry:write' });
  });

  it('gets a token without a scope claim when it asks for no scope', async () => {
    const self: oauth.Client = { client_id: service.client_id };
    const secret = oauth.ClientSecretBasic(service.client_secret ?? '');
    const response = await oauth.clientCredentialsGrantRequest(as, self, secret, {}, insecure);
    const tokens = await oauth.processClientCredentialsResponse(as, self, response);
    expect(tokens.scope).toBeUndefined();
    const claims = await oauth.validateJwtAccessToken(as, withToken(tokens.access_token), service.client_id, insecure);
    expect(claims).not.toHaveProperty('scope');
  });

  it.each([
    ['a foreign scope', { scope: 'bikes:read telemetry:write' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'nothing' }, 'invalid_scope'],
  ])('is refused for %s', async (_name, parameters, error) => {
    const self: oauth.Client = { client_id: service.client_id };
    const secret = oauth.ClientSecretPost(service.client_secret ?? '');
    const response = await oauth.clientCredentialsGrantRequest(as, self, secret, parameters, insecure);
    await expect(oauth.processClientCredentialsResponse(as, self, response)).rejects.toMatchObject({
      error,
      status: 400,
    });
  });

  it('takes the answer of response_mode=form_post', async () => {
    const { visit, verifier, nonce, state } = await authorize({ parameters: { response_mode: 'form_post' } });
    expect(visit.url.href).toBe(callback);
    const form = visit.body ?? new URLSearchParams();
    const tokens = await redeem(oauth.validateAuthResponse(as, me, form, state), verifier, nonce);
    expect(tokens.token_type).toBe('bearer');
  });

  it('takes the answer of response_mode=fragment', async () => {
    const { visit, verifier, nonce, state } = await authorize({ parameters: { response_mode: 'fragment' } });
    const fragment = new URLSearchParams(visit.url.hash.slice(1));
    const tokens = await redeem(oauth.validateAuthResponse(as, me, fragment, state), verifier, nonce);
    expect(tokens.token_type).toBe('bearer');
  });

  it.each(['query', 'fragment', 'form_post'])('is told by %s that the user said no, with iss', async response_mode => {
    const { visit, state } = await authorize({ parameters: { response_mode }, button: 'login-deny' });
    const hash = new URLSearchParams(visit.url.hash.slice(1));
    const answer = visit.body ?? (hash.size > 0 ? hash : visit.url.searchParams);
    expect(answer.get('iss')).toBe(sandbox.issuer);
    expect(() => oauth.validateAuthResponse(as, me, answer, state)).toThrow(
      expect.objectContaining({ code: oauth.AUTHORIZATION_RESPONSE_ERROR, error: 'access_denied' }),
    );
  });

  it.each([
    ['a foreign scope', { scope: 'openid telemetry:write' }, 'invalid_scope'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['a missing challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['the plain challenge method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a request object that is none', { request: 'eyJ' }, 'invalid_request_object'],
    ['prompt=none without a session', { prompt: 'none' }, 'login_required'],
  ])('is told at the callback of %s', async (_name, parameters, error) => {
    const { visit, state } = await authorize({ parameters });
    expect(visit.url.origin + visit.url.pathname).toBe(callback);
    expect(() => oauth.validateAuthResponse(as, me, visit.url, state)).toThrow(expect.objectContaining({ error }));
  });

  it('logs out at the end_session_endpoint, and comes back with state', async () => {
    const tokens = await logIn();
    const end = new URL(as.end_session_endpoint ?? '');
    const post_logout_redirect_uri = signedOut;
    const hint = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri, state: 'a&b=c' };
    end.search = new URLSearchParams(hint).toString();
    const back = await agent.open(end);
    expect(back.url.origin + back.url.pathname).toBe(signedOut);
    expect(back.url.searchParams.get('state')).toBe('a&b=c');
  });
});
