import { afterAll, describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import { get, post } from '../support/wire.ts';

const metadata = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/oauth2/jwks',
];
const protocol = [
  '/oauth2/token',
  '/oauth2/par',
  '/oauth2/introspect',
  '/oauth2/revoke',
  '/oauth2/device_authorization',
  '/oauth2/bc-authorize',
  '/userinfo',
  '/api/products',
];
const registration = ['/connect/register', '/connect/register/any'];

const foreign = 'https://evil.example';
const clients = [
  {
    client_id: 'app',
    redirect_uris: ['http://app.test:5173/callback', 'com.example.app:/callback'],
    post_logout_redirect_uris: ['https://www.app.test/bye?from=here'],
    web_origins: ['capacitor://localhost', 'https://preview.app.test'],
  },
];
const sandbox = await createSandbox({ clients });
afterAll(() => sandbox.stop());

/** What a browser would let a page of an origin read: its own origin, or nothing. */
async function readable(path: string, origin: string, url = sandbox.url): Promise<string | null> {
  const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  const preflight = await fetch(url + path, { method: 'OPTIONS', headers });
  const answered = await get(url + path, { origin });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('vary')).toMatch(/Origin/i);
  const [asked, told] = [preflight, answered].map(({ headers }) => headers.get('access-control-allow-origin'));
  expect(told).toBe(asked);
  return told ?? null;
}

describe('CORS', () => {
  it.each(metadata)('lets a page of any origin read %s', async path => {
    for (const origin of [foreign, 'null', 'capacitor://elsewhere']) {
      expect(await readable(path, origin)).toBe(origin);
    }
  });

  it.each([...protocol, ...registration])('lets a page of this machine call %s', async path => {
    const loopback = ['http://localhost', 'https://localhost:5173', 'http://app.localhost:3000'];
    for (const origin of [...loopback, 'http://127.0.0.1:8080', 'https://127.9.8.7', 'http://[::1]:4200']) {
      expect(await readable(path, origin)).toBe(origin);
    }
  });

  it.each(protocol)(
    'lets pages of the redirect URIs, of the post-logout URIs and of web_origins call %s',
    async path => {
      const ofRedirects = ['http://app.test:5173', 'https://www.app.test'];
      for (const origin of [...ofRedirects, 'capacitor://localhost', 'https://preview.app.test']) {
        expect(await readable(path, origin)).toBe(origin);
      }
    },
  );

  it.each([...protocol, ...registration])('lets no other page call %s', async path => {
    const nearly = [
      'http://app.test',
      'https://app.test:5173',
      'http://app.test:51730',
      'http://localhost.evil.example',
    ];
    const odd = [
      'http://127.0.0.1.evil.example',
      'http://evillocalhost',
      'http://localhost:80@evil.example',
      'localhost',
    ];
    for (const origin of [foreign, 'null', 'com.example.app://', ...nearly, ...odd]) {
      expect(await readable(path, origin), origin).toBeNull();
    }
  });

  it.each(registration)('lets no page of a redirect URI call %s', async path => {
    for (const origin of ['http://app.test:5173', 'capacitor://localhost']) {
      expect(await readable(path, origin)).toBeNull();
    }
  });

  it('lets the origins of CORS_ORIGINS call everything', async () => {
    observes('setting corsOrigins');
    await using listing = await createSandbox({ corsOrigins: 'https://a.example null' });
    for (const path of [...metadata, ...protocol, ...registration]) {
      for (const origin of ['https://a.example', 'null', 'http://localhost:5173']) {
        expect(await readable(path, origin, listing.url)).toBe(origin);
      }
    }
    expect(await readable('/oauth2/token', foreign, listing.url)).toBeNull();
  });

  it('lets every page call everything where CORS_ORIGINS is *', async () => {
    await using open = await createSandbox({ corsOrigins: '*' });
    for (const path of [...protocol, ...registration]) expect(await readable(path, foreign, open.url)).toBe(foreign);
  });

  it('is decided anew when a client is made, changed, registered or removed', async () => {
    await using changing = await createSandbox();
    const reads = (origin: string) => readable('/oauth2/token', origin, changing.url);
    const made = 'https://made.example';
    expect(await reads(made)).toBeNull();
    await changing.clients.create({ client_id: 'made', redirect_uris: [`${made}/callback`] });
    expect(await reads(made)).toBe(made);
    await changing.clients.patch('made', { redirect_uris: ['https://moved.example/callback'] });
    expect([await reads(made), await reads('https://moved.example')]).toEqual([null, 'https://moved.example']);
    await changing.clients.patch('made', { web_origins: ['null'] });
    expect(await reads('null')).toBe('null');
    await changing.clients.delete('made');
    expect([await reads('null'), await reads('https://moved.example')]).toEqual([null, null]);

    const registering = { redirect_uris: ['https://registered.example/callback'], web_origins: [foreign] };
    const answer = await post(`${changing.url}/connect/register`, JSON.stringify(registering), {
      'content-type': 'application/json',
    });
    expect(answer.status).toBe(201);
    expect(await reads('https://registered.example')).toBe('https://registered.example');
    expect(await reads(foreign)).toBeNull(); // web_origins is for those who own the sandbox
    await changing.reset();
    expect(await reads('https://registered.example')).toBeNull();
  });

  it('is decided for each issuer by its own clients', async () => {
    await using sandboxes = await createSandbox({
      clients,
      issuers: { other: { clients: [{ client_id: 'theirs', redirect_uris: ['https://theirs.example/callback'] }] } },
    });
    expect(await readable('/oauth2/token', 'http://app.test:5173', sandboxes.url)).toBe('http://app.test:5173');
    expect(await readable('/other/oauth2/token', 'http://app.test:5173', sandboxes.url)).toBeNull();
    expect(await readable('/other/oauth2/token', 'https://theirs.example', sandboxes.url)).toBe(
      'https://theirs.example',
    );
  });
});
