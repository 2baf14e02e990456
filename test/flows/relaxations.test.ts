import { createPublicKey, hash, type JsonWebKey, X509Certificate } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { codeVerifier } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { notKept } from '../support/self-test.ts';
import { get, post } from '../support/wire.ts';

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

  it('is told on each page and in the report, and keeps what the metadata promises', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
    expect(notKept(await relaxed.selfTest())).toEqual([]);
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

  it('is told on each page and in the report, and the self-test tests the metadata without it', async () => {
    expect(await told(relaxed)).toEqual(everywhere);
    expect(notKept(await relaxed.selfTest())).toEqual([]);
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
    expect((await relaxed.selfTest()).lies).toEqual([]);
  });
});
