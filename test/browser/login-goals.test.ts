import { decodeJwt } from 'jose';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { authorizationUrl, redeemCode } from '../support/authorization-url.ts';
import { scripts } from '../support/matrix.ts';
import { setApplication } from './support/application.ts';
import { setStage } from './support/stage.ts';

// A login takes one click, one key when a last user is known, none with auto-login. And what is beside the cards.

const stage = setStage();
const app = setApplication(stage);
const { openLogin, answerAt } = app;

async function tokensAt(page: Page) {
  const { code = '' } = await answerAt(page);
  const tokens = await redeemCode(stage.sandbox, app.callback, code);
  const response = await fetch(`${stage.sandbox.url}/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const userinfo = (await response.json()) as Record<string, unknown>;
  return { access: decodeJwt(tokens.access_token), id: decodeJwt(tokens.id_token), userinfo };
}

const lastLogin = () => stage.sandbox.events.latest('login.succeeded', 1)[0];

describe('a login', () => {
  it.each(scripts)('is one click, with scripts %s', async (_name, options) => {
    const page = await openLogin({}, options);
    await page.getByRole('button', { name: /Bob Brewer/ }).click();
    expect(await answerAt(page)).toHaveProperty('code');
    expect(lastLogin()).toMatchObject({ sub: 'bob', by: 'click' });
  });

  it.each(scripts)('is one key where a last user is known, with scripts %s', async (_name, options) => {
    const page = await openLogin({}, options);
    await page.getByTestId('login-user-carol').click();
    await answerAt(page);
    await page.goto(authorizationUrl(stage.sandbox, app.callback, { prompt: 'login' }));
    await page.locator('[data-testid="login-user-carol"]:focus').waitFor(); // a browser sets it when it first draws
    await page.keyboard.press('Enter');
    expect(await answerAt(page)).toHaveProperty('code');
    expect(lastLogin()).toMatchObject({ sub: 'carol' });
    expect(stage.sandbox.events.count('login.succeeded')).toBe(2);
  });

  it.each(scripts)('is no click at all with AUTO_LOGIN, with scripts %s', async (_name, options) => {
    observes('setting autoLogin');
    await stage.restart({ autoLogin: 'alice' });
    const page = await openLogin({}, options);
    expect(await answerAt(page)).toHaveProperty('code');
    expect(lastLogin()).toMatchObject({ sub: 'alice', by: 'environment' });
  });

  it.each([
    ['nextLogin', {}, {}, 'next_login'],
    ['sandbox_login', {}, { sandbox_login: 'bob' }, 'sandbox_login'],
    ['login_hint', { autoLogin: 'hint' }, { login_hint: 'bob' }, 'login_hint'],
  ] as const)('is none with %s', async (_name, config, parameters, by) => {
    await stage.restart(config);
    if (by === 'next_login') await stage.sandbox.nextLogin({ sub: 'bob' });
    const page = await openLogin(parameters);
    expect(await answerAt(page)).toHaveProperty('code');
    expect(lastLogin()).toMatchObject({ sub: 'bob', by });
    // the session is there: nobody is asked, and nobody signs in again
    await page.goto(authorizationUrl(stage.sandbox, app.callback));
    expect(await answerAt(page)).toHaveProperty('code');
    expect(stage.sandbox.events.count('login.succeeded')).toBe(1);
  });

  it('shows the page for prompt=login with AUTO_LOGIN_PROMPT=show, and says which rule would have signed in', async () => {
    observes('setting autoLoginPrompt');
    await stage.restart({ autoLogin: 'alice', autoLoginPrompt: 'show' });
    const page = await openLogin({ prompt: 'login' });
    await page.getByTestId('login-details').click();
    expect(await page.getByTestId('login-automation').textContent()).toContain('AUTO_LOGIN would sign in alice');
    await page.getByTestId('login-user-bob').click();
    expect(await answerAt(page)).toHaveProperty('code');
    expect(lastLogin()).toMatchObject({ sub: 'bob', by: 'click' });
  });
});

describe('the claims editor', () => {
  it.each(scripts)('changes what the tokens of this login say, with scripts %s', async (_name, options) => {
    const page = await openLogin({}, options);
    await page.getByTestId('login-someone-else').click();
    await page.getByTestId('login-claims-of').selectOption('bob');
    await page.getByTestId('login-fill-in').click();
    const editor = page.getByTestId('login-claims');
    const claims = JSON.parse(await editor.inputValue()) as Record<string, unknown>;
    expect(claims).toMatchObject({ name: 'Bob Brewer', email: 'bob@example.com' });
    expect(await page.locator(':focus').getAttribute('data-testid')).toBe('login-claims');
    await editor.fill(JSON.stringify({ ...claims, email_verified: false, roles: ['admin'], tenant: 'acme' }, null, 2));
    await page.getByTestId('login-preview').click();
    expect(await page.getByTestId('login-preview-access').textContent()).toContain('tenant: "acme"');
    await page.getByTestId('login-submit').click();
    const { access, id, userinfo } = await tokensAt(page);
    expect(access).toMatchObject({ sub: 'bob', roles: ['admin'], tenant: 'acme' });
    expect(id).toMatchObject({ tenant: 'acme' });
    expect(userinfo).toMatchObject({ name: 'Bob Brewer', email_verified: false, tenant: 'acme' });
    expect(lastLogin()?.edited).toEqual(['email_verified', 'roles', 'tenant']);
  });

  it('puts claims in with one tap each', async () => {
    const page = await openLogin();
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('alice');
    for (const name of ['roles', 'email_verified: false', 'acr', 'amr']) {
      await page.getByRole('button', { name, exact: true }).click();
    }
    expect(JSON.parse(await page.getByTestId('login-claims').inputValue())).toEqual({
      ...{ roles: ['admin'], email_verified: false, acr: '2', amr: ['pwd', 'otp'] },
    });
    await page.getByTestId('login-submit').click();
    const { access, id, userinfo } = await tokensAt(page);
    expect(access).toMatchObject({ roles: ['admin'], acr: '2', amr: ['pwd', 'otp'] });
    expect(id).toMatchObject({ acr: '2', amr: ['pwd', 'otp'] });
    // the rest is as alice has it
    expect(userinfo).toMatchObject({ name: 'Alice Archer', email: 'alice@example.com', email_verified: false });
  });

  it('inserts nothing into invalid JSON, and explains why', async () => {
    const page = await openLogin();
    await page.getByText('Someone else').click();
    await page.getByTestId('login-claims').fill('{"roles": ');
    await page.getByRole('button', { name: 'tenant' }).click();
    expect(await page.getByTestId('login-claims').inputValue()).toBe('{"roles": ');
    expect(await page.locator('#chips-result').textContent()).toContain('Nothing was inserted');
  });

  it('has no chips with scripts off', async () => {
    const page = await openLogin({}, { javaScriptEnabled: false });
    await page.getByText('Someone else').click();
    expect(await page.getByRole('button', { name: 'tenant' }).isVisible()).toBe(false);
  });

  it.each(scripts)(
    'says line and reason of a mistake, and keeps what was typed, with scripts %s',
    async (_n, options) => {
      const page = await openLogin({}, options);
      await page.getByText('Someone else').click();
      const typed = '{\n  "roles": ["admin"],\n  "exp": 1\n}';
      await page.getByTestId('login-sub').fill('zoe');
      await page.getByTestId('login-claims').fill(typed);
      await page.getByTestId('login-keep-user').check();
      await page.getByTestId('login-submit').click();
      expect(await page.getByTestId('login-claims-problem').textContent()).toBe(
        'Line 3: exp cannot be set here: the server sets this claim itself.',
      );
      expect(await page.getByTestId('login-claims').inputValue()).toBe(typed);
      expect(await page.getByTestId('login-sub').inputValue()).toBe('zoe');
      expect(await page.getByTestId('login-keep-user').isChecked()).toBe(true);
      await page.getByTestId('login-claims').fill('{"roles": ["admin"]}');
      await page.getByTestId('login-submit').click();
      expect((await tokensAt(page)).access).toMatchObject({ sub: 'zoe', roles: ['admin'] });
    },
  );

  it('is for the user where that is wanted: the next login has it', async () => {
    const page = await openLogin();
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('bob');
    await page.getByTestId('login-claims').fill('{"name": "Robert"}');
    await page.getByTestId('login-keep-user').check();
    await page.getByTestId('login-submit').click();
    await answerAt(page);
    const other = await openLogin();
    await other.getByRole('button', { name: /Robert/ }).click();
    expect((await tokensAt(other)).userinfo.name).toBe('Robert');
  });

  it('makes up a person', async () => {
    const page = await openLogin({}, { javaScriptEnabled: false });
    await page.getByText('Someone else').click();
    await page.getByTestId('login-make-up').click();
    const sub = await page.getByTestId('login-sub').inputValue();
    await page.getByTestId('login-submit').click();
    expect((await tokensAt(page)).userinfo).toMatchObject({ sub, email: `${sub}@example.com` });
  });
});

describe('an error instead', () => {
  const codes = [
    ...['access_denied', 'login_required', 'consent_required', 'interaction_required', 'account_selection_required'],
    ...['temporarily_unavailable', 'server_error'],
  ];

  it.each(codes)('is %s, by the ordinary response', async code => {
    const page = await openLogin({ response_mode: 'fragment' });
    await page.getByTestId('login-fail').click();
    await page.getByTestId(`login-error-${code}`).click();
    await page.waitForURL(url => url.origin === app.origin);
    const answer = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
    expect(answer).toMatchObject({ error: code, state: 'the-state', iss: stage.sandbox.issuer });
    expect(stage.sandbox.events.latest('error.returned', 1)[0]).toMatchObject({
      error: code,
      reason: 'chosen_on_login_screen',
    });
  });

  it.each(scripts)('can be a code with a wrong state, with scripts %s', async (_name, options) => {
    const page = await openLogin({}, options);
    await page.getByTestId('login-fail').click();
    await page.getByTestId('login-error-wrong_state').click();
    const { state, code } = await answerAt(page);
    expect(state).not.toBe('the-state');
    expect(code).toEqual(expect.any(String));
  });

  it('can be no answer, from which the request can be gone back to', async () => {
    const page = await openLogin();
    await page.getByTestId('login-fail').click();
    await page.getByTestId('login-error-no_answer').click();
    await page.getByTestId('no-answer-again').click();
    await page.getByTestId('login-user-alice').click();
    expect(await answerAt(page)).toHaveProperty('code');
    expect(app.requests).toHaveLength(1);
  });

  it('is posted where the request wants that', async () => {
    const page = await openLogin({ response_mode: 'form_post' });
    await page.getByTestId('login-fail').click();
    await page.getByTestId('login-error-consent_required').click();
    await page.waitForURL(app.callback);
    const posted = app.requests.find(({ method }) => method === 'POST');
    expect(Object.fromEntries(new URLSearchParams(posted?.body))).toMatchObject({ error: 'consent_required' });
  });
});

describe('the keyboard alone', () => {
  it('opens the editor, changes a claim and signs in', async () => {
    const page = await openLogin();
    const to = async (testId: string) => {
      for (let presses = 0; presses < 40; presses++) {
        const focused = await page.locator(':focus').evaluate(element => element.dataset.testid ?? element.textContent);
        if (focused?.startsWith(testId)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${testId} is not reached`);
    };
    await to('login-someone-else');
    await page.keyboard.press('Enter');
    await to('login-claims-of');
    await page.keyboard.press('ArrowDown');
    await to('login-fill-in');
    await page.keyboard.press('Enter');
    await to('login-claims');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('{"name": "Typed"}');
    await to('login-submit');
    await page.keyboard.press('Enter');
    const { userinfo } = await tokensAt(page);
    expect(userinfo).toEqual({ sub: 'bob', name: 'Typed' });
  });

  it('signs in with Enter in the field for the subject, whatever buttons are near', async () => {
    const page = await openLogin();
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('erin@example.org');
    await page.keyboard.press('Enter');
    expect((await tokensAt(page)).userinfo).toMatchObject({ sub: 'erin@example.org', email: 'erin@example.org' });
  });

  it('sends an error', async () => {
    const page = await openLogin();
    await page.getByTestId('login-fail').press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await answerAt(page)).toMatchObject({ error: 'access_denied' });
  });
});

describe('hostile text', () => {
  const attack = '"><script>alert(1)</script></textarea><img src=x onerror=alert(2)>';

  it('stays text in the editor, its preview and its messages', async () => {
    await stage.restart({ users: [{ sub: 'mallory<img src=x>', claims: { name: attack, [attack]: attack } }] });
    const page = await openLogin({ login_hint: attack });
    await page.getByText('Someone else').click();
    await page.getByTestId('login-fill-in').click();
    expect(JSON.parse(await page.getByTestId('login-claims').inputValue())).toEqual({ name: attack, [attack]: attack });
    await page.getByTestId('login-preview').click();
    expect(await page.getByTestId('login-preview-userinfo').textContent()).toContain(attack.replaceAll('"', '\\"'));
    await page.getByTestId('login-claims').fill(attack);
    await page.getByTestId('login-submit').click();
    expect(await page.getByTestId('login-claims').inputValue()).toBe(attack);
    expect(await page.locator('img, main script').count()).toBe(0);
  });

  it('stays text on pages that sign in without a click', async () => {
    await stage.restart({ autoLoginPrompt: 'show' });
    const page = await openLogin({ sandbox_login: attack, prompt: 'login' });
    await page.getByTestId('login-details').click();
    expect(await page.getByTestId('login-automation').textContent()).toContain(attack);
    expect(await page.locator('img, main script').count()).toBe(0);
  });
});
