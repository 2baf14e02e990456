import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assets } from '../../src/http/assets.ts';
import { createViews, fixes, fixFor, httpUrl, type LoginView, referenceForm } from '../../src/http/views.ts';
import type { AuthorizationRequest } from '../../src/oauth/authorization-request.ts';
import type { Session } from '../../src/oauth/session.ts';
import type { TestUser } from '../../src/oauth/user.ts';
import { publicClient } from '../support/client.ts';

const templatesFolder = join(import.meta.dirname, '../../templates');
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;
const look = { label: 'team <blue>', issuer: 'http://localhost:9000', version: '1.2.3', dashboard: true, base: '' };
const views = createViews({ templatesFolder, look });

const client = publicClient;
const request: AuthorizationRequest = {
  client_id: 'frontend',
  redirect_uri: 'http://localhost:5173/callback',
  response_type: 'code',
  response_mode: 'fragment',
  scopes: ['openid'],
  state: 'some-state',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
  prompt: ['login'],
  max_age: 60,
  login_hint: 'bob',
  acr_values: ['urn:strong'],
  ui_locales: 'de',
  resources: [],
};
const user = (sub: string, claims: Record<string, unknown> = {}): TestUser => ({
  sub,
  username: sub,
  claims: { name: `${sub} name`, email: `${sub}@example.test`, ...claims },
  access_token_claims: {},
});
const alice = user('alice', { roles: ['admin', 'buyer'] });
const bob = user('bob');
const carol = user('carol', { email_verified: false });
const session: Session = { id: 'i', sid: 's', sub: 'bob', auth_time: 1, acr: '0', amr: ['user'] };
const view: LoginView = {
  page: { client, request, cause: 'no_session' },
  users: [alice, bob, carol],
  mode: 'picker',
  action: '/login?client_id=frontend&state=1',
  scopes: [{ name: 'openid', description: 'know who you are' }],
  relaxations: ['Any loopback redirect is accepted.'],
};
const testIds = (html: string) => [...html.matchAll(/data-testid="([^"]+)"/g)].map(([, id]) => id);

describe('the login page', () => {
  it('has one form and one button per user, and the documented test ids', async () => {
    const html = await views.login(view);
    expect(testIds(html)).toEqual([
      'login-user-alice',
      'login-user-bob',
      'login-user-carol',
      'login-sub',
      'login-submit',
      'login-deny',
    ]);
    expect([...html.matchAll(/<form /g)]).toHaveLength(5);
    expect([...html.matchAll(/method="post" action="\/login\?client_id=frontend&amp;state=1"/g)]).toHaveLength(5);
    expect([...html.matchAll(/name="action" value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'login',
      'login',
      'login',
      'login',
      'deny',
    ]);
  });

  it.each([
    ['as configured', {}, {}, 'alice'],
    ['last used first', { lastUsed: 'carol' }, {}, 'carol'],
    ['hinted before last used', { lastUsed: 'carol' }, { hinted: bob }, 'bob'],
  ])('orders the users: %s, the first has the focus', async (_, more, page, first) => {
    const html = await views.login({ ...view, ...more, page: { ...view.page, ...page } });
    expect(testIds(html)[0]).toBe(`login-user-${first}`);
    expect(html).toContain(`data-testid="login-user-${first}" autofocus`);
    expect([...html.matchAll(/autofocus/g)]).toHaveLength(1);
  });

  it('says what is special about a user', async () => {
    const html = await views.login(view);
    expect(html).toMatch(/alice@example\.test · admin · buyer/);
    expect(html).toMatch(/carol@example\.test · e-mail not verified/);
  });

  it('shows what was asked for', async () => {
    const html = await views.login(view);
    expect(html).toContain('know who you are');
    expect(html).toContain('PKCE S256 ok · state ok · nonce not sent');
    expect(html).toContain('<strong class="mono">localhost:5173</strong>');
    expect(html).not.toContain('href="http://localhost:5173');
    for (const value of ['fragment', '60 s', 'urn:strong', '<dd>de</dd>', '<dd>bob</dd>', 'Any loopback redirect']) {
      expect(html).toContain(value);
    }
  });

  it('says so where no PKCE and no scope came', async () => {
    const { code_challenge: _, code_challenge_method: __, state: ___, ...bare } = request;
    const html = await views.login({ ...view, scopes: [], page: { ...view.page, request: bare } });
    expect(html).toContain('PKCE not used · state not sent');
    expect(html).toContain('asks for no scope');
  });

  it('offers to continue first, when somebody is signed in and may', async () => {
    const html = await views.login({ ...view, page: { ...view.page, session, cause: 'select_account' } });
    expect(testIds(html)[0]).toBe('login-continue');
    expect(html).toContain('Continue as bob name');
    expect(html).toContain('Use another user');
  });

  it.each(['prompt_login', 'max_age', 'hint', 'acr_values'] as const)('offers no continuing for %s', async cause => {
    expect(testIds(await views.login({ ...view, page: { ...view.page, session, cause } }))).not.toContain(
      'login-continue',
    );
  });

  it('opens Someone else again with the subject that was refused, ready to be corrected', async () => {
    const html = await views.login({ ...view, notice: 'Choose a user', typed: 'Zoë "Z"' });
    expect(html).toMatch(/<details class="more" open>\s*<summary>Someone else/);
    expect(html).toMatch(/data-testid="login-sub" value="Zoë &#34;Z&#34;" aria-invalid="true"[^>]* autofocus>/);
    expect([...html.matchAll(/autofocus/g)]).toHaveLength(1);
    expect(await views.login(view)).not.toMatch(/<details[^>]* open/);
  });

  it('keeps the username after a wrong password, which is asked for again', async () => {
    const html = await views.login({ ...view, mode: 'password', notice: 'Wrong', typed: 'dora' });
    expect(html).toMatch(/data-testid="login-username" value="dora">/);
    expect(html).toMatch(/data-testid="login-password"[^>]* autofocus>/);
    expect([...html.matchAll(/autofocus/g)]).toHaveLength(1);
  });

  it.each([
    [8, false],
    [9, true],
  ])('with %s users, has a search field for the script: %s', async (count, searchable) => {
    const users = Array.from({ length: count }, (_, index) => user(`user${index}`));
    const html = await views.login({ ...view, users });
    expect(testIds(html).includes('login-search')).toBe(searchable);
    expect(html.includes('src="/assets/login.js"')).toBe(searchable);
    if (searchable) expect(html).toMatch(/id="search-users" hidden>/);
    expect(testIds(await views.login({ ...view, users, mode: 'password' }))).not.toContain('login-search');
  });

  it('asks for username and password by setting', async () => {
    const html = await views.login({ ...view, mode: 'password', notice: 'Wrong username or password.' });
    expect(testIds(html)).toEqual(['login-username', 'login-password', 'login-submit', 'login-deny']);
    expect(html).toContain('role="alert">Wrong username or password.');
  });
});

describe('the other pages', () => {
  it('asks before the logout, and sends the checked request again', async () => {
    const html = await views.logout({
      page: { session, client, post_logout_redirect_uri: 'http://localhost:5173/', parameters: {} },
      user: bob,
      action: '/connect/logout',
      fields: { state: 'a"b', client_id: 'frontend' },
    });
    expect(testIds(html)).toEqual(['logout-confirm', 'logout-cancel']);
    expect(html).toContain('<input type="hidden" name="state" value="a&#34;b">');
    expect(html).toContain('name="decision" value="logout"');
    expect(html).toContain('bob name');
  });

  it.each([
    ['http://localhost:5173/', true],
    ['javascript:alert(1)', false],
    ['com.example.app:/out', false],
  ])('links back after the logout to %s: %s', async (returnTo, linked) => {
    const html = await views.loggedOut({ page: { sub: 'bob', returnTo } });
    expect(html.includes(`href="${returnTo}"`)).toBe(linked);
    expect(await views.loggedOut({ page: {} })).toContain('Nobody was signed in');
  });

  it.each([true, false])('leads on from the end of a logout to the dashboard, if there is one: %s', async dashboard => {
    const { loggedOut } = createViews({ templatesFolder, look: { ...look, dashboard } });
    const leadsOn = (html: string) => html.includes('href="/dashboard"');
    expect(leadsOn(await loggedOut({ page: { sub: 'bob' } }))).toBe(dashboard);
    expect(leadsOn(await loggedOut({ page: {} }))).toBe(dashboard);
    expect(leadsOn(await loggedOut({ page: { sub: 'bob', returnTo: 'http://localhost:5173/' } }))).toBe(false);
  });

  it('explains an error: sent, expected, how to fix it', async () => {
    const html = await views.error({
      status: 400,
      error: 'invalid_request',
      reason: 'redirect_uri_not_registered',
      description: 'not registered',
      sent: 'https://a.test/',
      expected: 'https://a.test',
      requestId: 'req_1',
      detailsUrl: '/dashboard/requests/req_1',
    });
    expect(testIds(html)).toEqual(['problem-code']);
    expect(html).toContain('>invalid_request</code>');
    expect(html).toMatch(/Your app sent<\/dt><dd>https:\/\/a\.test\/[\s\S]*Expected<\/dt><dd>https:\/\/a\.test</);
    expect(html).toContain('mind http or https, the port, and the slash at the end');
    expect(html).toContain('rfc6749#section-3.1.2.4');
    expect(html).toContain('href="/dashboard/requests/req_1"');
  });

  it('is content with an error it has never heard of', async () => {
    const html = await views.error({ status: 500, error: 'e', reason: 'constructor', description: 'd' });
    expect(html).not.toContain('How to fix it');
    expect(html).not.toContain('undefined');
  });

  it('sends a form_post by a script file, with a button for scripts off', async () => {
    const html = await views.formPost({ action: 'http://localhost:5173/cb', parameters: { code: 'c', state: '<s>' } });
    expect(html).toContain('<form id="form-post" method="post" action="http://localhost:5173/cb">');
    expect(html).toContain('name="state" value="&lt;s&gt;"');
    expect(html).toContain('src="/assets/form-post.js"');
    expect(html).toContain('type="submit"');
  });
});

describe('every page', () => {
  const hostileUser = user(hostile, { name: hostile, email: hostile, roles: [hostile] });
  const hostileRequest = {
    ...request,
    redirect_uri: `javascript:${hostile}`,
    login_hint: hostile,
    ui_locales: hostile,
  };
  const hostileClient = { ...client, client_id: hostile, client_name: hostile };
  const pages = {
    login: () =>
      views.login({
        ...view,
        users: [hostileUser],
        notice: hostile,
        typed: hostile,
        action: hostile,
        relaxations: [hostile],
        scopes: [{ name: hostile, description: hostile }],
        page: {
          client: hostileClient,
          request: hostileRequest,
          cause: 'no_session',
          session: { ...session, sub: hostile },
        },
      }),
    password: () => views.login({ ...view, mode: 'password', page: { ...view.page, hinted: hostileUser } }),
    logout: () =>
      views.logout({
        page: {
          session: { ...session, sub: hostile },
          client: hostileClient,
          post_logout_redirect_uri: hostile,
          parameters: {},
        },
        action: hostile,
        fields: { [hostile]: hostile },
      }),
    'logged out': () => views.loggedOut({ page: { sub: hostile, returnTo: `https://a.test/${hostile}` } }),
    error: () =>
      views.error({
        status: 400,
        error: hostile,
        reason: hostile,
        description: hostile,
        sent: hostile,
        expected: hostile,
        fix: hostile,
        rfc: hostile,
        requestId: hostile,
      }),
    form_post: () => views.formPost({ action: hostile, parameters: { [hostile]: hostile } }),
  };

  it.each(Object.entries(pages))(
    'shows what strangers sent as text, and runs under a strict policy: %s',
    async (_, page) => {
      const html = await page();
      expect(html).toContain('&lt;script&gt;alert(1)');
      expect(html).not.toMatch(
        /<script>alert|<img|href="javascript:|style="| on\w+="|<script(?! type="module" src="\/assets\/)/,
      );
      expect(html).toContain('team &lt;blue&gt;');
      expect(html).not.toMatch(/(?:src|href)="https?:\/\/(?!www\.rfc-editor\.org|openid\.net|a\.test)/);
    },
  );

  it('escapes: no template prints anything raw but its partials', () => {
    const files = readdirSync(templatesFolder, { recursive: true, encoding: 'utf8' }).filter(file =>
      file.endsWith('.ejs'),
    );
    const raw = files.flatMap(
      file => readFileSync(join(templatesFolder, file), 'utf8').match(/<%-(?!\s*include\().*/g) ?? [],
    );
    expect(files.length).toBeGreaterThan(10);
    expect(raw).toEqual([]);
  });
});

describe('fixes', () => {
  it.each(Object.entries(fixes))('%s is a sentence, with a rule that can be read', (_, { fix, rfc }) => {
    expect(fix).toMatch(/^[A-Z][\s\S]*\.$/);
    if (rfc !== '') expect(rfc).toMatch(referenceForm);
  });

  it('knows only its own reasons', () => {
    expect(fixFor('pkce_mismatch')).toBeDefined();
    expect([fixFor('toString'), fixFor('')]).toEqual([undefined, undefined]);
  });
});

describe('assets', () => {
  it.each([...assets])('%s lies in the templates', (name, { file, contentType }) => {
    // The scripts are built; the stylesheet and the icon are there from the start.
    if (!name.endsWith('.js')) expect(existsSync(join(templatesFolder, file))).toBe(true);
    expect(file).toBe(`assets/${name}`);
    expect(contentType).toMatch(/^(text|image)\//);
  });

  it.each([
    ['https://a.test/x', true],
    ['HTTP://a.test', true],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//a.test', false],
    [' https://a.test', false],
    ['https://', false],
  ])('%s may be a link: %s', (url, expected) => {
    expect(httpUrl(url) !== undefined).toBe(expected);
  });
});
