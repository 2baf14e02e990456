import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { authorizationUrl, redeemCode } from '../support/authorization-url.ts';
import { scripts } from '../support/matrix.ts';
import { openSite } from '../support/site.ts';
import { setApplication } from './support/application.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const app = setApplication(stage);
const { openLogin, answerAt } = app;

function lastLogin() {
  return stage.sandbox.events.latest('login.succeeded', 1)[0];
}

function testIds(page: Page): Promise<string[]> {
  return page
    .locator('[data-testid]')
    .evaluateAll(elements => elements.map(element => element.getAttribute('data-testid') ?? ''));
}

describe('the login screen', () => {
  describe.each(scripts)('with scripts %s', (_name, options) => {
    it.each(['alice', 'bob', 'carol'])('signs in %s with one click', async sub => {
      const page = await openLogin({}, options);
      await page.getByTestId(`login-user-${sub}`).click();
      const answer = await answerAt(page);
      expect(answer).toEqual({
        code: expect.any(String),
        state: 'the-state',
        iss: stage.sandbox.issuer,
        session_state: expect.stringMatching(/^\S+\.\S+$/),
      });
      expect(lastLogin()).toMatchObject({ sub, client_id: 'frontend' });
      const tokens = await redeemCode(stage.sandbox, app.callback, answer.code ?? '');
      expect(tokens.id_token).toEqual(expect.any(String));
    });

    it('denies, and the application gets access_denied', async () => {
      const page = await openLogin({}, options);
      await page.getByTestId('login-deny').click();
      expect(await answerAt(page)).toMatchObject({
        error: 'access_denied',
        state: 'the-state',
        iss: stage.sandbox.issuer,
      });
      expect(lastLogin()).toBeUndefined();
    });

    it('signs in somebody nobody configured', async () => {
      const page = await openLogin({}, options);
      await page.getByText('Someone else').click();
      await page.getByTestId('login-sub').fill('dora');
      await page.getByTestId('login-submit').click();
      expect(await answerAt(page)).toHaveProperty('code');
      expect(lastLogin()).toMatchObject({ sub: 'dora' });
    });
  });

  it('is found by role and name', async () => {
    const page = await openLogin();
    await page.getByRole('button', { name: /Carol Núñez/ }).click();
    expect(await answerAt(page)).toHaveProperty('code');
  });

  it('knows a configured user by the e-mail address typed into Someone else', async () => {
    const page = await openLogin();
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('bob@example.com');
    await page.keyboard.press('Enter');
    await answerAt(page);
    expect(lastLogin()).toMatchObject({ sub: 'bob' });
  });

  it('explains an invalid subject, and lets the user try again', async () => {
    const page = await openLogin();
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('Zoë');
    await page.getByTestId('login-submit').click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('printable ASCII');
    expect(await page.getByTestId('login-sub').isVisible()).toBe(true);
    expect(await page.locator(':focus').inputValue()).toBe('Zoë');
    await page.getByTestId('login-user-alice').click();
    expect(await answerAt(page)).toHaveProperty('code');
  });

  it('is done with the keyboard: Enter signs in who signed in last', async () => {
    const page = await openLogin();
    await page.getByTestId('login-user-bob').click();
    await answerAt(page);
    await page.goto(authorizationUrl(stage.sandbox, app.callback, { prompt: 'login' }));
    const focused = page.locator(':focus');
    expect(await focused.getAttribute('data-testid')).toBe('login-user-bob');
    expect(await page.getByTestId('login-user-bob').textContent()).toContain('Last used');
    await page.keyboard.press('Enter');
    expect(await answerAt(page)).toHaveProperty('code');
    expect(stage.sandbox.events.latest('login.succeeded', 2).map(({ sub }) => sub)).toEqual(['bob', 'bob']);
  });

  it('reaches every control with the keyboard, in the order of the page', async () => {
    const page = await openLogin();
    const order: (string | null)[] = [];
    for (let presses = 0; presses < 10; presses++) {
      order.push(await page.locator(':focus').evaluate(element => element.dataset.testid ?? element.tagName));
      await page.keyboard.press('Tab');
    }
    expect(order).toEqual([
      'login-user-alice',
      'login-user-bob',
      'login-user-carol',
      ...['SUMMARY', 'SUMMARY'],
      ...['login-someone-else', 'login-edit', 'login-deny', 'login-fail'],
      'login-flow',
    ]);
  });

  it('puts the user the application hints at first', async () => {
    const page = await openLogin({ login_hint: 'carol@example.com' });
    expect((await testIds(page))[0]).toBe('login-user-carol');
    await page.keyboard.press('Enter');
    await answerAt(page);
    expect(lastLogin()).toMatchObject({ sub: 'carol' });
  });

  it('does not ask who is signed in already, and asks again for prompt=login, once', async () => {
    const page = await openLogin();
    await page.getByTestId('login-user-alice').click();
    await answerAt(page);
    await page.goto(authorizationUrl(stage.sandbox, app.callback));
    expect(new URL(page.url()).origin).toBe(app.origin);

    await page.goto(authorizationUrl(stage.sandbox, app.callback, { prompt: 'login' }));
    expect(await page.getByTestId('login-user-alice').isVisible()).toBe(true);
    await page.getByTestId('login-user-bob').click();
    expect(await answerAt(page)).toHaveProperty('code');
    expect(lastLogin()).toMatchObject({ sub: 'bob' });
  });

  it('offers to continue as who is signed in, first and focused, or as somebody else', async () => {
    const page = await openLogin();
    await page.getByTestId('login-user-alice').click();
    await answerAt(page);
    await page.goto(authorizationUrl(stage.sandbox, app.callback, { prompt: 'select_account' }));
    expect(await page.locator(':focus').getAttribute('data-testid')).toBe('login-continue');
    expect(await page.getByTestId('login-continue').textContent()).toContain('Continue as Alice Archer');
    await page.keyboard.press('Enter');
    expect(await answerAt(page)).toHaveProperty('code');
    expect(stage.sandbox.events.latest('login.succeeded', 2)).toHaveLength(1);

    await page.goto(authorizationUrl(stage.sandbox, app.callback, { prompt: 'select_account' }));
    await page.getByTestId('login-user-bob').click();
    expect(await answerAt(page)).toHaveProperty('code');
    expect(lastLogin()).toMatchObject({ sub: 'bob' });
  });

  it('survives a second hop of the application to a third site', async () => {
    const hopping = await openSite(({ url }) =>
      url.pathname === '/landed'
        ? { body: '<!doctype html><title>Landed</title>' }
        : { status: 302, headers: { Location: `${app.elsewhere}/landed${url.search}` } },
    );
    const page = await stage.newPage();
    await page.goto(authorizationUrl(stage.sandbox, `${hopping.origin}/callback`));
    await page.getByTestId('login-user-alice').click();
    await page.waitForURL(`${app.elsewhere}/landed?*`);
    expect(new URL(page.url()).searchParams.get('code')).toEqual(expect.any(String));
    await hopping.close();
  });

  it('takes a request that was posted from the application', async () => {
    const page = await stage.newPage();
    const fields = [...new URL(authorizationUrl(stage.sandbox, app.callback)).searchParams].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    const site = await openSite(() => ({
      body: `<!doctype html><form method="post" action="${stage.sandbox.url}/oauth2/authorize">${fields.join('')}<button>Go</button></form>`,
    }));
    await page.goto(site.elsewhere);
    await page.getByRole('button').click();
    await page.getByTestId('login-user-alice').click();
    expect(await answerAt(page)).toHaveProperty('code');
    await site.close();
  });
});

describe('with many users', () => {
  const users = Array.from({ length: 12 }, (_, index) => ({
    sub: `user-${index + 1}`,
    claims: { name: index === 6 ? 'Zoë Núñez' : `Person ${index + 1}`, email: `person-${index + 1}@example.com` },
  }));

  beforeEach(async () => {
    await stage.restart({ users });
  });

  it('is searched by name, e-mail and subject, and Enter takes the first', async () => {
    const page = await openLogin();
    const search = page.getByTestId('login-search');
    const cards = page.locator('.people li');
    const shows = (count: number) => expect.poll(() => cards.count()).toBe(count);
    expect(await page.locator(':focus').getAttribute('data-testid')).toBe('login-user-user-1');
    await search.fill('nobody');
    await shows(0);
    await search.fill('PERSON-1');
    await shows(4);
    expect(await page.locator('#search-result').textContent()).toBe('4 of 12 users');
    await search.fill('');
    await shows(12);
    await search.fill('zoe nunez');
    await page.keyboard.press('Enter'); // before the list has changed
    await answerAt(page);
    expect(lastLogin()).toMatchObject({ sub: 'user-7' });
  });

  it('is searched by a button with scripts off', async () => {
    const page = await openLogin({}, { javaScriptEnabled: false });
    await page.getByTestId('login-search').fill('person 12');
    await page.getByTestId('login-find').click();
    expect(await page.locator('.people li').count()).toBe(1);
    await page.getByTestId('login-user-user-12').click();
    expect(await answerAt(page)).toHaveProperty('code');
  });
});

describe('password mode', () => {
  const users = [
    { sub: 'alice', username: 'alice.archer', password: 'right', claims: { name: 'Alice Archer' } },
    { sub: 'bob', claims: { name: 'Bob Brewer', email: 'bob@example.com' } },
  ];

  async function openPasswordLogin(options: BrowserContextOptions = {}, parameters = {}): Promise<Page> {
    await stage.restart({ loginMode: 'password', users });
    return openLogin(parameters, options);
  }

  it.each(scripts)(
    'asks for username and password, and refuses a wrong one, with scripts %s',
    async (_name, options) => {
      const page = await openPasswordLogin(options);
      await page.getByTestId('login-username').fill('alice.archer');
      await page.getByTestId('login-password').fill('wrong');
      await page.getByTestId('login-submit').click();
      await expect.poll(() => page.getByRole('alert').textContent()).toBe('Wrong username or password.');
      expect(lastLogin()).toBeUndefined();
      expect(await page.getByTestId('login-username').inputValue()).toBe('alice.archer');
      expect(await page.getByTestId('login-password').inputValue()).toBe('');
      await page.getByTestId('login-password').fill('right');
      await page.getByTestId('login-submit').click();
      expect(await answerAt(page)).toHaveProperty('code');
      expect(lastLogin()).toMatchObject({ sub: 'alice', amr: ['pwd'] });
    },
  );

  it('takes any password where none is configured, by keyboard alone', async () => {
    const page = await openPasswordLogin();
    expect(await page.locator(':focus').getAttribute('data-testid')).toBe('login-username');
    await page.keyboard.type('bob@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('whatever');
    await page.keyboard.press('Enter');
    await answerAt(page);
    expect(lastLogin()).toMatchObject({ sub: 'bob' });
  });

  it('fills in the username the application hints at', async () => {
    const page = await openPasswordLogin({}, { login_hint: 'alice' });
    expect(await page.getByTestId('login-username').inputValue()).toBe('alice.archer');
  });
});

describe('the error page', () => {
  it.each([
    ['an unknown client', { client_id: 'frontent' }, 'invalid_request', 'frontent'],
    ['a foreign redirect URI', { redirect_uri: 'https://evil.example/callback' }, 'invalid_request', 'evil.example'],
    ['no redirect URI', { redirect_uri: '' }, 'invalid_request', ''],
  ])('is shown for %s, and nobody is sent on', async (_name, parameters, code, sent) => {
    const page = await openLogin(parameters);
    expect(await page.getByTestId('problem-code').textContent()).toBe(code);
    expect(await page.locator('main').textContent()).toContain(sent);
    expect(await page.getByRole('heading', { name: 'Fix it' }).isVisible()).toBe(true);
    expect(new URL(page.url()).origin).toBe(new URL(stage.sandbox.url).origin);
    expect(app.requests).toEqual([]);
  });

  it('copies its details, and tries the same request again', async () => {
    const page = await openLogin({ client_id: 'nobody' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByTestId('error-copy').click();
    await expect.poll(() => page.getByTestId('error-copy').textContent()).toBe('Copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^HTTP 400 invalid_request\ndescription: .+\nreason: client_unknown\nrequest: req_/);
    const address = page.url();
    await page.getByTestId('error-again').click();
    expect(page.url()).toBe(address);
    expect(stage.sandbox.events.latest('error.returned', 2)).toHaveLength(2);
  });

  it('offers no copying with scripts off, but the same links', async () => {
    const page = await openLogin({ client_id: 'nobody' }, { javaScriptEnabled: false });
    expect(await page.getByTestId('error-copy').isVisible()).toBe(false);
    expect(await page.getByTestId('error-again').isVisible()).toBe(true);
    await page.getByTestId('error-dashboard').click();
    await page.waitForURL('**/dashboard/problems/*');
  });

  it('leads to its explanation in the dashboard', async () => {
    const page = await openLogin({ client_id: 'nobody' });
    await page.getByTestId('error-dashboard').click();
    await page.waitForURL('**/dashboard/problems/*');
    expect(await page.locator('main').textContent()).toContain('invalid_request');
  });
});

describe('response_mode=form_post', () => {
  it('posts itself to the application with scripts on', async () => {
    const page = await openLogin({ response_mode: 'form_post' });
    await page.getByTestId('login-user-alice').click();
    await page.waitForURL(app.callback);
    expect(posted()).toEqual({
      code: expect.any(String),
      state: 'the-state',
      iss: stage.sandbox.issuer,
      session_state: expect.stringMatching(/^\S+\.\S+$/),
    });
  });

  it('has a button with scripts off', async () => {
    const page = await openLogin({ response_mode: 'form_post' }, { javaScriptEnabled: false });
    await page.getByTestId('login-user-alice').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(app.callback);
    expect(posted()).toEqual({
      code: expect.any(String),
      state: 'the-state',
      iss: stage.sandbox.issuer,
      session_state: expect.stringMatching(/^\S+\.\S+$/),
    });
  });

  it('sends a denial in the same way', async () => {
    const page = await openLogin({ response_mode: 'form_post' });
    await page.getByTestId('login-deny').click();
    await page.waitForURL(app.callback);
    expect(posted()).toMatchObject({ error: 'access_denied', state: 'the-state' });
  });

  function posted(): Record<string, string> {
    const [request] = app.requests.filter(({ method }) => method === 'POST');
    return Object.fromEntries(new URLSearchParams(request?.body));
  }
});

describe('the logout page', () => {
  async function signInAndLogOut(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await openLogin({}, options);
    await page.getByTestId('login-user-alice').click();
    await answerAt(page);
    await page.goto(`${stage.sandbox.url}/connect/logout?client_id=frontend`);
    return page;
  }

  it.each(scripts)('signs out when it is confirmed, with scripts %s', async (_name, options) => {
    const page = await signInAndLogOut(options);
    expect(await page.locator('main').textContent()).toContain('Alice Archer');
    await page.getByTestId('logout-confirm').click();
    await expect.poll(() => page.getByRole('heading').textContent()).toBe('You are signed out');
    await page.goto(authorizationUrl(stage.sandbox, app.callback));
    expect(await page.getByTestId('login-user-alice').isVisible()).toBe(true);
  });

  it.each(scripts)('leaves who stays signed in, with scripts %s', async (_name, options) => {
    const page = await signInAndLogOut(options);
    await page.getByTestId('logout-cancel').click();
    await page.waitForURL('**/dashboard');
    await page.goto(authorizationUrl(stage.sandbox, app.callback));
    expect(new URL(page.url()).origin).toBe(app.origin);
  });

  it('says that nobody was signed in', async () => {
    const page = await stage.newPage();
    await page.goto(`${stage.sandbox.url}/connect/logout`);
    expect(await page.getByRole('heading').textContent()).toBe('Nobody was signed in');
  });
});

/** Changing one of these is a breaking change: other people's end-to-end tests click on them. */
describe('the data-testid contract', () => {
  const answers = [
    ...['access_denied', 'login_required', 'consent_required', 'interaction_required', 'account_selection_required'],
    ...['temporarily_unavailable', 'server_error', 'wrong_state', 'no_answer'],
  ].map(code => `login-error-${code}`);
  const asked = ['login-scopes', 'login-details', 'login-automation'];
  const below = ['login-deny', 'login-fail', ...answers, 'login-flow'];

  it('holds on the login screen', async () => {
    const page = await openLogin();
    const picker = [
      'login-user-alice',
      'login-user-bob',
      'login-user-carol',
      ...[...asked, 'login-someone-else'],
      ...['login-claims-of', 'login-fill-in', 'login-make-up', 'login-sub', 'login-claims'],
      ...['login-keep-login', 'login-keep-user', 'login-submit', 'login-preview', 'login-edit'],
      ...below,
    ];
    expect(await testIds(page)).toEqual(picker);
    await page.getByTestId('login-user-alice').click();
    await answerAt(page);
    await page.goto(authorizationUrl(stage.sandbox, app.callback, { prompt: 'select_account' }));
    expect(await testIds(page)).toEqual(['login-continue', ...picker]);
  });

  it('holds in password mode', async () => {
    await stage.restart({ loginMode: 'password' });
    const page = await openLogin();
    expect(await testIds(page)).toEqual(['login-username', 'login-password', 'login-submit', ...asked, ...below]);
  });

  it('holds on the error and logout pages', async () => {
    const page = await openLogin({ client_id: 'nobody' });
    const explanation = ['problem-code', 'problem-title', 'problem-comparison', 'problem-certainty', 'problem-why'];
    expect(await testIds(page)).toEqual([
      ...[...explanation, 'problem-fix'],
      ...['error-again', 'error-dashboard', 'error-copy'],
    ]);
    await page.goto(authorizationUrl(stage.sandbox, app.callback));
    await page.getByTestId('login-user-alice').click();
    await answerAt(page);
    await page.goto(`${stage.sandbox.url}/connect/logout`);
    expect(await testIds(page)).toEqual(['logout-confirm', 'logout-cancel']);
  });
});

describe('hostile text', () => {
  const attack = '"><script>alert(1)</script><img src=x onerror=alert(2)>\'';
  const sub = 'mallory<img/src=x/onerror=alert(3)>';

  beforeEach(async () => {
    await stage.restart({
      label: attack,
      clients: [
        {
          client_id: 'frontend',
          client_name: attack,
          scope: 'openid profile evil',
          redirect_uris: [app.callback],
          loopback_redirects: true,
        },
      ],
      scopes: { evil: { description: attack } },
      users: [{ sub, claims: { name: attack, email: attack, roles: [attack], email_verified: false } }],
    });
  });

  async function expectText(page: Page): Promise<void> {
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(await page.evaluate(() => document.scripts.length)).toBeLessThanOrEqual(1);
  }

  const parameters = {
    scope: 'openid profile evil',
    state: attack,
    nonce: attack,
    login_hint: attack,
    ui_locales: attack,
  };

  it('stays text on the login screen, and comes back unchanged as state', async () => {
    const page = await openLogin(parameters);
    await expectText(page);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`Sign in to ${attack}`);
    expect(await page.locator('.person-name').textContent()).toBe(attack);
    await page.getByTestId(`login-user-${sub}`).click();
    expect(await answerAt(page)).toMatchObject({ state: attack });
    expect(lastLogin()).toMatchObject({ sub });
    await page.goto(
      authorizationUrl(stage.sandbox, app.callback, { ...parameters, prompt: 'select_account', login_hint: '' }),
    );
    await expectText(page);
    expect(await page.getByTestId('login-continue').textContent()).toContain(attack);
  });

  it('stays text on the form_post page', async () => {
    const page = await openLogin({ ...parameters, response_mode: 'form_post' }, { javaScriptEnabled: false });
    await page.getByTestId('login-deny').click();
    const state = page.locator('input[name=state]');
    expect(await state.inputValue()).toBe(attack);
    expect(await page.locator('img, main script').count()).toBe(0);
  });

  it.each([
    ['client_id', { client_id: attack }],
    ['redirect_uri', { redirect_uri: `javascript:${attack}` }],
  ])('stays text on the error page of a wrong %s', async (_name, wrong) => {
    const page = await openLogin(wrong);
    await expectText(page);
    expect(await page.locator('.sent dd').textContent()).toContain('<img src=x onerror=alert(2)>');
    expect(await page.locator('main a[href^="javascript:"]').count()).toBe(0);
  });

  it('stays text on the logout pages', async () => {
    const page = await openLogin(parameters);
    await page.getByTestId(`login-user-${sub}`).click();
    await answerAt(page);
    await page.goto(
      `${stage.sandbox.url}/connect/logout?${new URLSearchParams({ client_id: 'frontend', state: attack })}`,
    );
    await expectText(page);
    expect(await page.locator('main').textContent()).toContain(attack);
    await page.getByTestId('logout-confirm').click();
    await expect.poll(() => page.getByRole('heading').textContent()).toBe('You are signed out');
    await expectText(page);
  });
});
