import { describe, expect, it } from 'vitest';
import {
  app,
  browserOf,
  discovery,
  type Entry,
  har,
  login,
  redeemed,
  secrets,
  tenant,
  verifier,
} from './provider-har.ts';
import { openText } from './recorded.ts';

/** The session as the dashboard exports it. */
async function sessionOf(entries: readonly Entry[]) {
  await using opened = await openText(har(entries), 'login.har');
  const json = JSON.parse(await opened.text('/dashboard/export/json'));
  const kinds = json.flows.map(({ kind, status }: { kind: string; status: string }) => `${kind} ${status}`);
  return { ...json, kinds, opened, text: JSON.stringify(json) };
}

const refused = { error: 'invalid_grant', error_description: 'Failed to verify the code' };
const failing = (more: object) => [
  discovery,
  ...browserOf({ state: 's' }),
  ...redeemed({ state: 's', refused, ...more }),
];

describe('a HAR file of a login at a provider', () => {
  it('shows the login as a flow, with the pages of the provider, the token request and the call', async () => {
    const { kinds, flows, issuer } = await sessionOf(login);
    expect(issuer).toBe(`${tenant}/`);
    expect(kinds).toEqual(['authorization_code ok', 'setup ok']);
    const [flow, setup] = flows;
    expect(flow).toMatchObject({ client_id: 'shop', sub: 'auth0|eve', redirect_uri: app, startedAt: 1_772_357_402 });
    const steps = flow.steps.map(({ endpoint, joinedBy }: Record<string, string>) => `${endpoint} by ${joinedBy}`);
    expect(steps).toEqual([
      ...['authorize by first', 'login by inferred', 'login by inferred', 'login by state', 'token by code'],
      'userinfo by token',
    ]);
    expect(setup.steps.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['discovery', 'jwks']);
  });

  it('shows its tokens with their claims, and no secret', async () => {
    const { flows, requests, text } = await sessionOf(login);
    const facts = requests.flatMap(({ events }: { events: { type: string; tokenType?: string }[] }) => events);
    const issued = facts.filter(({ type }: { type: string }) => type === 'token.issued' || type === 'code.issued');
    expect(issued.map(({ tokenType = 'code' }) => tokenType)).toEqual(['code', 'access', 'id', 'refresh']);
    expect(flows[0].tokenIds).toHaveLength(4);
    for (const secret of [...secrets, 'a-cookie-of-eve', 'c2lnbmF0dXJl']) expect(text).not.toContain(secret);
    const [, claims = ''] = issued[2].token.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'auth0|eve', aud: 'shop' });
  });

  it('has a page of each flow, token and request', async () => {
    await using opened = await openText(har(login), 'login.har');
    for (const list of ['flows', 'tokens', 'requests']) {
      const html = await opened.text(`/dashboard/${list}`);
      expect(html).toContain('the login in the HAR file <code>login.har</code>');
      const links = new Set([...html.matchAll(new RegExp(`/dashboard/${list}/\\w+_\\w+`, 'g'))].map(String));
      expect(links.size).toBeGreaterThan(0);
      for (const path of links) await opened.text(path);
    }
    expect(await opened.text('/dashboard/clients/shop')).toContain(app);
  });

  it.each([
    ['the verifier of another login', { sentVerifier: `${verifier}x` }, 'pkce_mismatch'],
    ['another redirect URI', { sentRedirect: 'https://app.example.org/other' }, 'redirect_uri_mismatch'],
    ['nothing that a recording shows', {}, 'refused_by_provider'],
  ])('explains a refused code by %s', async (_, more, reason) => {
    const { kinds, problems } = await sessionOf(failing(more));
    expect(kinds[0]).toBe('authorization_code failed');
    expect(problems).toMatchObject([{ reason, code: 'invalid_grant', client_id: 'shop' }]);
  });

  it('finds a code that was sent twice', async () => {
    const { problems } = await sessionOf([...login, ...redeemed({ state: 's', refused })]);
    expect(problems).toMatchObject([{ reason: 'code_replayed' }]);
  });

  it('shows a user who denied the request, and an error page of the provider', async () => {
    const redirect = `${app}?error=access_denied&state=s&error_description=The+user+said+no`;
    const denied = await sessionOf(browserOf({ state: 's', redirect }));
    expect(denied.kinds).toEqual(['authorization_code failed']);
    const query = 'client_id=shop&response_type=code&redirect_uri=https%3A%2F%2Felsewhere.example&state=s';
    const broken = await sessionOf([
      { url: `${tenant}/authorize?${query}`, status: 400, html: 'Callback URL mismatch' },
    ]);
    expect(broken).toMatchObject({ kinds: ['authorization_code failed'], issuer: tenant });
    expect(broken.problems).toMatchObject([{ reason: 'refused_by_provider', code: 'invalid_request' }]);
  });

  it('reads tokens in the fragment of a redirect', async () => {
    const redirect = `${app}#access_token=opaque-access-token&token_type=Bearer&state=s&expires_in=60`;
    const [first, ...rest] = browserOf({ state: 's', redirect });
    const url = `${first?.url ?? ''}`.replace('response_type=code', 'response_type=token');
    const { kinds, text } = await sessionOf([{ ...first, url }, ...rest]);
    expect(kinds).toEqual(['implicit ok']);
    expect(text).not.toContain('opaque-access-token');
  });

  it('keeps two logins in one recording apart', async () => {
    const second = { state: 'second', code: 'the-code-of-another-login' };
    const { flows } = await sessionOf([...login, ...browserOf(second), ...redeemed({ ...second, refused })]);
    const logins = flows.filter(({ kind }: { kind: string }) => kind === 'authorization_code');
    expect(logins.map(({ status }: { status: string }) => status)).toEqual(['failed', 'ok']);
    expect(logins[0].steps.at(-1)).toMatchObject({ endpoint: 'token', joinedBy: 'code', status: 400 });
  });

  it('reads what Grantbox exported as HAR, with redacted values', async () => {
    const redact = (entry: Entry): Entry =>
      JSON.parse(JSON.stringify(entry).replaceAll('the-code-of-login', '[redacted]'));
    const { flows } = await sessionOf(login.map(redact));
    expect(flows[0].steps.map(({ endpoint }: { endpoint: string }) => endpoint)).toContain('token');
    expect(flows[0].status).toBe('ok');
  });
});

describe('a HAR file without a login', () => {
  it.each([
    ['no entries', []],
    [
      'other requests',
      [
        { url: 'https://app.example.org/', html: 'x' },
        { url: 'https://app.example.org/api', json: [] },
      ],
    ],
  ])('is refused for %s', async (_, entries) => {
    await expect(openText(har(entries), 'x.har')).rejects.toThrow(/x\.har has no request to an authorization, token/);
  });

  it('is refused where its entries are anything but objects', async () => {
    const entries = [
      1,
      null,
      [],
      { request: 5 },
      { request: { url: 'javascript:1' }, response: {} },
      { request: {}, response: 1 },
    ];
    await expect(openText({ log: { entries } }, 'x.har')).rejects.toThrow(/has no request/);
  });

  it('injects nothing, whatever its members are', async () => {
    const evil = `"'><script>alert(1)</script>`;
    const text = JSON.stringify(har(login))
      .replaceAll('shop', JSON.stringify(evil).slice(1, -1))
      .replaceAll('"GET"', '"<b>"');
    await using opened = await openText(text, 'login.har');
    for (const path of ['/dashboard/flows', '/dashboard/requests', '/dashboard/tokens'])
      expect(await opened.text(path)).not.toContain('<script>alert');
  });
});
