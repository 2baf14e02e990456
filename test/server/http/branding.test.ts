import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { brandCss, brandSheet } from '../../../src/server/http/brand-css.ts';
import { observes } from '../../observed.ts';
import { createAgent } from '../../support/agent.ts';
import { authorizationUrl } from '../../support/authorization-url.ts';
import { get, post } from '../../support/wire.ts';

const callback = 'http://localhost:5173/callback';
const logo = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')}`;
const shared = { name: 'Acme', color: '#fc0' };
const sandbox = await createSandbox({
  signingAlg: 'ES256',
  branding: shared,
  users: [{ sub: 'alice' }],
  clients: [
    { client_id: 'frontend', redirect_uris: [callback], branding: { name: 'Velo', logo, color: '#0F766E' } },
    {
      client_id: 'tv',
      client_name: 'Living-room TV',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      logo_uri: 'https://tv.example/l.png',
    },
    { client_id: 'plain', redirect_uris: [callback] },
    { client_id: 'named', client_name: 'Named', redirect_uris: [callback], logo_uri: 'https://logo.example/l.png' },
  ],
});
afterAll(() => sandbox.stop());
const login = async (client_id: string) => get(authorizationUrl(sandbox, callback, { client_id }));
const read = async (path: string) => get(sandbox.url + path);

describe('the login page of a client with branding', () => {
  let html = '';
  beforeAll(async () => {
    html = await (await login('frontend')).text();
  });

  it('has its name and its logo as an image of the page itself', () => {
    expect(html).toContain('<h1>Sign in to Velo</h1>');
    expect(html).toContain(`<img class="app-mark" src="${logo}" alt="" referrerpolicy="no-referrer">`);
  });

  it('keeps the strip that says what it is, and no style can hide it', async () => {
    expect(html).toMatch(
      /<header class="strip"><p><svg [^>]+>(<(rect|path)[^>]+>)+<\/svg>\s*<strong>Sandbox sign-in\.<\/strong> Nothing here checks a real identity\.<\/p>/,
    );
    expect(await (await read('/assets/brand-0f766e.css')).text()).not.toContain('.strip');
  });

  it('links the stylesheet with its color, and allows images of the page only', async () => {
    expect(html).toContain('<link rel="stylesheet" href="/assets/brand-0f766e.css">');
    const policy = (await login('frontend')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("img-src 'self' data:;");
    expect(policy).toContain("style-src 'self';");
    const sheet = await read('/assets/brand-0f766e.css');
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await sheet.text()).toContain('--brand:#0f766e');
  });
});

describe('the branding of the sandbox', () => {
  it('is there for a client without its own, whose name is its id', async () => {
    observes('setting branding');
    const html = await (await login('plain')).text();
    expect(html).toContain('<h1>Sign in to Acme</h1>');
    expect(html).toContain('/assets/brand-ffcc00.css');
  });

  it('leaves a registered name, and a logo_uri stays a link', async () => {
    const html = await (await login('named')).text();
    expect(html).toContain('<h1>Sign in to Named</h1>');
    expect(html).not.toContain('<img');
    expect(html).toContain('<a href="https://logo.example/l.png"');
  });
});

it.each(['/oauth2/device_verification', '/approvals', '/connect/logout'])(
  'the page %s has the color of the sandbox',
  async path => {
    expect(await (await read(path)).text()).toContain('<link rel="stylesheet" href="/assets/brand-ffcc00.css">');
  },
);

it('the page of a device has the name and the logo of its client, and allows that image only', async () => {
  const form = { client_id: 'tv', scope: 'openid' };
  const asked = await (await post(`${sandbox.url}/oauth2/device_authorization`, form)).json();
  const policies: string[] = [];
  const agent = createAgent(sandbox.url, async (url, init) => {
    const response = await fetch(url, init);
    policies.push(response.headers.get('content-security-policy') ?? '');
    return response;
  });
  const { html } = await agent.submit(await agent.open(asked.verification_uri_complete), 'login-user-alice');
  expect(html).toContain('<strong>Living-room TV</strong>');
  expect(html).toContain('<img class="app-mark" src="https://tv.example/l.png" alt="" referrerpolicy="no-referrer">');
  expect(policies.at(-1)).toContain("img-src 'self' data: https://tv.example;");
  expect(policies.at(-1)).toContain("form-action 'self';");
});

describe('branding by the control API', () => {
  const change = async (branding: object) =>
    fetch(`${sandbox.url}/_sandbox/clients/named`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ branding }),
    });

  it('is on the next page', async () => {
    expect((await change({ name: 'Renamed', color: '#123456' })).status).toBe(200);
    const html = await (await login('named')).text();
    expect(html).toContain('<h1>Sign in to Renamed</h1>');
    expect(html).toContain('/assets/brand-123456.css');
  });

  it.each([
    ['https://logo.example/l.png', 'is never fetched'],
    ['/etc/passwd', 'as data URI'],
  ])('takes no logo from %s', async (address, expected) => {
    const answer = await change({ logo: address });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(expected);
  });
});

describe('the text on a color', () => {
  const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (digits: string) =>
    [0.2126, 0.7152, 0.0722].reduce(
      (sum, weight, at) => sum + weight * channel(Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16) / 255),
      0,
    );

  it.each(['000000', 'ffffff', 'ff0000', '00ff00', '0000ff', '767676', '757575', '0f766e', 'f3b63f', '808080'])(
    'has a contrast of at least 4.5 to 1 on #%s',
    color => {
      const text = /--on-brand:#(\w+)/.exec(brandCss(`brand-${color}.css`) ?? '')?.[1] === 'fff' ? 1 : 0;
      const [light, dark] = [luminance(color), text].sort((a, b) => b - a);
      expect(((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('comes from a name of that form and no other', async () => {
    expect(brandSheet('#Fc0')).toBe('brand-ffcc00.css');
    for (const name of ['brand-fc0.css', 'brand-0f766e.cssx', 'brand-0f766e}.css', 'x/brand-0f766e.css']) {
      expect(brandCss(name)).toBeUndefined();
    }
    expect((await read('/assets/brand-zzzzzz.css')).status).toBe(404);
  });
});
