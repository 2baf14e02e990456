import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { answer, login as cookieOf, get, post, redeem, signIn } from '../support/wire.ts';

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const urn = (type: string) => `urn:ietf:params:oauth:token-type:${type}`;
const insecure = { [oauth.allowInsecureRequests]: true };
const idp = 'https://idp.example';

const frontend: ClientEntry = {
  client_id: 'frontend',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['http://localhost:5173/callback'],
  scope: 'openid profile email offline_access products:read',
};
const opaque: ClientEntry = { ...frontend, client_id: 'opaque', access_token_format: 'opaque' };
const gateway: ClientEntry = {
  client_id: 'gateway',
  client_secret: 'gateway-secret',
  grant_types: [exchangeGrant, bearerGrant, 'client_credentials', 'refresh_token'],
  scope: 'openid email products:read',
  introspection_signed_response_alg: 'ES256',
};

let sandbox: Sandbox;
let privateKey: CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  privateKey = pair.privateKey;
  sandbox = await createSandbox({
    clients: [frontend, opaque, gateway],
    trustedIssuers: {
      [idp]: { jwks: { keys: [{ ...(await exportJWK(pair.publicKey)) }] }, users: { 'a-42': 'alice' } },
    },
    apiTokenCheck: 'introspection',
  });
});
afterAll(() => sandbox.stop());

function discover(entry: ClientEntry): Promise<client.Configuration> {
  const { client_id, client_secret } = entry;
  const authentication = client_secret === undefined ? client.None() : client.ClientSecretBasic(client_secret);
  return client.discovery(new URL(sandbox.issuer), client_id, {}, authentication, {
    execute: [client.allowInsecureRequests],
  });
}

const login = () => signIn(sandbox.url, 'alice', { scope: 'openid email products:read' });
const products = (token: string) => get(`${sandbox.url}/api/products`, { authorization: `Bearer ${token}` });

async function opaqueToken(): Promise<string> {
  const parameters = { client_id: 'opaque', scope: 'openid products:read' };
  const code = (await answer(sandbox.url, await cookieOf(sandbox.url), parameters)).get('code') ?? '';
  const response = await redeem(sandbox.url, code, { client_id: 'opaque' });
  return ((await response.json()) as { access_token: string }).access_token;
}

describe('openid-client', () => {
  it('asks about a token and revokes it; from then on it is refused everywhere', async () => {
    const { access_token, refresh_token } = await login();
    const [spa, api] = await Promise.all([discover(frontend), discover(gateway)]);
    expect(await client.tokenIntrospection(api, access_token)).toMatchObject({
      active: true,
      token_type: 'Bearer',
      client_id: 'frontend',
      username: 'alice',
      scope: 'openid email products:read',
    });
    expect((await products(access_token)).status).toBe(200);
    await client.tokenRevocation(spa, refresh_token, { token_type_hint: 'refresh_token' });
    expect(await client.tokenIntrospection(api, access_token)).toEqual({ active: false });
    await expect(client.refreshTokenGrant(spa, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
    const refused = await products(access_token);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect((await get(`${sandbox.url}/userinfo`, { authorization: `Bearer ${access_token}` })).status).toBe(401);
  });

  it('revokes what never was, without a word', async () => {
    await client.tokenRevocation(await discover(frontend), 'unknown');
  });

  it('exchanges a token, with and without an actor', async () => {
    const { access_token } = await login();
    const api = await discover(gateway);
    const subject = { subject_token: access_token, subject_token_type: urn('access_token') };
    const impersonating = await client.genericGrantRequest(api, exchangeGrant, { ...subject, scope: 'products:read' });
    expect(impersonating).toMatchObject({ issued_token_type: urn('access_token'), scope: 'products:read' });
    expect((await products(impersonating.access_token)).status).toBe(200);
    const actor = await client.clientCredentialsGrant(api);
    const delegated = await client.genericGrantRequest(api, exchangeGrant, {
      ...subject,
      actor_token: actor.access_token,
      actor_token_type: urn('access_token'),
    });
    expect(await client.tokenIntrospection(api, delegated.access_token)).toMatchObject({
      active: true,
      sub: 'alice',
      act: { sub: 'gateway' },
    });
  });

  it('redeems a JWT of a trusted issuer', async () => {
    const api = await discover(gateway);
    const assertion = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(idp)
      .setSubject('a-42')
      .setAudience(sandbox.issuer)
      .setExpirationTime('1m')
      .sign(privateKey);
    const tokens = await client.genericGrantRequest(api, bearerGrant, { assertion, scope: 'openid products:read' });
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: 'gateway' });
    expect((await products(tokens.access_token)).status).toBe(200);
    await expect(client.genericGrantRequest(api, bearerGrant, { assertion })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('oauth4webapi', () => {
  const me: oauth.Client = { client_id: 'gateway', introspection_signed_response_alg: 'ES256' };
  const authentication = oauth.ClientSecretBasic('gateway-secret');

  async function server(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(sandbox.issuer);
    return oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
  }

  it('reads the signed introspection response, and jose verifies it', async () => {
    const as = await server();
    const { access_token } = await login();
    const response = await oauth.introspectionRequest(as, me, authentication, access_token, insecure);
    expect(response.headers.get('content-type')).toBe('application/token-introspection+jwt');
    const jwt = await response.clone().text();
    expect(await oauth.processIntrospectionResponse(as, me, response)).toMatchObject({ active: true, sub: 'alice' });
    await oauth.validateApplicationLevelSignature(as, response, insecure);
    const keys = createRemoteJWKSet(new URL(as.jwks_uri ?? ''));
    const expected = { issuer: sandbox.issuer, audience: 'gateway', typ: 'token-introspection+jwt' };
    const { payload, protectedHeader } = await jwtVerify(jwt, keys, expected);
    expect(protectedHeader.alg).toBe('ES256');
    expect(payload.token_introspection).toMatchObject({ active: true, sub: 'alice' });
  });

  it('takes every type of token that an exchange can give', async () => {
    const as = await server();
    const { access_token } = await login();
    for (const type of ['access_token', 'id_token', 'refresh_token', 'jwt']) {
      const response = await oauth.genericTokenEndpointRequest(
        as,
        me,
        authentication,
        exchangeGrant,
        {
          subject_token: access_token,
          subject_token_type: urn('access_token'),
          requested_token_type: urn(type),
        },
        insecure,
      );
      const tokens = await oauth.processGenericTokenEndpointResponse(as, me, response, {
        recognizedTokenTypes: { n_a: () => {} },
      });
      expect(tokens).toMatchObject({
        access_token: expect.any(String),
        issued_token_type: urn(type),
        token_type: type === 'access_token' ? 'bearer' : 'n_a',
      });
    }
  });

  it('revokes with the metadata alone', async () => {
    const as = await server();
    const { access_token } = await login();
    const mine = { client_id: 'frontend' };
    const response = await oauth.revocationRequest(as, mine, oauth.None(), access_token, insecure);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.clone().json()).toEqual({});
    await oauth.processRevocationResponse(response);
    expect((await products(access_token)).status).toBe(401);
  });
});

describe('on the wire', () => {
  it('an opaque token works at the API and at UserInfo, and its revocation ends it', async () => {
    const token = await opaqueToken();
    expect(token).not.toContain('.');
    const userinfo = () => get(`${sandbox.url}/userinfo`, { authorization: `Bearer ${token}` });
    expect([(await products(token)).status, (await userinfo()).status]).toEqual([200, 200]);
    await post(`${sandbox.url}/oauth2/revoke`, { token, client_id: 'opaque' });
    expect([(await products(token)).status, (await userinfo()).status]).toEqual([401, 401]);
  });

  it.each(['introspect', 'revoke'])('%s may be called by a page of this machine, and is never stored', async name => {
    const origin = 'http://localhost:3000';
    const preflight = await fetch(`${sandbox.url}/oauth2/${name}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    const response = await post(`${sandbox.url}/oauth2/${name}`, { token: 'x', client_id: 'frontend' }, { origin });
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['introspect', 'revoke'])('%s takes a POST only', async name => {
    const response = await get(`${sandbox.url}/oauth2/${name}?token=x&client_id=frontend`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('POST');
  });

  it('introspection refuses a public client with 401', async () => {
    const response = await post(`${sandbox.url}/oauth2/introspect`, { token: 'x', client_id: 'frontend' });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: 'invalid_client' });
  });

  it('the dashboard shows a revoked token as revoked', async () => {
    const { access_token } = await login();
    await post(`${sandbox.url}/oauth2/revoke`, { token: access_token, client_id: 'frontend' });
    const { tokenId } = await sandbox.events.waitFor('token.issued', event => event.token === access_token);
    const page = await (await get(`${sandbox.url}/dashboard/tokens/${tokenId}`)).text();
    expect(page).toMatch(/>\s*revoked\s*</i);
  });

  it('what is switched off is neither advertised nor answered', async () => {
    const features = { introspection: false, revocation: false, 'token-exchange': false, 'jwt-bearer': false };
    await using other = await createSandbox({ clients: [frontend, gateway], features });
    const metadata = (await (await get(`${other.url}/.well-known/oauth-authorization-server`)).json()) as {
      grant_types_supported: string[];
    };
    expect(Object.keys(metadata).filter(name => /^(introspection|revocation)/.test(name))).toEqual([]);
    expect(metadata.grant_types_supported).not.toContain(exchangeGrant);
    expect(metadata.grant_types_supported).not.toContain(bearerGrant);
    const asGateway = { authorization: `Basic ${btoa('gateway:gateway-secret')}` };
    for (const name of ['introspect', 'revoke']) {
      expect((await post(`${other.url}/oauth2/${name}`, { token: 'x' }, asGateway)).status).toBe(501);
    }
    for (const grant_type of [exchangeGrant, bearerGrant]) {
      const response = await post(`${other.url}/oauth2/token`, { grant_type }, asGateway);
      expect(await response.json()).toMatchObject({ error: 'unsupported_grant_type' });
    }
  });
});
