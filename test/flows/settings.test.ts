import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/sandbox/config/sandbox-config.ts';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import { answer, asSensor, authorizeQuery, get, login, post, signIn } from '../support/wire.ts';

const shop = {
  client_id: 'shop',
  client_secret: 'shop-secret',
  redirect_uris: ['https://shop.example/cb'],
  grant_types: [
    'authorization_code',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:openid:params:grant-type:ciba',
  ],
  scope: 'openid telemetry:write',
} as const satisfies NonNullable<SandboxConfig['clients']>[number];
const asShop = { authorization: `Basic ${btoa('shop:shop-secret')}` };
const front = {
  client_id: 'frontend',
  grant_types: ['authorization_code', 'refresh_token'],
  loopback_redirects: true,
  scope: 'openid profile email',
} as const satisfies NonNullable<SandboxConfig['clients']>[number];

let now = 1_700_000_000;
const started = (config: SandboxConfig) => createSandbox({ clients: [front, shop], ...config }, { now: () => now });
const sandbox = await started({
  codeLifetime: '11s',
  accessTokenLifetime: '12s',
  idTokenLifetime: '13s',
  refreshTokenLifetime: '14s',
  sessionLifetime: '15s',
  pushedRequestLifetime: '16s',
  deviceCodeLifetime: '17s',
  pollInterval: '18s',
  scopeClaim: 'array',
  apiClockSkew: '19s',
});
afterAll(() => sandbox.stop());
const { url } = sandbox;

const json = async (path: string, form: Record<string, string>) =>
  (await (await post(url + path, form, asShop)).json()) as Record<string, unknown>;
const telemetry = async () => {
  const { access_token } = await json('/oauth2/token', {
    grant_type: 'client_credentials',
    scope: 'telemetry:write',
  });
  return String(access_token);
};

describe('a lifetime that is set', () => {
  it('is that of codes, ID tokens and refresh tokens', async () => {
    const { id_token } = await signIn(url);
    const { exp = 0, iat = 0 } = decodeJwt(id_token);
    expect(exp - iat).toBe(13);
    const [code] = sandbox.events.latest('code.issued', 1);
    expect((code?.exp ?? 0) - now).toBe(11);
    const tokens = sandbox.events.latest('token.issued', 3);
    expect(tokens.find(({ tokenType }) => tokenType === 'refresh')?.exp).toBe(now + 14);
  });

  it('is that of access tokens, also of those of clients that register later', async () => {
    expect(await json('/oauth2/token', { grant_type: 'client_credentials' })).toMatchObject({ expires_in: 12 });
    const registered = await fetch(`${url}/connect/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_types: ['client_credentials'] }),
    });
    const { client_id, client_secret } = (await registered.json()) as Record<string, string>;
    const authorization = `Basic ${btoa(`${client_id}:${client_secret}`)}`;
    const response = await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization });
    expect(await response.json()).toMatchObject({ expires_in: 12 });
  });

  it('is that of a session, in its cookie', async () => {
    const response = await post(`${url}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin: url });
    expect(response.headers.getSetCookie()[0]).toContain('Max-Age=15;');
  });

  it('is that of pushed requests, device codes and CIBA requests', async () => {
    const pushed = { response_type: 'code', redirect_uri: 'https://shop.example/cb', scope: 'openid' };
    expect(await json('/oauth2/par', pushed)).toMatchObject({ expires_in: 16 });
    const device = await json('/oauth2/device_authorization', { scope: 'openid' });
    expect(device).toMatchObject({ expires_in: 17, interval: 18 });
    const ciba = await json('/oauth2/bc-authorize', { scope: 'openid', login_hint: 'alice' });
    expect(ciba).toMatchObject({ expires_in: 17, interval: 18 });
  });
});

describe('the sample backend', () => {
  it('takes a token as long as apiClockSkew says after it has expired', async () => {
    observes('setting apiClockSkew');
    const authorization = `Bearer ${await telemetry()}`;
    const write = () =>
      fetch(`${url}/api/telemetry`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ sensor: 'shed', metric: 'celsius', value: 21.5 }),
      });
    now += 12 + 18;
    expect((await write()).status).toBe(201);
    now += 1;
    expect((await write()).status).toBe(401);
  });

  it('understands a scope claim that is a list', async () => {
    observes('setting scopeClaim');
    const token = await telemetry();
    expect(decodeJwt(token).scope).toEqual(['telemetry:write']);
    const response = await get(`${url}/api/bikes`, { authorization: `Bearer ${token}` });
    expect(response.status).toBe(403);
  });
});

describe('apiAudience', () => {
  it('refuses tokens for anybody else', async () => {
    observes('setting apiAudience');
    await using strict = await createSandbox({ apiAudience: 'https://api.example' });
    const form = { grant_type: 'client_credentials', scope: 'telemetry:write' };
    const answered = await post(`${strict.url}/oauth2/token`, form, { authorization: asSensor });
    const { access_token } = (await answered.json()) as { access_token: string };
    const refused = await get(`${strict.url}/api/bikes`, { authorization: `Bearer ${access_token}` });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('aud');
  });
});

describe('a setting of the first issuer', () => {
  it('signingAlg signs its access tokens', async () => {
    observes('setting signingAlg');
    await using signing = await createSandbox({ signingAlg: 'ES384' });
    expect(decodeProtectedHeader((await signIn(signing.url)).access_token).alg).toBe('ES384');
  });

  it('acrValues refuses an essential one that no login reaches, and offers those it does', async () => {
    observes('setting acrValues');
    await using limited = await createSandbox({ acrValues: ['urn:bronze'] });
    const { url: at } = limited;
    const cookie = await login(at);
    const wanting = async (acr: string) => {
      const claims = JSON.stringify({ id_token: { acr: { essential: true, values: [acr] } } });
      return Object.fromEntries(await answer(at, cookie, { claims, prompt: 'none' }));
    };
    expect(await wanting('urn:gold')).toMatchObject({ error: 'unmet_authentication_requirements' });
    expect((await wanting('urn:bronze')).error).not.toBe('unmet_authentication_requirements');
    const metadata = await (await get(`${at}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({ acr_values_supported: ['urn:bronze'] });
  });

  it('consent asks for it where a client says nothing', async () => {
    observes('setting consent');
    await using asking = await createSandbox({ consent: true });
    const page = await get(`${asking.url}/oauth2/authorize?${authorizeQuery()}`, { cookie: await login(asking.url) });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('data-testid="consent-allow"');
    await using silent = await createSandbox();
    expect((await answer(silent.url, await login(silent.url))).get('code')).toEqual(expect.any(String));
  });

  it('outbound calls no private address with loopback', async () => {
    observes('setting outbound');
    // nobody is called: the address itself is refused
    const jwks_uri = 'http://10.255.255.1/jwks';
    const far = { client_id: 'far', token_endpoint_auth_method: 'private_key_jwt', jwks_uri } as const;
    const client = { ...far, grant_types: ['client_credentials'], scope: 'telemetry:write' } as const;
    await using near = await createSandbox({ clients: [client], outbound: 'loopback' });
    const assertion = await new SignJWT({ jti: 'one' })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer('far')
      .setSubject('far')
      .setAudience(near.issuer)
      .setExpirationTime('1m')
      .sign((await generateKeyPair('ES256')).privateKey);
    const form = {
      ...{ grant_type: 'client_credentials', client_id: 'far', client_assertion: assertion },
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    };
    expect((await post(`${near.url}/oauth2/token`, form)).status).toBe(401);
    const [refusal] = near.events.latest('error.returned', 1);
    expect(refusal).toMatchObject({ description: expect.stringContaining('which OUTBOUND=private allows') });
  });

  it('outbound is loopback where nothing is said, for clients that register themselves', async () => {
    await using usual = await createSandbox();
    const metadata = {
      redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
      subject_type: 'pairwise',
      sector_identifier_uri: 'https://10.255.255.1/sector', // nobody is called: the address itself is refused
    };
    const headers = { 'content-type': 'application/json' };
    const response = await post(`${usual.url}/connect/register`, JSON.stringify(metadata), headers);
    expect(await response.text()).not.toContain('10.255.255.1 is');
    const [refusal] = usual.events.latest('error.returned', 1);
    expect(refusal).toMatchObject({ description: expect.stringContaining('which OUTBOUND=private allows') });
  });
});
