import { createPublicKey, generateKeyPairSync, hash, type JsonWebKey, X509Certificate } from 'node:crypto';
import {
  CompactEncrypt,
  compactDecrypt,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import demo from '../../clients.config.ts';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { send } from '../../src/server/wire/send.ts';
import { observes } from '../observed.ts';
import { assertionType } from '../support/assertions.ts';
import { codeVerifier } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { createDpopKey } from '../support/dpop.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';
import { asSensor, authorizeQuery, get, post } from '../support/wire.ts';

const running: Sandbox[] = [];
afterAll(() => Promise.all(running.map(sandbox => sandbox.stop())));

async function sandboxWith(config: SandboxConfig): Promise<Sandbox> {
  const sandbox = await createSandbox({ autoLogin: 'alice', ...config });
  running.push(sandbox);
  return sandbox;
}

/** One with each relaxation that is only a setting, and one without any. */
const strict = await sandboxWith({});

async function authorize({ url }: Sandbox, parameters: Readonly<Record<string, string>>): Promise<Response> {
  const query = new URLSearchParams({ response_type: 'code', scope: 'openid offline_access', ...parameters });
  return fetch(`${url}/oauth2/authorize?${query}`, { redirect: 'manual' });
}

async function tokenRequest({ url }: Sandbox, form: Readonly<Record<string, string>>) {
  const answer = await post(`${url}/oauth2/token`, form);
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> };
}

/** Where each page and the report of a sandbox say that a check is left out. */
async function told({ url, report }: Sandbox): Promise<Readonly<Record<string, boolean>>> {
  const pages = ['/dashboard', '/dashboard/settings', '/dashboard/problems', '/connect/logout', '/oauth2/authorize'];
  const texts = await Promise.all(pages.map(async page => (await fetch(url + page)).text()));
  const shown = pages.map((page, index) => [page, texts[index]?.includes('data-testid="relaxed"') === true]);
  return { ...Object.fromEntries(shown), report: (await report()).relaxations !== undefined };
}

const everywhere = {
  ...{ '/dashboard': true, '/dashboard/settings': true, '/dashboard/problems': true },
  ...{ '/connect/logout': true, '/oauth2/authorize': true, report: true },
};
const nowhere = Object.fromEntries(Object.keys(everywhere).map(place => [place, false]));

const exchange = { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', audience: 'dev:team:orders' };
const tokenType = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;

function codeIn({ headers }: Response): string {
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
}

describe('without a relaxation', () => {
  it('no page and no report speaks of one', async () => {
    expect(await told(strict)).toEqual(nowhere);
  });
});

describe('CLIENTS=any', async () => {
  const relaxed = await sandboxWith({ anyClient: true });
  const redirect_uri = 'https://app.example/cb';
  const asked = { client_id: 'nobody-knows', redirect_uri, state: 'x' };

  it('lets a client that is not registered log users in at any address, with any secret and with none', async () => {
    observes('setting anyClient');
    expect((await authorize(strict, asked)).status).toBe(400);
    for (const secret of [{ client_secret: 'whatever' }, {}] as Readonly<Record<string, string>>[]) {
      const answer = await authorize(relaxed, asked);
      const at = new URL(answer.headers.get('location') ?? '');
      expect(at.origin + at.pathname).toBe(redirect_uri);
      const code = at.searchParams.get('code') ?? '';
      const form = { grant_type: 'authorization_code', client_id: 'nobody-knows', code, redirect_uri, ...secret };
      expect(await tokenRequest(relaxed, form)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    }
  });

  it('lets it ask for a token of its own', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'a-service', client_secret: 'whatever' };
    expect((await tokenRequest(strict, form)).body.error).toBe('invalid_client');
    expect((await tokenRequest(relaxed, form)).status).toBe(200);
  });

  it('lets it ask for any scope', async () => {
    const scope = 'openid api://orders/.default';
    const code = codeIn(await authorize(relaxed, { ...asked, scope }));
    const form = { grant_type: 'authorization_code', client_id: 'nobody-knows', code, redirect_uri };
    expect((await tokenRequest(relaxed, form)).body.scope).toBe(scope);
    const own = { grant_type: 'client_credentials', client_id: 'a-service', scope: 'orders:all' };
    expect((await tokenRequest(relaxed, own)).body.scope).toBe('orders:all');
    const registered = await post(
      `${relaxed.url}/oauth2/token`,
      { ...own, client_id: 'sensor' },
      { authorization: asSensor },
    );
    expect((await registered.json()).error).toBe('invalid_scope');
  });

  it.each(['access_token', 'id_token'])('lets it exchange any %s for any audience', async kind => {
    const code = codeIn(await authorize(relaxed, asked));
    const login = { grant_type: 'authorization_code', client_id: 'nobody-knows', code, redirect_uri };
    const { body } = await tokenRequest(relaxed, login);
    for (const type of ['jwt', 'access_token', 'id_token']) {
      const form = { ...exchange, client_id: 'gateway', subject_token: body[kind] ?? '', scope: 'orders:all' };
      const exchanged = await tokenRequest(relaxed, { ...form, subject_token_type: tokenType(type) });
      expect(exchanged).toMatchObject({ status: 200, body: { scope: 'orders:all' } });
      expect(decodeJwt(exchanged.body.access_token ?? '')).toMatchObject({ sub: 'alice', aud: 'dev:team:orders' });
    }
  });

  it('refuses to exchange a token that has expired, was made by somebody else, or was revoked', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const foreign = await new SignJWT({ sub: 'alice', iss: relaxed.url })
      .setProtectedHeader({ alg: 'RS256' })
      .setExpirationTime('5 min')
      .sign(privateKey);
    const code = codeIn(await authorize(relaxed, asked));
    const login = { grant_type: 'authorization_code', client_id: 'nobody-knows', code, redirect_uri };
    const { access_token: revoked = '', id_token: old = '' } = (await tokenRequest(relaxed, login)).body;
    await post(`${relaxed.url}/oauth2/revoke`, { token: revoked, client_id: 'nobody-knows' });
    const refusals = [foreign, revoked].map(async subject_token => {
      const form = { ...exchange, client_id: 'gateway', subject_token, subject_token_type: tokenType('jwt') };
      return (await tokenRequest(relaxed, form)).body.error;
    });
    expect(await Promise.all(refusals)).toEqual(['invalid_request', 'invalid_request']);
    relaxed.clock.advance('1h');
    const form = { ...exchange, client_id: 'gateway', subject_token: old, subject_token_type: tokenType('id_token') };
    expect((await tokenRequest(relaxed, form)).body.error_description).toContain('expired');
    relaxed.clock.reset();
  });

  it('lets it authenticate with a JWT that nobody can check, if it is for this server', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const assertion = (aud: string) =>
      new SignJWT({ sub: 'a-service', iss: 'a-service', aud, jti: aud })
        .setProtectedHeader({ alg: 'RS256' })
        .setExpirationTime('1 min')
        .sign(privateKey);
    const form = { grant_type: 'client_credentials', client_assertion_type: assertionType };
    const answers = [`${relaxed.url}/oauth2/token`, 'https://elsewhere.example'].map(async aud =>
      tokenRequest(relaxed, { ...form, client_assertion: await assertion(aud) }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 401]);
  });

  it('keeps the rules of a client that is registered', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'sensor', client_secret: 'wrong' };
    expect((await tokenRequest(relaxed, form)).body.error).toBe('invalid_client');
    expect((await authorize(relaxed, { client_id: 'frontend', redirect_uri })).status).toBe(400);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://app.example/#a', '/callback', 'https://a b/', 'x'])(
    'sends nobody to %s',
    async uri => {
      expect((await authorize(relaxed, { ...asked, redirect_uri: uri })).status).toBe(400);
    },
  );

  it('checks PKCE where the request has a challenge', async () => {
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    const answer = await authorize(relaxed, { ...asked, ...pkce });
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', client_id: 'nobody-knows', code, redirect_uri };
    expect((await tokenRequest(relaxed, { ...form, code_verifier: `${codeVerifier}x` })).status).toBe(400);
  });

  it('lets pages of any origin call', async () => {
    const origin = 'https://app.example';
    const allowed = async ({ url }: Sandbox) =>
      (await get(`${url}/oauth2/token`, { origin })).headers.get('access-control-allow-origin');
    expect([await allowed(strict), await allowed(relaxed)]).toEqual([null, origin]);
  });

  it('is told on each page and in the report', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
  });
});

describe('redirect_uri_patterns', async () => {
  const client = { client_id: 'shop', redirect_uris: ['https://shop.example/cb'] };
  const clients = [{ ...client, redirect_uri_patterns: ['https://*.preview.example.com/cb'] }];
  const relaxed = await sandboxWith({ clients });
  const exact = await sandboxWith({ clients: [client] });
  const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

  it('lets a login return to an address that fits', async () => {
    const asked = { client_id: 'shop', redirect_uri: 'https://pr-1.preview.example.com/cb', ...pkce };
    expect((await authorize(exact, asked)).status).toBe(400);
    expect((await authorize(relaxed, asked)).headers.get('location')).toContain(`${asked.redirect_uri}?code=`);
  });

  it('shows the patterns on the page of an address that fits none', async () => {
    const response = await authorize(relaxed, {
      client_id: 'shop',
      redirect_uri: 'https://a.b.preview.example.com/cb',
    });
    const page = await response.text();
    expect(page).toContain('No pattern of the client fits, either');
    expect(page).toContain('https://*.preview.example.com/cb');
  });

  it('lets a page of an origin that fits call', async () => {
    const origin = 'https://pr-1.preview.example.com';
    const allowed = async ({ url }: Sandbox) =>
      (await get(`${url}/oauth2/token`, { origin })).headers.get('access-control-allow-origin');
    expect([await allowed(exact), await allowed(relaxed)]).toEqual([null, origin]);
  });

  it('is told on each page and in the report', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
    expect(await told(exact)).toEqual(nowhere);
  });
});

describe('REFRESH_TOKEN_GRACE', async () => {
  const relaxed = await sandboxWith({ refreshTokenGrace: 10 });

  async function signedIn(sandbox: Sandbox): Promise<Readonly<Record<string, string>>> {
    const { refresh_token = '' } = await sandbox.login({ user: 'alice', client: 'frontend', as: 'tokens' });
    return { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
  }

  it('gives the same answer to a refresh token that was used a moment ago', async () => {
    observes('setting refreshTokenGrace');
    const form = await signedIn(relaxed);
    const [one, two] = await Promise.all([tokenRequest(relaxed, form), tokenRequest(relaxed, form)]);
    expect(one.status).toBe(200);
    expect(two).toEqual(one);
    expect(await tokenRequest(relaxed, form)).toEqual(one);
    // its new refresh token works, so nothing was revoked
    expect((await tokenRequest(relaxed, { ...form, refresh_token: one.body.refresh_token ?? '' })).status).toBe(200);
  });

  it('ends after that time', async () => {
    const form = await signedIn(relaxed);
    await tokenRequest(relaxed, form);
    await relaxed.clock.advance(11);
    expect((await tokenRequest(relaxed, form)).body.error).toBe('invalid_grant');
  });

  it('is not for another client, and not for a login that was revoked', async () => {
    const form = await signedIn(relaxed);
    const { body } = await tokenRequest(relaxed, form);
    expect((await tokenRequest(relaxed, { ...form, client_id: 'sensor', client_secret: 'sensor-secret' })).status).toBe(
      401,
    );
    const { url } = relaxed;
    await post(`${url}/oauth2/revoke`, { client_id: 'frontend', token: body.refresh_token ?? '' });
    expect((await tokenRequest(relaxed, form)).body.error).toBe('invalid_grant');
  });

  it('wins the race that the fault refresh_race provokes', async () => {
    for (const [sandbox, status] of [
      [strict, 400],
      [relaxed, 200],
    ] as const) {
      const form = await signedIn(sandbox);
      await sandbox.faults.arm({ fault: 'refresh_race' });
      expect((await tokenRequest(sandbox, form)).status).toBe(status);
    }
  });

  it('is told on each page and in the report', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
  });
});

describe('METADATA_OVERRIDES', async () => {
  const metadataOverrides = {
    code_challenge_methods_supported: null,
    tenant_region_scope: 'EU',
    scopes_supported: ['a'],
  };
  const relaxed = await sandboxWith({ metadataOverrides });
  const metadata = async ({ url }: Sandbox, name: string) => (await fetch(`${url}/.well-known/${name}`)).json();

  it.each(['openid-configuration', 'oauth-authorization-server'])(
    'adds, replaces and removes members of %s',
    async name => {
      observes('setting metadataOverrides');
      const [usual, changed] = await Promise.all([metadata(strict, name), metadata(relaxed, name)]);
      expect(usual).not.toHaveProperty('tenant_region_scope');
      expect(changed).toMatchObject({ tenant_region_scope: 'EU', scopes_supported: ['a'], issuer: relaxed.issuer });
      expect(changed).not.toHaveProperty('code_challenge_methods_supported');
      const others = Object.keys(usual).filter(member => !(member in metadataOverrides));
      expect(Object.keys(changed).sort()).toEqual([...others, 'tenant_region_scope', 'scopes_supported'].sort());
    },
  );

  it('is told on each page and in the report', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
  });
});

describe('KEY_CERTIFICATES', async () => {
  const signingAlgs = ['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA'] as const;
  const clients = signingAlgs.map(alg => ({
    ...{ client_id: alg, redirect_uris: ['https://app.example/cb'] },
    id_token_signed_response_alg: alg,
  }));
  const relaxed = await sandboxWith({ keyCertificates: true, clients });
  type Keys = { readonly keys: readonly (JsonWebKey & { readonly x5c?: readonly string[] } & Thumbprints)[] };
  type Thumbprints = { readonly x5t?: string; readonly 'x5t#S256'?: string };
  const keysOf = async ({ url }: Sandbox) => ((await (await fetch(`${url}/oauth2/jwks`)).json()) as Keys).keys;

  it('gives each key a certificate of itself', async () => {
    observes('setting keyCertificates');
    expect((await keysOf(strict)).filter(key => 'x5c' in key || 'x5t' in key)).toEqual([]);
    const keys = await keysOf(relaxed);
    expect(keys).toHaveLength(signingAlgs.length);
    for (const { x5c = [], x5t, 'x5t#S256': x5t256, ...jwk } of keys) {
      const certificate = new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64'));
      expect(certificate.publicKey.equals(createPublicKey({ key: jwk, format: 'jwk' }))).toBe(true);
      expect(certificate.verify(certificate.publicKey)).toBe(true);
      expect([x5t, x5t256]).toEqual(['sha1', 'sha256'].map(name => hash(name, certificate.raw, 'base64url')));
    }
    expect(await keysOf(relaxed)).toEqual(keys);
  });

  it('is told on each page and in the report', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
  });
});

describe('ID tokens by HS256', async () => {
  const secrets = { HS256: 's'.repeat(32), HS384: 't'.repeat(48), HS512: 'u'.repeat(64) };
  const clients = (['HS256', 'HS384', 'HS512'] as const).map(alg => ({
    ...{ client_id: alg, client_secret: secrets[alg], redirect_uris: ['https://app.example/cb'] },
    ...{ id_token_signed_response_alg: alg, post_logout_redirect_uris: ['https://app.example/bye'] },
  }));
  const relaxed = await sandboxWith({ clients });
  const tokens = (client: string) => relaxed.login({ user: 'alice', client, as: 'tokens' });

  it.each(['HS256', 'HS384', 'HS512'] as const)('are signed by %s with the secret of the client', async alg => {
    const { id_token = '', access_token = '' } = await tokens(alg);
    const { payload, protectedHeader } = await jwtVerify(id_token, Buffer.from(secrets[alg]), { audience: alg });
    expect(protectedHeader).toEqual({ alg, typ: 'JWT' });
    const bits = Number(alg.slice(2));
    expect(payload.at_hash).toBe(
      hash(`sha${bits}`, access_token, 'buffer')
        .subarray(0, bits / 16)
        .toString('base64url'),
    );
    expect(decodeProtectedHeader(access_token).alg).toBe('RS256');
    expect(
      decodeProtectedHeader((await strict.login({ user: 'alice', client: 'frontend', as: 'tokens' })).id_token ?? ''),
    ).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
  });

  it('name the login that a logout ends, unless another secret signed them', async () => {
    const { id_token = '' } = await tokens('HS256');
    const forged = await new SignJWT(decodeJwt(id_token))
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(Buffer.from(secrets.HS512));
    const other = await new SignJWT(decodeJwt(id_token))
      .setProtectedHeader({ alg: 'HS512', typ: 'JWT' })
      .sign(Buffer.from(secrets.HS256));
    const logout = (hint: string) =>
      fetch(
        `${relaxed.url}/connect/logout?${new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: 'https://app.example/bye' })}`,
        { redirect: 'manual' },
      );
    expect((await logout(forged)).status).toBe(400);
    expect((await logout(other)).status).toBe(400);
    expect((await logout(id_token)).headers.get('location')).toBe('https://app.example/bye');
  });

  it('are no access tokens', async () => {
    const { access_token = '' } = await tokens('HS256');
    const claims = decodeJwt(access_token);
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(Buffer.from(secrets.HS256));
    const answer = (token: string) => get(`${relaxed.url}/userinfo`, { authorization: `Bearer ${token}` });
    expect([(await answer(access_token)).status, (await answer(forged)).status]).toEqual([200, 401]);
  });

  it('can be minted with a defect', async () => {
    const key = Buffer.from(secrets.HS256);
    const mint = (more: object) => relaxed.issueToken({ client: 'HS256', user: 'alice', type: 'id', ...more });
    await expect(jwtVerify((await mint({})).token, key)).resolves.toBeDefined();
    for (const defect of ['wrong_key', 'bad_signature', 'hs256_with_public_key'] as const)
      await expect(jwtVerify((await mint({ defect })).token, key)).rejects.toThrow('signature');
  });

  it('need a secret that is long enough', async () => {
    const short = [{ ...clients[0], client_id: 'x', client_secret: 's'.repeat(31) }] as SandboxConfig['clients'];
    await expect(createSandbox({ clients: short ?? [] })).rejects.toThrow('a secret of at least 32 characters');
  });

  it('are told on each page and in the report', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
  });
});

describe('ISSUERS=any', async () => {
  const relaxed = await sandboxWith({ anyIssuer: true });
  const discover = (url: string, path: string) => fetch(`${url}/${path}/.well-known/openid-configuration`);

  it('makes any path an issuer of its own, at the first request', async () => {
    observes('setting anyIssuer');
    expect((await discover(strict.url, 'team-a')).status).toBe(404);
    const [a, again] = await Promise.all([discover(relaxed.url, 'team-a'), discover(relaxed.url, 'team-a')]);
    const { issuer, token_endpoint, jwks_uri } = await a.json();
    expect([issuer, token_endpoint]).toEqual([`${relaxed.issuer}/team-a`, `${relaxed.issuer}/team-a/oauth2/token`]);
    expect((await again.json()).issuer).toBe(issuer);
    const form = { grant_type: 'client_credentials' };
    const { access_token } = await (await post(token_endpoint, form, { authorization: asSensor })).json();
    expect(decodeJwt(access_token).iss).toBe(issuer);
    const keys = createRemoteJWKSet(new URL(jwks_uri));
    await expect(jwtVerify(access_token, keys, { issuer })).resolves.toBeDefined();
    const at = (path: string) => get(`${relaxed.url}${path}/api/bikes`, { authorization: `Bearer ${access_token}` });
    expect([(await at('/team-a')).status, (await at('')).status]).toEqual([403, 401]);
  });

  it('serves the form of RFC 8414 §3.1, and an endpoint without discovery', async () => {
    const document = await fetch(`${relaxed.url}/.well-known/oauth-authorization-server/b/c`);
    expect((await document.json()).issuer).toBe(`${relaxed.issuer}/b/c`);
    const form = { grant_type: 'client_credentials' };
    const answer = await post(`${relaxed.url}/team-d/oauth2/token`, form, { authorization: asSensor });
    expect(answer.status).toBe(200);
  });

  it('answers at the short paths of mock-oauth2-server, and exchanges tokens of one path at another', async () => {
    const mock = await sandboxWith({ anyClient: true, anyIssuer: true });
    const service = { grant_type: 'client_credentials', client_id: 'a-service', scope: 'openid anything' };
    const first = await post(`${mock.url}/idprovider/token`, service);
    const { access_token: subject_token } = await first.json();
    expect(decodeJwt(subject_token).iss).toBe(`${mock.issuer}/idprovider`);
    const form = { ...exchange, client_id: 'gateway', subject_token, subject_token_type: tokenType('jwt') };
    const { access_token } = await (await post(`${mock.url}/tokenx/token`, form)).json();
    const keys = createRemoteJWKSet(new URL(`${mock.url}/tokenx/jwks`));
    const { payload } = await jwtVerify(access_token, keys, { issuer: `${mock.issuer}/tokenx` });
    expect(payload).toMatchObject({ aud: 'dev:team:orders', sub: 'a-service' });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'x',
      redirect_uri: 'https://app.example/cb',
    });
    const login = await fetch(`${mock.url}/tokenx/authorize?${query}`, { redirect: 'manual' });
    expect(codeIn(login)).not.toBe('');
    for (const sandbox of [mock, strict]) expect((await get(`${sandbox.url}/isalive`)).status).toBe(200);
    expect((await post(`${strict.url}/token`, service)).status).toBe(404);
  });

  it('leaves the paths of the sandbox alone', async () => {
    for (const path of ['dashboard', 'api', 'i/x']) expect((await discover(relaxed.url, path)).status).toBe(404);
    expect((await fetch(`${relaxed.url}/dashboard`)).status).toBe(200);
  });

  it('ends the one that was unused for the longest time when a hundred live', async () => {
    const bounded = await sandboxWith({ anyIssuer: true });
    await discover(bounded.url, 'first');
    const dashboard = () => fetch(`${bounded.url}/first/health`);
    expect((await dashboard()).status).toBe(200);
    for (let count = 0; count < 100; count++) await discover(bounded.url, `team-${count}`);
    expect((await dashboard()).status).toBe(404);
    expect((await discover(bounded.url, 'team-99')).status).toBe(200);
  });

  it('cannot be on with a preset, which decides the path of an issuer', async () => {
    await expect(createSandbox({ anyIssuer: true, preset: 'keycloak' })).rejects.toThrow('PRESET=keycloak');
  });

  it('is told on each page and in the report', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
  });
});

describe('ISSUER_FROM_HOST', async () => {
  const relaxed = await sandboxWith({ issuerFromHost: 'host', allowedHosts: ['idp'] });
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const client = { client_id: 'signed', grant_types: ['client_credentials' as const], scope: 'bikes:read' };
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] };
  const clients = [
    ...(demo.clients ?? []),
    { ...client, jwks, token_endpoint_auth_method: 'private_key_jwt' as const },
  ];
  const forwarding = await sandboxWith({ issuerFromHost: 'forwarded', allowedHosts: ['idp.example'], clients });
  const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

  /** A request with a `Host` of its own, which fetch does not allow. */
  async function at(
    { url }: Sandbox,
    path: string,
    { host, form, ...headers }: { readonly host: string; readonly form?: object; readonly [name: string]: unknown },
  ) {
    const body = form && new URLSearchParams({ ...form }).toString();
    const type: Record<string, string> =
      body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = { Host: host, ...type, ...(headers as Readonly<Record<string, string>>) };
    const method = body === undefined ? 'GET' : 'POST';
    return send(url, { method, path, headers: sent, body, agent: undefined });
  }
  const issuerAt = async (sandbox: Sandbox, host: string, headers = {}) =>
    JSON.parse((await at(sandbox, '/.well-known/openid-configuration', { host, ...headers })).text).issuer;

  it('gives each allowed name its own issuer', async () => {
    observes('setting issuerFromHost');
    const { port } = new URL(relaxed.url);
    expect(await issuerAt(relaxed, `idp:${port}`)).toBe(`http://idp:${port}`);
    expect(await issuerAt(relaxed, `127.0.0.1:${port}`)).toBe(`http://127.0.0.1:${port}`);
    expect(await issuerAt(relaxed, `localhost:${port}`)).toBe(relaxed.issuer);
    expect(await issuerAt(strict, `127.0.0.1:${new URL(strict.url).port}`)).toBe(strict.issuer);
    expect((await at(relaxed, '/.well-known/openid-configuration', { host: 'evil.example' })).status).toBe(421);
    expect(await issuerAt(relaxed, `idp:${port}`, { 'X-Forwarded-Host': 'localhost' })).toBe(`http://idp:${port}`);
  });

  it.each([
    'evil.example/.localhost',
    'evil.example#.localhost',
    'evil.example?.localhost',
    'a@evil.example',
    'a".localhost',
  ])('makes no issuer of the host %s', async host => {
    const answer = await at(relaxed, '/.well-known/openid-configuration', { host });
    expect([relaxed.issuer, undefined]).toContain(JSON.parse(answer.text).issuer);
    expect(await issuerAt(forwarding, 'localhost', { 'X-Forwarded-Host': host })).toBe(forwarding.issuer);
  });

  it('makes room for a new name when many are known', async () => {
    for (let count = 0; count < 25; count++)
      expect(await issuerAt(relaxed, `n${count}.localhost:1`)).toBe(`http://n${count}.localhost:1`);
    expect(await issuerAt(relaxed, 'idp')).toBe('http://idp');
  });

  it('fits cookies, links, client assertions and proofs to the name of the request', async () => {
    const proxied = { host: 'localhost', 'X-Forwarded-Host': 'idp.example', 'X-Forwarded-Proto': 'https' };
    const token = (form: object, headers = {}) =>
      at(forwarding, '/oauth2/token', { ...proxied, ...headers, form: { grant_type: 'client_credentials', ...form } });
    const login = await at(forwarding, `/oauth2/authorize?${authorizeQuery()}`, proxied);
    expect(String(login.headers['set-cookie'])).toMatch(/__Host-grantbox_session=.*Secure/);
    expect(JSON.parse((await token({})).text).error_uri).toMatch(/^https:\/\/idp\.example\/dashboard\/problems\//);
    const iat = forwarding.clock();
    const asserted = async (aud: string) => {
      const claims = { iss: 'signed', sub: 'signed', aud, iat, exp: iat + 60, jti: aud };
      const client_assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
      return (await token({ client_assertion, client_assertion_type: assertionType })).status;
    };
    expect([await asserted('https://idp.example'), await asserted(forwarding.issuer)]).toEqual([200, 401]);
    const key = await createDpopKey();
    const proven = async (origin: string) => {
      const DPoP = await key.proof({ htu: `${origin}/oauth2/token`, iat });
      return (await token({}, { DPoP, Authorization: asSensor })).status;
    };
    expect([await proven('https://idp.example'), await proven(forwarding.issuer)]).toEqual([200, 400]);
  });

  it('has what changes at run time at each name', async () => {
    const host = `idp:${new URL(relaxed.url).port}`;
    const resources = async () =>
      JSON.parse((await at(relaxed, '/.well-known/oauth-authorization-server', { host })).text).protected_resources;
    expect(await resources()).not.toContain(`http://${host}/api/boats`);
    await relaxed.resources.create({ name: 'boats', readScope: 'boats:read', fields: { name: 'string' } });
    expect(await resources()).toContain(`http://${host}/api/boats`);
  });

  it('lets a back end redeem at one name the code of a browser at the other', async () => {
    const { port } = new URL(relaxed.url);
    const redirect_uri = 'http://localhost:5173/callback';
    const login = await authorize(relaxed, { client_id: 'frontend', redirect_uri, nonce: 'n', ...pkce });
    const answer = new URL(login.headers.get('location') ?? '').searchParams;
    expect(answer.get('iss')).toBe(relaxed.issuer);
    const grant = { grant_type: 'authorization_code', client_id: 'frontend', redirect_uri };
    const form = { ...grant, code: answer.get('code') ?? '', code_verifier: codeVerifier };
    const tokens = JSON.parse((await at(relaxed, '/oauth2/token', { host: `idp:${port}`, form })).text);
    expect([tokens.id_token, tokens.access_token].map(token => decodeJwt(token).iss)).toEqual([
      `http://idp:${port}`,
      `http://idp:${port}`,
    ]);
    const userinfo = async (host: string) =>
      (await at(relaxed, '/userinfo', { host, Authorization: `Bearer ${tokens.access_token}` })).status;
    expect([await userinfo(`idp:${port}`), await userinfo(`localhost:${port}`)]).toEqual([200, 401]);
  });

  it('believes forwarded headers only where that is set, and only allowed hosts', async () => {
    const host = `localhost:${new URL(forwarding.url).port}`;
    const proto = { 'X-Forwarded-Proto': 'https' };
    const to = (name: string) => issuerAt(forwarding, host, { 'X-Forwarded-Host': name, ...proto });
    expect(await to('idp.example')).toBe('https://idp.example');
    expect(await to('idp.example, proxy.internal')).toBe('https://idp.example');
    expect(await to('evil.example')).toBe(forwarding.issuer);
    expect(await issuerAt(forwarding, host, { 'X-Forwarded-Proto': 'javascript' })).toBe(forwarding.issuer);
  });

  it('is told on each page and in the report', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
  });
});

describe('ACCESS_TOKEN_KEYS', async () => {
  const audience = 'https://api.example';
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const accessTokenKeys = {
    [audience]: { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'api-1' },
    'https://other.example': { ...ec.publicKey.export({ format: 'jwk' }) },
  };
  const relaxed = await sandboxWith({ accessTokenKeys });
  const tokenFor = async (sandbox: Sandbox, resource?: string) => {
    const { refresh_token = '' } = await sandbox.login({ user: 'alice', client: 'frontend', as: 'tokens' });
    const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    return (await tokenRequest(sandbox, resource === undefined ? form : { ...form, resource })).body.access_token ?? '';
  };

  it('encrypt access tokens for an audience to the key of the resource', async () => {
    observes('setting accessTokenKeys');
    expect(decodeProtectedHeader(await tokenFor(strict, audience))).toMatchObject({ alg: 'RS256' });
    expect(decodeProtectedHeader(await tokenFor(relaxed, 'https://plain.example'))).toMatchObject({ alg: 'RS256' });
    for (const [aud, key, alg] of [
      [audience, rsa.privateKey, 'RSA-OAEP-256'],
      ['https://other.example', ec.privateKey, 'ECDH-ES'],
    ] as const) {
      const token = await tokenFor(relaxed, aud);
      const { plaintext, protectedHeader } = await compactDecrypt(token, key);
      expect(protectedHeader).toMatchObject({ alg, enc: 'A256GCM', typ: 'at+jwt', cty: 'JWT' });
      const keys = createRemoteJWKSet(new URL(`${relaxed.url}/oauth2/jwks`));
      const { payload } = await jwtVerify(plaintext, keys, { audience: aud, typ: 'at+jwt' });
      expect(payload.sub).toBe('alice');
    }
  });

  it('leaves this server able to answer about them', async () => {
    const token = await tokenFor(relaxed, audience);
    const told = async () =>
      (await post(`${relaxed.url}/oauth2/introspect`, { token }, { authorization: asSensor })).json();
    expect(await told()).toMatchObject({ active: true, aud: audience });
    await post(`${relaxed.url}/oauth2/revoke`, { client_id: 'frontend', token });
    expect(await told()).toEqual({ active: false });
  });

  it('leaves UserInfo, but not the sample API, open to a token for this server itself', async () => {
    const issuer = 'http://idp.test';
    const own = await sandboxWith({ issuer, accessTokenKeys: { [issuer]: accessTokenKeys[audience] } });
    const token = await tokenFor(own, issuer);
    expect(decodeProtectedHeader(token).enc).toBe('A256GCM');
    const answer = async (path: string) => get(own.url + path, { authorization: `Bearer ${token}` });
    expect(await (await answer('/userinfo')).json()).toMatchObject({ sub: 'alice' });
    expect((await answer('/api/bikes')).status).toBe(401);
  });

  it.each([
    ['a private key', { a: rsa.privateKey.export({ format: 'jwk' }) }],
    ['no key', { a: 'key' }],
    ['a secret', { a: { kty: 'oct', k: 'AAAA' } }],
    ['a key for signatures', { a: { ...accessTokenKeys[audience], alg: 'RS256' } }],
    ['a broken key', { a: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }],
  ])('refuses %s at the start, and does not repeat it', async (_, keys) => {
    const refusal = createSandbox({ accessTokenKeys: keys as never }).catch((error: Error) => error.message);
    expect(await refusal).toMatch(/accessTokenKeys.*expected a public JWK: RSA or EC/);
    expect(await refusal).not.toMatch(/AAAA|"d"/);
  });

  it('is told on each page and in the report', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
  });
});

describe('REQUEST_ENCRYPTION', async () => {
  const clientSecret = 's'.repeat(32);
  const cannotBeDecrypted = 'the request object cannot be decrypted with a key of this server';
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const client = {
    client_id: 'signed',
    client_secret: clientSecret,
    redirect_uris: ['https://app.example/cb'],
    require_signed_request_object: true,
  };
  const clients = [{ ...client, jwks: { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k' }] } }];
  const relaxed = await sandboxWith({ requestEncryption: true, clients });
  const plain = await sandboxWith({ clients });
  const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

  const signed = ({ issuer }: Sandbox) =>
    new SignJWT({
      client_id: 'signed',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: client.redirect_uris[0],
      ...pkce,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'oauth-authz-req+jwt' })
      .setIssuer('signed')
      .setAudience(issuer)
      .setExpirationTime(Math.floor(Date.parse('2100-01-01') / 1000))
      .sign(privateKey);
  const sealedFor = async (sandbox: Sandbox, text: string) => {
    const { keys } = (await (await fetch(`${relaxed.url}/oauth2/jwks`)).json()) as { keys: JWK[] };
    const key = keys.find(({ use, kty }) => use === 'enc' && kty === 'RSA') ?? {};
    const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM' };
    const inside = text === '' ? await signed(sandbox) : text;
    return new CompactEncrypt(Buffer.from(inside)).setProtectedHeader(header).encrypt(await importJWK(key, header.alg));
  };
  const ask = async (sandbox: Sandbox, request: string) =>
    fetch(`${sandbox.url}/oauth2/authorize?${new URLSearchParams({ client_id: 'signed', request })}`, {
      redirect: 'manual',
    });

  it('lets a client encrypt its request object to a key of the JWK Set', async () => {
    observes('setting requestEncryption');
    const answer = await ask(relaxed, await sealedFor(relaxed, ''));
    expect(answer.headers.get('location')).toMatch(/^https:\/\/app\.example\/cb\?code=/);
    expect((await ask(plain, await sealedFor(plain, ''))).status).toBe(400);
  });

  it('checks the signature inside', async () => {
    const [head, body] = (await signed(relaxed)).split('.');
    for (const inside of [`${head}.${body}.AAAA`, 'no JWT', '{}'])
      expect((await ask(relaxed, await sealedFor(relaxed, inside))).status).toBe(400);
  });

  it('refuses one that is for another key, by an algorithm that is not advertised, or encrypted twice', async () => {
    const inside = await signed(relaxed);
    const foreign = await generateKeyPair('RSA-OAEP-256');
    const seal = (text: string, key: CryptoKey | Uint8Array, header: { alg: string; enc: string }) =>
      new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(key);
    const gcm = { alg: 'RSA-OAEP-256', enc: 'A256GCM' };
    const unfit = [
      'a.b.c.d.e',
      await seal(inside, foreign.publicKey, gcm),
      await seal(inside, Buffer.alloc(32), { ...gcm, alg: 'dir' }),
      await seal(inside, (await generateKeyPair('RSA-OAEP-512')).publicKey, { ...gcm, alg: 'RSA-OAEP-512' }),
    ];
    for (const request of unfit) {
      const form = { request, client_id: 'signed', client_secret: clientSecret };
      const answer = await (await post(`${relaxed.url}/oauth2/par`, form)).json();
      expect(answer).toMatchObject({ error: 'invalid_request_object', error_description: cannotBeDecrypted });
    }
    expect((await ask(relaxed, await sealedFor(relaxed, await sealedFor(relaxed, '')))).status).toBe(400);
  });

  it('is in the metadata, and told on each page and in the report', async () => {
    const metadata = async ({ url }: Sandbox) => (await fetch(`${url}/.well-known/openid-configuration`)).json();
    expect(await metadata(relaxed)).toHaveProperty('request_object_encryption_alg_values_supported');
    expect(await metadata(plain)).not.toHaveProperty('request_object_encryption_alg_values_supported');
    expect(await told(relaxed)).toEqual(everywhere);
  });
});

describe('all relaxations together', async () => {
  const id_token_signed_response_alg = 'HS256';
  const secret = { client_id: 'hs256', client_secret: 's'.repeat(32), id_token_signed_response_alg } as const;
  const clients = [...(demo.clients ?? []), { ...secret, redirect_uris: ['https://app.example/cb'] }];
  const overrides = { code_challenge_methods_supported: null, scopes_supported: ['a'] };
  const others: SandboxConfig = {
    ...{ anyClient: true, anyIssuer: true, issuerFromHost: 'host', keyCertificates: true },
    ...{ refreshTokenGrace: 10, clients, requestEncryption: true },
    accessTokenKeys: {
      'https://api.example': generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
    },
  };

  it('keep what the metadata promises, as it is without METADATA_OVERRIDES', async () => {
    const all = await sandboxWith({ ...others, metadataOverrides: overrides });
    expect((await all.report()).relaxations).toHaveLength(9);
    expect(notKept(await metadataPromises(others))).toEqual([]);
  });
});
