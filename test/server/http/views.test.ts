import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modules } from '../../../src/modules.ts';
import type { LoggedOutPage } from '../../../src/protocol/endpoints/endpoint.ts';
import type { AuthorizationRequest } from '../../../src/protocol/requests/authorization-request.ts';
import type { Session } from '../../../src/protocol/users/session.ts';
import type { TestUser } from '../../../src/protocol/users/user.ts';
import { entries, fixFor } from '../../../src/record/problems/reasons/index.ts';
import { assets } from '../../../src/server/http/serve-assets.ts';
import { consentView } from '../../../src/server/http/signin/consent-view.ts';
import { english } from '../../../src/server/http/signin/language.ts';
import type { LoginView } from '../../../src/server/http/signin/login-details.ts';
import { createViews, httpUrl, type LoggedOutView, referenceForm } from '../../../src/server/http/views.ts';
import { publicClient } from '../../support/client.ts';

const templatesFolder = join(import.meta.dirname, '../../../templates');
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
  language: english,
  page: { client, request, cause: 'no_session' },
  users: [alice, bob, carol],
  mode: 'picker',
  action: '/login?client_id=frontend&state=1',
  scopes: [{ name: 'openid', description: 'know who you are' }],
  relaxations: ['relaxed_loopback'],
  autoLogin: { byHint: false, prompt: 'silent' },
  requestId: 'req_1',
};
const signedOut = (page: Partial<LoggedOutPage>): LoggedOutView => ({
  language: english,
  page: { notices: [], ...page },
  frames: [],
  names: new Map(),
});
const testIds = (html: string) => [...html.matchAll(/data-testid="([^"]+)"/g)].map(([, id]) => id);
const answers = [
  ...['access_denied', 'login_required', 'consent_required', 'interaction_required', 'account_selection_required'],
  ...['temporarily_unavailable', 'server_error', 'wrong_state', 'no_answer'],
].map(code => `login-error-${code}`);
const asked = ['login-scopes', 'login-details', 'login-automation'];
const below = ['login-deny', 'login-fail', ...answers, 'login-flow'];

describe('the login page', () => {
  it('has one form and one button per user, and the documented test ids', async () => {
    const html = await views.login(view);
    expect(testIds(html)).toEqual([
      'login-user-alice',
      'login-user-bob',
      'login-user-carol',
      ...asked,
      'login-someone-else',
      ...['login-claims-of', 'login-fill-in', 'login-make-up', 'login-sub', 'login-claims'],
      ...['login-keep-login', 'login-keep-user', 'login-submit', 'login-preview'],
      'login-edit',
      ...below,
    ]);
    expect([...html.matchAll(/<form /g)]).toHaveLength(8);
    expect([...html.matchAll(/method="post" action="\/login\?client_id=frontend&amp;state=1"/g)]).toHaveLength(8);
    expect([...html.matchAll(/name="action" value="([\w-]+)"/g)].map(([, value]) => value)).toEqual([
      ...['login', 'login', 'login'],
      ...['edit', 'make-up', 'login', 'preview'],
      ...['edit', 'deny', 'error'],
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

  it.each([
    ['nobody', {}, 'Users: alice, bob, carol. Any password works.'],
    [
      'carol',
      { carol: { password: 'hers' } },
      'Users: alice, bob, carol. carol needs the password from the configuration; any password works for the others.',
    ],
    [
      'two',
      { alice: { password_hash: '$2b$' }, carol: { password: 'hers' } },
      'Users: alice, bob, carol. alice, carol need the passwords from the configuration; any password works for the others.',
    ],
    [
      'everybody',
      { alice: { password: 'a' }, bob: { password: 'b' }, carol: { password: 'c' } },
      'Users: alice, bob, carol. Each needs the password from the configuration.',
    ],
  ])(
    'names the users in password mode, and who has a password: %s',
    async (_who, own: Record<string, object>, words) => {
      const users = view.users.map(each => ({ ...each, ...own[each.sub] }));
      expect(await views.login({ ...view, mode: 'password', users })).toContain(`>${words}</p>`);
    },
  );

  it('names the first five of many users in password mode', async () => {
    const users = ['a', 'b', 'c', 'd', 'e', 'f'].map(sub => user(sub));
    const html = await views.login({ ...view, mode: 'password', users });
    expect(html).toContain('Users: a, b, c, d, e, …. Any password works.');
  });

  it('shows the special properties of a user', async () => {
    const html = await views.login(view);
    expect(html).toMatch(/alice@example\.test<\/span>[\s\S]*?admin, buyer<\/span>/);
    expect(html).toMatch(/carol@example\.test<\/span>[\s\S]*?e-mail not verified<\/span>/);
  });

  it('shows the requested scopes', async () => {
    const html = await views.login(view);
    expect(html).toContain('know who you are');
    expect(html).toContain('PKCE S256 ok · state ok · nonce not sent');
    expect(html).toContain('return to <code>localhost:5173</code>');
    expect(html).not.toContain('href="http://localhost:5173');
    for (const value of ['fragment', '60 s', 'urn:strong', '<dd>de</dd>', '<dd>bob</dd>', 'any loopback address']) {
      expect(html).toContain(value);
    }
  });

  it('says so where no PKCE and no scope came', async () => {
    const { code_challenge: _, code_challenge_method: __, state: ___, ...bare } = request;
    const html = await views.login({ ...view, scopes: [], page: { ...view.page, request: bare } });
    expect(html).toContain('PKCE not used · state not sent');
    expect(html).toContain('requests no scopes');
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
    const html = await views.login({ ...view, notice: { word: 'unknownSubject' }, typed: 'Zoë "Z"' });
    expect(html).toMatch(/<details class="more" open>\s*<summary data-testid="login-someone-else">Someone else/);
    expect(html).toMatch(/data-testid="login-sub" value="Zoë &#34;Z&#34;" aria-invalid="true"[^>]* autofocus>/);
    expect([...html.matchAll(/autofocus/g)]).toHaveLength(1);
    expect(await views.login(view)).not.toMatch(/<details[^>]* open/);
  });

  it('keeps the username after a wrong password, which is asked for again', async () => {
    const html = await views.login({ ...view, mode: 'password', notice: { word: 'wrongPassword' }, typed: 'dora' });
    expect(html).toMatch(/data-testid="login-username" value="dora">/);
    expect(html).toMatch(/data-testid="login-password"[^>]* autofocus>/);
    expect([...html.matchAll(/autofocus/g)]).toHaveLength(1);
  });

  it.each([
    [8, false],
    [9, true],
  ])('with %s users, has a form to search them: %s', async (count, searchable) => {
    const users = Array.from({ length: count }, (_, index) => user(`user${index}`));
    const html = await views.login({ ...view, users });
    expect(testIds(html).includes('login-search')).toBe(searchable);
    expect(html).toContain('src="/assets/login.js"');
    if (searchable) expect(html).toMatch(/id="search-users" method="post"/);
    expect(testIds(await views.login({ ...view, users, mode: 'password' }))).not.toContain('login-search');
  });

  it('asks for username and password by setting', async () => {
    const html = await views.login({ ...view, mode: 'password', notice: { word: 'wrongPassword' } });
    expect(testIds(html)).toEqual(['login-username', 'login-password', 'login-submit', ...asked, ...below]);
    expect(html).toContain('src="/assets/login.js"');
    expect(html).toContain('role="alert">Wrong username or password.');
  });
});

describe('the other pages', () => {
  it('asks before the logout, and sends the checked request again', async () => {
    const html = await views.logout({
      language: english,
      page: {
        session,
        client,
        clients: [{ ...client, isTold: true }],
        post_logout_redirect_uri: 'http://localhost:5173/',
        parameters: {},
      },
      userName: 'bob name',
      action: '/connect/logout',
      fields: { state: 'a"b', client_id: 'frontend' },
    });
    expect(testIds(html)).toEqual(['logout-confirm', 'logout-cancel']);
    expect(html).toContain('<input type="hidden" name="state" value="a&#34;b">');
    expect(html).toContain('name="decision" value="logout"');
    expect(html).toContain('bob name');
    expect(html).toMatch(
      /<details[^>]*>\s*<summary>What ends with the session<\/summary>\s*<p[^>]*>Refresh tokens end/,
    );
  });

  it.each([
    ['http://localhost:5173/', true],
    ['javascript:alert(1)', false],
    ['com.example.app:/out', true],
    ['app:/out', false],
  ])('links back after the logout to %s: %s', async (returnTo, linked) => {
    const html = await views.loggedOut(signedOut({ sub: 'bob', returnTo }));
    expect(html.includes(`href="${returnTo}"`)).toBe(linked);
    expect(html).toContain(returnTo);
    expect(await views.loggedOut(signedOut({}))).toContain('Nobody was signed in');
  });

  it.each([true, false])('leads on from the end of a logout to the dashboard, if there is one: %s', async dashboard => {
    const { loggedOut } = createViews({ templatesFolder, look: { ...look, dashboard } });
    const leadsOn = (html: string) => html.includes('href="/dashboard"');
    expect(leadsOn(await loggedOut(signedOut({ sub: 'bob' })))).toBe(dashboard);
    expect(leadsOn(await loggedOut(signedOut({})))).toBe(dashboard);
    expect(leadsOn(await loggedOut(signedOut({ sub: 'bob', returnTo: 'http://localhost:5173/' })))).toBe(false);
  });

  it('tells who was told of a logout, and loads the addresses of the front channel', async () => {
    const frame = 'http://localhost:4000/out?iss=i&sid=s';
    const html = await views.loggedOut({
      language: english,
      page: {
        sub: 'bob',
        returnTo: 'http://localhost:5173/?a&b',
        notices: [
          { client_id: 'frontend', channel: 'back', url: 'http://localhost:4000/back', status: 200, milliseconds: 3.2 },
          { client_id: 'other', channel: 'back', url: 'http://localhost:4001/back', failure: 'it hangs' },
          { client_id: 'frontend', channel: 'front', url: frame },
        ],
      },
      frames: [frame],
      names: new Map([['frontend', 'Demo front end']]),
    });
    expect(html).toMatch(/Demo front end[\s\S]*http:\/\/localhost:4000\/back[\s\S]*>200<[\s\S]*3 ms[\s\S]*it hangs/);
    expect(html).toContain('<iframe src="http://localhost:4000/out?iss=i&amp;sid=s"');
    expect(html).toMatch(/<noscript><meta http-equiv="refresh" content="5;url=http:\/\/localhost:5173\/\?a&amp;b">/);
    expect(html).toMatch(/href="http:\/\/localhost:5173\/\?a&amp;b" data-testid="logout-continue" data-goes-on>/);
    expect(html).toContain('src="/assets/logged-out.js"');
  });

  it('has nothing but a script and the name of a cookie on the page that checks sessions', async () => {
    const html = await views.checkSession({ cookie: 'grantbox_state_9000' });
    expect(html).toContain('<html lang="en" data-cookie="grantbox_state_9000">');
    expect(html).toContain('<script type="module" src="/assets/check-session.js"></script>');
    expect(await views.checkSession({ cookie: hostile })).not.toContain(hostile);
  });

  it('explains an error: sent, expected, how to fix it', async () => {
    const html = await views.error({
      language: english,
      status: 400,
      error: 'invalid_request',
      reason: 'redirect_uri_not_registered',
      description: 'not registered',
      sent: 'https://a.test/',
      expected: 'https://a.test',
      requestId: 'req_1',
      detailsUrl: '/dashboard/requests/req_1',
    });
    expect(testIds(html)).toEqual(['problem-code', 'error-dashboard', 'error-copy']);
    expect(html).toContain('>invalid_request</code>');
    expect(html).toMatch(/Your app sent<\/dt><dd>https:\/\/a\.test\/[\s\S]*Expected<\/dt><dd>https:\/\/a\.test</);
    expect(html).toContain('Check http or https, the port and the slash at the end');
    expect(html).toContain('rfc6749#section-3.1.2.4');
    expect(html).toContain('href="/dashboard/requests/req_1"');
  });

  it('is content with an error it has never heard of', async () => {
    const html = await views.error({
      language: english,
      status: 500,
      error: 'e',
      reason: 'constructor',
      description: 'd',
    });
    expect(html).not.toContain('How to fix it');
    expect(html).not.toContain('undefined');
  });

  it('sends a form_post by a script file, with a button for scripts off', async () => {
    const html = await views.formPost({
      language: english,
      action: 'http://localhost:5173/cb',
      parameters: { code: 'c', state: '<s>' },
    });
    expect(html).toContain('<form id="form-post" method="post" action="http://localhost:5173/cb">');
    expect(html).toContain('name="state" value="&lt;s&gt;"');
    expect(html).toContain('src="/assets/form-post.js"');
    expect(html).toContain('type="submit"');
  });
});

describe('the consent page', () => {
  const page = { client, request: { ...request, scopes: ['openid', 'email'] }, session };
  const source = { page, user: bob, action: '/consent?a=b', scopes: new Map(), types: new Map() };

  it('has a box for each thing, named after it, and the documented test ids', async () => {
    const claims = { id_token: { acr: null, phone_number: null } };
    const authorization_details = [{ type: 'payment', amount: { value: 1, tags: ['a', 'b'] }, parts: [{ x: null }] }];
    const asked = { ...page.request, claims, authorization_details };
    const made = consentView({ language: english, ...source, page: { ...page, request: asked } });
    const html = await views.consent(made);
    expect(testIds(html)).toEqual([
      ...['consent-scope-openid', 'consent-scope-email', 'consent-claim-phone_number', 'consent-detail-0'],
      ...['consent-remember', 'consent-allow', 'consent-deny', 'consent-target'],
    ]);
    expect([...html.matchAll(/type="checkbox" name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
      ...['scope:openid', 'scope:email', 'claim:phone_number', 'detail:0', 'remember'],
    ]);
    expect(made.lines[3]?.rows).toEqual([
      ['amount.value', '1'],
      ['amount.tags', 'a, b'],
      ['parts[0].x', 'null'],
    ]);
  });

  it('shows the values that will be sent, and no claim that the user does not have', () => {
    const claims = ['name', 'middle_name', 'address'];
    const profile = { name: 'profile', description: 'see your profile', claims, access_token_claims: {} };
    const birthday = {
      name: 'birthday',
      description: 'see your birthday',
      claims: ['birthdate'],
      access_token_claims: {},
    };
    const scopes = new Map([profile, birthday].map(scope => [scope.name, scope]));
    const shown = { ...page, request: { ...request, scopes: [...scopes.keys()] } };
    const named = user('bob', { address: { locality: 'Bern' } });
    const { lines } = consentView({ language: english, ...source, scopes, user: named, page: shown });
    expect(lines.map(({ words, note, rows }) => ({ words, note, rows }))).toEqual([
      {
        words: 'See your profile',
        note: '',
        rows: [
          ['name', 'bob name'],
          ['address.locality', 'Bern'],
        ],
      },
      { words: 'See your birthday', note: 'bob name has no such claim, so nothing is sent.', rows: [] },
    ]);
  });

  it('links http and https addresses only', () => {
    const told = { client_uri: 'javascript:alert(1)', policy_uri: 'https://a.test/p', tos_uri: 'data:text/html,x' };
    const { links } = consentView({ language: english, ...source, page: { ...page, client: { ...client, ...told } } });
    expect(links).toEqual([{ label: 'Privacy policy', url: 'https://a.test/p' }]);
  });

  it.each([
    ['a configured client', { origin: 'configuration', redirect_uris: [request.redirect_uri] }, []],
    [
      'one that registered itself',
      { origin: 'registration', redirect_uris: ['https://a.test/cb'] },
      [/registered itself/],
    ],
    [
      'one known by a document, answered at this computer only',
      { origin: 'metadata_document', client_id: 'https://app.test/client.json', redirect_uris: [request.redirect_uri] },
      [/a document at app\.test/, /only on this computer/],
    ],
  ] as const)('warns of %s', (_what, changes, expected) => {
    const { warnings } = consentView({
      language: english,
      ...source,
      page: { ...page, client: { ...client, ...changes } },
    });
    expect(warnings).toEqual(expected.map(words => expect.stringMatching(words)));
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
  const hostileNotice = { client_id: hostile, channel: 'front', url: hostile, failure: hostile } as const;
  const hostileClient = { ...client, client_id: hostile, client_name: hostile };
  const pages = {
    login: () =>
      views.login({
        ...view,
        users: [hostileUser],
        notice: { word: 'unknownUser', values: { sub: hostile } },
        typed: hostile,
        action: hostile,
        scopes: [{ name: hostile, description: hostile }],
        page: {
          client: hostileClient,
          request: hostileRequest,
          cause: 'no_session',
          session: { ...session, sub: hostile },
        },
      }),
    consent: () =>
      views.consent(
        consentView({
          language: english,
          page: {
            client: {
              ...hostileClient,
              ...{ client_uri: `javascript:${hostile}`, policy_uri: `data:text/html,${hostile}`, tos_uri: hostile },
              origin: 'metadata_document',
            },
            request: {
              ...hostileRequest,
              scopes: [hostile],
              claims: { userinfo: { [hostile]: null } },
              authorization_details: [{ type: hostile, [hostile]: { [hostile]: [hostile] } }],
            },
            session: { ...session, sub: hostile },
          },
          user: hostileUser,
          action: hostile,
          scopes: new Map([
            [hostile, { name: hostile, description: hostile, claims: [hostile], access_token_claims: {} }],
          ]),
          types: new Map(),
        }),
      ),
    password: () => views.login({ ...view, mode: 'password', page: { ...view.page, hinted: hostileUser } }),
    logout: () =>
      views.logout({
        language: english,
        page: {
          session: { ...session, sub: hostile },
          client: hostileClient,
          clients: [{ ...hostileClient, isTold: false }],
          post_logout_redirect_uri: hostile,
          parameters: {},
        },
        userName: hostile,
        action: hostile,
        fields: { [hostile]: hostile },
      }),
    'logged out': () =>
      views.loggedOut({
        language: english,
        page: { sub: hostile, returnTo: `https://a.test/${hostile}`, notices: [hostileNotice] },
        frames: [`https://a.test/${hostile}`],
        names: new Map([[hostile, hostile]]),
      }),
    error: () =>
      views.error({
        language: english,
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
    form_post: () => views.formPost({ language: english, action: hostile, parameters: { [hostile]: hostile } }),
    message: () => views.message({ language: english, origin: hostile, message: { [hostile]: hostile } }),
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

  it('escapes: no template prints anything raw but its partials, and texts whose values are escaped', () => {
    const files = readdirSync(templatesFolder, { recursive: true, encoding: 'utf8' }).filter(file =>
      file.endsWith('.ejs'),
    );
    // snippets are no HTML: test/dashboard/snippets.test.ts looks at what they print raw; the texts of a lesson are HTML already,
    // which test/extensions/lessons/lesson-pages.test.ts finds escaped
    const ofLessons = [
      'handout-quizzes',
      'lab-prediction',
      'lab-steps',
      'lesson',
      'lesson-command',
      'lesson-end',
      'lesson-handout',
      'lesson-lab',
      'lesson-quiz',
      'lesson-task',
      'lesson-text',
      'lessons',
      'lessons-row',
    ];
    const lessons = ofLessons.map(name => join('dashboard', `${name}.ejs`));
    const raw = files
      .filter(file => !file.startsWith('snippets') && !lessons.includes(file))
      .flatMap(
        file => readFileSync(join(templatesFolder, file), 'utf8').match(/<%-(?!\s*(?:include|html)\().*/g) ?? [],
      );
    expect(files.length).toBeGreaterThan(10);
    expect(raw).toEqual([]);
  });
});

describe('fixes', () => {
  it.each(Object.entries(entries))('%s is a sentence, with a rule that can be read', (_, { fix, rfc }) => {
    expect(fix).toMatch(/^[A-Z][\s\S]*\.$/);
    if (rfc !== '') expect(rfc).toMatch(referenceForm);
  });

  it('knows only its own reasons', () => {
    expect(fixFor('pkce_mismatch')).toBeDefined();
    expect([fixFor('toString'), fixFor('')]).toEqual([undefined, undefined]);
  });
});

describe('assets', () => {
  it.each([...assets, ...modules.extensions.flatMap(each => each.assets ?? [])])('%s lies in the templates', name => {
    // The scripts are built; the stylesheet and the icon are there from the start.
    if (!name.endsWith('.js')) expect(existsSync(join(templatesFolder, 'assets', name))).toBe(true);
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
