import { afterAll, describe, expect, it } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { script } from '../support/hostile.ts';
import { authorizeQuery, callback, get, login, post } from '../support/wire.ts';
import { asBank, everything, key } from './everything.ts';

const sandbox = await createSandbox({
  ...everything,
  clients: [
    ...(everything.clients ?? []),
    {
      client_id: 'evil',
      client_name: script,
      client_secret: 'evil-secret',
      grant_types: [
        'authorization_code',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:openid:params:grant-type:ciba',
      ],
      redirect_uris: [callback],
      scope: 'openid profile products:read',
      require_consent: true,
    },
  ],
});
const { url } = sandbox;
afterAll(() => sandbox.stop());
const asEvil = `Basic ${Buffer.from('evil:evil-secret').toString('base64')}`;

/** Attributes of script addresses, of events, and elements that were text. */
const markup =
  /<script>alert|<img src=x|href="(?!https?:|\/|#|data:image\/svg)|\son[a-z]+="|"'><|javascript:alert\(9\)"/i;

async function expectText(response: Response): Promise<string> {
  const html = await response.text();
  expect(response.headers.get('content-type'), html.slice(0, 200)).toMatch('text/html');
  expect(html).not.toMatch(markup);
  return html;
}

const details = JSON.stringify([
  { type: 'payment', to: script, amount: { [script]: script, nested: [{ [script]: [script] }] }, identifier: script },
]);
const claims = JSON.stringify({ userinfo: { [script]: null, email: { value: script } }, id_token: { [script]: null } });
const noPkce = { code_challenge: '', code_challenge_method: '' };

/** The pages about what a hostile client asks for, by somebody with a hostile name. */
describe('hostile text of a client (T-06, T-07)', () => {
  it('is text on the page of a device, before and after the decision', async () => {
    const form = {
      scope: 'openid profile',
      authorization_details: details,
      resource: `urn:x:${encodeURIComponent(script)}`,
    };
    const asked = await post(`${url}/oauth2/device_authorization`, form, { authorization: asEvil });
    const { user_code } = (await asked.json()) as { user_code: string };
    const cookie = await login(url, script);
    const page = `${url}/oauth2/device_verification`;
    expect(await expectText(await get(`${page}?user_code=${user_code}`, { cookie }))).toContain(
      '&lt;script&gt;alert(1)',
    );
    const decided = { user_code, decision: 'allow', as: script };
    expect(await expectText(await post(page, decided, { cookie, origin: url }))).toContain('&lt;script&gt;alert(1)');
  });

  it.each(['user_code', 'prompt', 'as', 'decision', 'next'])('is text on the page of a device as %s', async name => {
    const cookie = await login(url);
    const query = new URLSearchParams({ user_code: 'x', [name]: script });
    await expectText(await get(`${url}/oauth2/device_verification?${query}`, { cookie }));
    await expectText(await get(`${url}/oauth2/device_verification?${query}`));
    await expectText(
      await post(`${url}/oauth2/device_verification?${query}`, query.toString(), { cookie, origin: url }),
    );
    await expectText(await get(`${url}/approvals?${query}`));
  });

  it.each(['sub', 'username', 'action'])('is text on the sign-in of a page of ours as %s', async name => {
    await using strict = await createSandbox({ ...everything, loginMode: 'password' });
    const query = new URLSearchParams({ user_code: script, [script]: script });
    for (const path of ['/login/device', '/login/approvals']) {
      const form = { username: 'x', password: 'x', [name]: script };
      await expectText(await post(`${strict.url}${path}?${query}`, form, { origin: strict.url }));
    }
  });

  it('is text on the approval page', async () => {
    const cookie = await login(url, script);
    const message = `<b>"'${'x'.repeat(20)}</b>`;
    const form = { scope: 'openid', login_hint: script, binding_message: message, authorization_details: details };
    const asked = await post(`${url}/oauth2/bc-authorize`, form, { authorization: asEvil });
    expect(asked.status).toBe(200);
    const html = await expectText(await get(`${url}/approvals`, { cookie }));
    expect(html).toContain('&lt;b&gt;&#34;&#39;xxx');
    expect(html).not.toContain('<b>');
    const request = /name="request" value="([^"]+)"/.exec(html)?.[1] ?? '';
    await expectText(await post(`${url}/approvals`, { request, decision: 'deny' }, { cookie, origin: url }));
  });

  it('is text on the consent screen: name, claims, details, and what comes back', async () => {
    const query = authorizeQuery({
      ...noPkce,
      ...{ client_id: 'evil', scope: 'openid profile', state: script, claims, authorization_details: details },
    });
    const cookie = await login(url, script);
    const html = await expectText(await get(`${url}/oauth2/authorize?${query}`, { cookie }));
    expect(html).toContain('data-testid="consent-allow"');
    expect(html).toContain('&lt;script&gt;alert(1)');
    const answered = await post(`${url}/consent?${query}`, { decision: 'deny' }, { origin: url });
    expect(answered.headers.get('location')).not.toMatch(/[<>"']/);
  });

  it.each(['query', 'form_post'])('is text in an answer by %s', async response_mode => {
    const cookie = await login(url);
    const response = await get(`${url}/oauth2/authorize?${authorizeQuery({ response_mode, state: script })}`, {
      cookie,
    });
    if (response_mode === 'form_post') await expectText(response);
    else expect(response.headers.get('location')).not.toMatch(/[<>"']/);
  });

  it('is text on the end of a session and on the check of one', async () => {
    const query = new URLSearchParams({ client_id: 'evil', state: script, ui_locales: script, logout_hint: script });
    const cookie = await login(url, script);
    await expectText(await get(`${url}/connect/logout?${query}`, { cookie }));
    await expectText(await get(`${url}/connect/check_session?${query}`));
  });

  it('is text in whatever the dashboard shows of all this', async () => {
    const cookie = await login(url, script);
    await get(`${url}/oauth2/authorize?${authorizeQuery({ client_id: script })}`, { cookie, 'user-agent': script });
    await post(`${url}/oauth2/token`, { grant_type: script, client_id: script, [script]: script });
    await post(`${url}/oauth2/introspect`, { token: script, token_type_hint: script }, { authorization: asBank });
    await post(`${url}/oauth2/revoke`, { token: script, client_id: 'frontend' });
    await post(
      `${url}/oauth2/par`,
      `${authorizeQuery({ state: script, nonce: script })}&${encodeURIComponent(script)}=1`,
    );
    await post(
      `${url}/oauth2/token`,
      { grant_type: 'client_credentials' },
      { authorization: asBank, dpop: 'a.b.c<script>' },
    );
    await post(
      `${url}/connect/register`,
      JSON.stringify({ client_name: script, redirect_uris: ['https://a.example/'], scope: 'openid' }),
      {
        'content-type': 'application/json',
      },
    );
    const pages = new Set(['/dashboard', '/dashboard/tokens', `/dashboard/tokens?q=${encodeURIComponent(script)}`]);
    for (const type of [
      'error.returned',
      'client.registered',
      'device.requested',
      'ciba.requested',
      'authorization.pushed',
      'consent.denied',
      'token.introspected',
    ] as const)
      for (const { requestId } of sandbox.events.latest(type, 20)) pages.add(`/dashboard/requests/${requestId}`);
    for (const { tokenId } of sandbox.events.latest('code.issued', 5)) pages.add(`/dashboard/tokens/${tokenId}`);
    expect(pages.size).toBeGreaterThan(15);
    for (const page of pages) await expectText(await get(url + page));
    expect(await (await get(`${url}/dashboard/api/v1/home`)).text()).not.toMatch(markup);
  });
});

describe('a client that a stranger registered (T-06, T-08)', () => {
  const register = (metadata: object) =>
    post(`${url}/connect/register`, JSON.stringify({ redirect_uris: ['https://app.example/cb'], ...metadata }), {
      'content-type': 'application/json',
    });

  it.each(['client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'client_uri#de', 'logo_uri#en-GB'])(
    'has no script as %s',
    async member => {
      for (const uri of scripts) {
        const response = await register({ [member]: uri });
        expect(response.status, uri).toBe(400);
        expect(await response.json()).toMatchObject({ error: 'invalid_client_metadata' });
      }
    },
  );

  it.each(['redirect_uris', 'post_logout_redirect_uris', 'request_uris'])('has no script in %s', async member => {
    for (const application_type of ['web', 'native'])
      for (const uri of scripts) {
        const response = await register({ application_type, [member]: [uri] });
        expect(response.status, uri).toBe(400);
      }
  });

  it.each([
    ...['initiate_login_uri', 'jwks_uri', 'sector_identifier_uri', 'backchannel_logout_uri', 'frontchannel_logout_uri'],
    'backchannel_client_notification_endpoint',
  ])('has no script as %s', async member => {
    for (const uri of scripts) expect((await register({ [member]: uri })).status, uri).toBe(400);
  });

  it('is shown with its name as text, its links as links, and nothing of it is loaded', async () => {
    const logo_uri = `https://app.example/"onerror="alert(9)`;
    expect((await register({ logo_uri })).status).toBe(400);
    const uris = {
      client_uri: "https://app.example/?'><b>".replace(/[<>]/g, encodeURIComponent),
      logo_uri: 'https://app.example/logo.svg',
      policy_uri: 'https://app.example/policy',
      tos_uri: 'https://app.example/tos',
    };
    const response = await register({
      ...uris,
      client_name: script,
      token_endpoint_auth_method: 'none',
      scope: 'openid',
    });
    const { client_id } = (await response.json()) as { client_id: string };
    const agent = createAgent(new URL(url).origin);
    const query = authorizeQuery({ client_id, redirect_uri: 'https://app.example/cb', scope: 'openid' });
    const loginPage = await agent.open(`${url}/oauth2/authorize?${query}`);
    const consentPage = await agent.open(`${url}/oauth2/authorize?${query}&prompt=consent`);
    for (const { html } of [loginPage, consentPage]) {
      expect(html).not.toMatch(markup);
      expect(html).toContain('&lt;script&gt;alert(1)');
      for (const [link] of html.matchAll(/<a href="https:\/\/app\.example[^>]*>/g))
        expect(link).toContain('rel="noreferrer"');
      expect(html).not.toMatch(/(src|action)="https?:\/\/app\.example/);
    }
  });
});

/** What a browser would run, or open from its own machine. */
const scripts = [
  'javascript:alert(9)',
  'JaVaScRiPt:alert(9)',
  ' javascript:alert(9)',
  'java\tscript:alert(9)',
  'java\nscript:alert(9)',
  '\u0001javascript:alert(9)',
  'javascript://app.example/%0aalert(9)',
  'data:text/html,<script>alert(9)</script>',
  'vbscript:msgbox(9)',
  'blob:https://app.example/1',
  'file:///etc/passwd',
  'view-source:https://app.example/',
  'about:blank',
];

describe('a client of the configuration (T-08)', () => {
  const members = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'initiate_login_uri', 'jwks_uri'];

  it.each([...members, 'backchannel_logout_uri', 'frontchannel_logout_uri'])('has no script as %s', async member => {
    for (const uri of scripts) {
      const client = { client_id: 'frontend', redirect_uris: [callback], [member]: uri };
      await expect(createSandbox({ clients: [client] }), uri).rejects.toThrow(member);
    }
  });

  it.each(['redirect_uris', 'post_logout_redirect_uris', 'request_uris'])('has no script in %s', async member => {
    for (const uri of scripts) {
      const client = { client_id: 'frontend', redirect_uris: [callback], [member]: [uri] };
      await expect(createSandbox({ clients: [client] }), uri).rejects.toThrow(member);
    }
  });
});

describe('a header of an answer (T-13)', () => {
  it.each(['user_code', 'state', 'next'])('holds no line of what comes as %s', async name => {
    const line = '%0d%0aSet-Cookie:%20evil=1%0d%0a%0d%0a<b>';
    for (const path of ['/oauth2/device_verification', '/approvals', '/login/device', '/login/approvals', '/consent']) {
      for (const response of [
        await get(`${url}${path}?${name}=${line}`),
        await post(`${url}${path}?${name}=${line}`, { sub: 'alice' }, { origin: url }),
      ]) {
        expect(response.headers.getSetCookie().filter(cookie => cookie.startsWith('evil'))).toEqual([]);
        expect(response.status).toBeLessThan(500);
      }
    }
  });

  it('holds no line of what a client says of itself', async () => {
    const body = JSON.stringify({
      redirect_uris: ['https://app.example/\r\nSet-Cookie: evil=1'],
      jwks: { keys: [key.publicJwk] },
    });
    const response = await post(`${url}/connect/register`, body, { 'content-type': 'application/json' });
    expect(response.status).toBe(400);
    expect(response.headers.get('set-cookie')).toBeNull();
  });
});
