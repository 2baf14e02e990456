import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { authorizationUrl } from '../support/authorization-url.ts';
import { post, signIn } from '../support/wire.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const openPage = (path: string, options?: BrowserContextOptions) => stage.openPage(`/dashboard${path}`, options);

const noScripts = { javaScriptEnabled: false } as const;
const textOf = (page: Page, testId: string) => page.getByTestId(testId).first().textContent();

describe('the page of a client', () => {
  it('is a form that works without scripts, and shows the change and the lines that keep it', async () => {
    const page = await openPage('/clients/frontend', noScripts);
    expect(await page.getByTestId('clients-standing').count()).toBe(0);
    await page.getByTestId('clients-redirect_uris').fill('https://app.example/a\nhttps://app.example/b');
    await page.getByTestId('clients-loopback_redirects').uncheck();
    await page.getByTestId('clients-access_token_lifetime').fill('60');
    await page.getByLabel('client credentials').check();
    await page.getByLabel('client_secret_basic').check();
    await page.getByLabel('none', { exact: true }).uncheck();
    await page.getByTestId('clients-client_secret').fill('a secret');
    await page.getByTestId('clients-save').click();
    expect(await textOf(page, 'clients-done')).toContain('Saved in memory');
    expect(await textOf(page, 'clients-standing')).toBe('changed');
    const lines = await page.locator('#lines-typescript').textContent();
    expect(lines).toContain("redirect_uris: ['https://app.example/a', 'https://app.example/b'],");
    expect(lines).toContain('access_token_lifetime: 60,');
    expect(lines).not.toContain('loopback_redirects');
    await page.getByTestId('clients-revert').click();
    expect(await page.getByTestId('clients-standing').count()).toBe(0);
    expect(await page.getByTestId('clients-access_token_lifetime').inputValue()).toBe('300');
  });

  it('keeps the typed text beside its problem', async () => {
    const page = await openPage('/clients/frontend', noScripts);
    await page.getByTestId('clients-redirect_uris').fill('https://app.example/a\nnowhere');
    await page.getByTestId('clients-access_token_lifetime').fill('a minute');
    await page.getByTestId('clients-client_name').fill('Another name');
    await page.getByTestId('clients-save').click();
    const problems = await page.getByTestId('clients-problem').allTextContents();
    expect(problems).toEqual([
      expect.stringContaining('"nowhere" was sent'),
      expect.stringContaining('"a minute" was sent, expected whole seconds, from 1 to 31536000, such as 90'),
    ]);
    expect(await page.getByTestId('clients-redirect_uris').inputValue()).toBe('https://app.example/a\nnowhere');
    expect(await page.getByTestId('clients-client_name').inputValue()).toBe('Another name');
    expect(await page.getByTestId('clients-redirect_uris').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Demo front end');
  });

  it('lists all problems on top with links to the fields, and focuses the list', async () => {
    const page = await openPage('/clients/frontend', noScripts);
    expect(await page.getByTestId('clients-id_token_lifetime').isVisible()).toBe(false);
    await page.getByTestId('clients-rare').last().click();
    await page.getByTestId('clients-id_token_lifetime').fill('soon');
    await page.getByTestId('clients-save').click();
    expect(await textOf(page, 'clients-summary')).toBe('Not saved. 1 field needs attention: ID token lifetime.');
    expect(await page.getByTestId('clients-id_token_lifetime').isVisible()).toBe(true);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('f-id_token_lifetime');
    expect(await page.locator('[data-testid=clients-summary] a').getAttribute('href')).toBe('#f-id_token_lifetime');
    await page.getByTestId('clients-id_token_lifetime').fill('90');
    await page.getByTestId('clients-save').click();
    expect(await page.getByTestId('clients-id_token_lifetime').isVisible()).toBe(true);
  });

  it('tells how often it refreshed, as the list does', async () => {
    const page = await openPage('/clients', noScripts);
    expect(await page.getByTestId('clients-refreshed').count()).toBe(0);
    const { refresh_token } = await signIn(stage.sandbox.url, 'alice', { scope: 'openid offline_access' });
    await post(`${stage.sandbox.url}/oauth2/token`, {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: 'frontend',
    });
    await page.reload();
    expect(await textOf(page, 'clients-refreshed')).toMatch(/refreshed 1×, last\s+(just now|\d+ s ago)/);
    await page.goto(`${stage.sandbox.url}/dashboard/clients/frontend`);
    expect(await textOf(page, 'clients-refreshed')).toContain('refreshed 1×');
  });

  it('hides secrets for screenshots, and shows them again', async () => {
    const page = await openPage('/clients/sensor', noScripts);
    expect(await page.locator('main').textContent()).toContain('sensor-secret');
    await page.getByTestId('clients-secrets').click();
    expect(await page.locator('main').textContent()).not.toContain('sensor-secret');
    expect(await page.getByTestId('clients-client_secret').getAttribute('type')).toBe('password');
    await page.getByTestId('clients-secrets').click();
    expect(await page.getByTestId('clients-client_secret').getAttribute('type')).toBe('text');
  });

  it('adds an address that was refused, with a click', async () => {
    const uri = 'https://app.example/callback';
    const page = await openPage('/');
    await page.goto(authorizationUrl(stage.sandbox, uri));
    await page.goto(`${stage.sandbox.url}/dashboard/clients/frontend`);
    await page.getByRole('button', { name: `Add ${uri}` }).click();
    expect(await page.getByTestId('clients-redirect_uris').inputValue()).toContain(uri);
    await page.goto(authorizationUrl(stage.sandbox, uri));
    expect(await page.getByTestId('login-user-alice').count()).toBe(1);
  });
});

describe('the forms in the headers of pages', () => {
  it.each([
    ['/clients', 'clients-create', 'clients-new-id'],
    ['/users', 'users-create', 'users-new-sub'],
    ['/faults', 'faults-new', 'faults-fault'],
  ])('open on %s without scripts, from the one main button', async (path, button, field) => {
    const page = await openPage(path, noScripts);
    expect(await page.locator('main .button.primary:visible').count()).toBe(1);
    expect(await page.getByTestId(field).isVisible()).toBe(false);
    await page.getByTestId(button).click();
    expect(await page.getByTestId(field).isVisible()).toBe(true);
  });

  it('put the focus into their first field when somebody opens them', async () => {
    const page = await openPage('/clients');
    await page.getByTestId('clients-create').press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'client_id');
    await page.keyboard.press('Escape');
    expect(await textOf(page, 'clients-create')).toBe('New client');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
  });

  it('show the fields of the chosen fault, and all fields with a value', async () => {
    const page = await openPage('/faults#new');
    const isShown = (name: string) => page.getByTestId(`faults-${name}`).isVisible();
    await page.getByTestId('faults-fault').selectOption('missing_claim');
    expect([await isShown('member'), await isShown('token'), await isShown('seconds')]).toEqual([true, true, false]);
    await page.getByTestId('faults-member').fill('exp');
    await page.getByTestId('faults-fault').selectOption('slow');
    expect([await isShown('member'), await isShown('token'), await isShown('seconds')]).toEqual([true, false, true]);
    expect(await isShown('client')).toBe(true);
  });

  it('open by an address, too', async () => {
    const page = await openPage('/users#new');
    await page.getByTestId('users-new-sub').waitFor();
  });

  it('lead from a new client to the snippet for it, once', async () => {
    const page = await openPage('/clients', noScripts);
    await page.getByTestId('clients-create').click();
    await page.getByTestId('clients-new-id').fill('shop');
    await page.getByTestId('clients-new-id').press('Enter');
    expect(await page.getByTestId('clients-snippet').textContent()).toContain("client_id: 'shop'");
    await page.getByTestId('clients-redirect_uris-add').fill('https://shop.example/cb');
    await page.getByTestId('clients-redirect_uris-add').press('Enter');
    expect(await page.getByTestId('clients-redirect_uris').inputValue()).toBe('https://shop.example/cb');
    expect(await page.getByTestId('clients-snippet').count()).toBe(0);
  });
});

describe('the list of clients', () => {
  it('creates one, deletes it, and brings it back', async () => {
    const page = await openPage('/clients', noScripts);
    await page.getByTestId('clients-create').click();
    await page.getByTestId('clients-new-id').fill('frontend');
    await page.getByTestId('clients-new-submit').click();
    expect(await textOf(page, 'clients-summary')).toBe('Not created. 1 field needs attention: Client ID.');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('client_id');
    await page.getByTestId('clients-new-id').fill('https://shop.example/app?a=b#c');
    await page.getByTestId('clients-new-confidential').check();
    await page.getByTestId('clients-new-submit').click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('https://shop.example/app?a=b#c');
    await page.getByTestId('clients-delete').click();
    expect(await textOf(page, 'clients-done')).toContain('was deleted');
    expect(await page.getByTestId('clients-row').count()).toBe(2);
    await page.getByTestId('clients-restore').click();
    expect(await page.getByTestId('clients-client_secret').inputValue()).toContain('-secret');
  });

  it('filters by properties of clients', async () => {
    const page = await openPage('/clients');
    await page.getByTestId('filter-input').fill('type:confidential');
    await page.getByTestId('filter-submit').click();
    expect(await page.getByTestId('clients-row').allTextContents()).toEqual([expect.stringContaining('sensor')]);
  });
});

describe('a row of a list', () => {
  const topOf = (page: Page, id: string) => page.locator(`#${id}`).evaluate(row => row.getBoundingClientRect().top);

  it('opens its form and saves it, and stays where it is', async () => {
    const page = await openPage('/users', { viewport: { width: 1280, height: 400 } });
    await page.waitForLoadState();
    // on the page, because a click may scroll it
    const scrolledBy = () => page.evaluate(() => scrollY);
    const tops = async () => [
      (await topOf(page, 'row-alice')) + (await scrolledBy()),
      (await topOf(page, 'row-carol')) + (await scrolledBy()),
    ];
    const before = await tops();
    const form = page.locator('#row-carol');
    await form.getByTestId('users-edit-open').click();
    expect(await tops()).toEqual(before);
    await form.getByTestId('users-edit-roles').fill('clerk, admin');
    await form.getByTestId('users-edit-save').hover();
    const scrolled = await topOf(page, 'row-carol');
    await form.getByTestId('users-edit-save').click();
    await page.getByTestId('users-edit-done').waitFor();
    expect(await textOf(page, 'users-edit-done')).toContain('Saved carol: roles.');
    await page.waitForLoadState();
    expect(Math.abs((await topOf(page, 'row-carol')) - scrolled)).toBeLessThan(2);
    expect(await form.getByTestId('users-edit-roles').inputValue()).toBe('clerk admin');
    await form.getByTestId('users-edit-all').click();
    await page.getByRole('heading', { level: 1, name: 'Carol Núñez' }).waitFor();
  });

  it('does so without scripts, and keeps the typed text beside its problem', async () => {
    const page = await openPage('/clients', noScripts);
    const form = page.locator('#row-frontend');
    await form.getByTestId('clients-edit-open').click();
    await form.getByTestId('clients-edit-redirect_uris').fill('nowhere');
    await form.getByTestId('clients-edit-save').click();
    expect(await textOf(page, 'clients-edit-problem')).toContain('"nowhere" was sent, expected an absolute URI');
    expect(await form.getByTestId('clients-edit-redirect_uris').inputValue()).toBe('nowhere');
    await form.getByTestId('clients-edit-redirect_uris').fill('https://shop.example/cb');
    await form.getByTestId('clients-edit-save').click();
    expect(await textOf(page, 'clients-edit-done')).toContain('Saved frontend: redirect URIs.');
    expect(await form.getByTestId('clients-edit-redirect_uris').inputValue()).toBe('https://shop.example/cb');
  });
});

describe('the page of a user', () => {
  const shown = (page: Page) => page.locator('#user-preview');

  it('previews the tokens while somebody types, and saves nothing', async () => {
    const page = await openPage('/users/bob');
    await page.getByTestId('users-claims').fill('{"name": "Robert", "email": "r@example.com"}');
    await page.getByTestId('users-access_token_claims').fill('{"level": 42}');
    await expect.poll(() => shown(page).textContent()).toMatch(/level42/);
    await expect.poll(() => textOf(page, 'users-preview-userinfo')).toMatch(/nameRobertFrom the record of user bob/);
    await page.getByTestId('users-claims').fill('{\n"name": Robert\n}');
    await expect.poll(() => textOf(page, 'users-preview-problem')).toMatch(/claims Line 2: Robert is not a JSON value/);
    await page.reload();
    expect(await page.getByTestId('users-claims').inputValue()).toContain('Bob Brewer');
    expect(stage.sandbox.events.count('token.issued')).toBe(0);
    expect(stage.sandbox.events.count('configuration.changed')).toBe(0);
  });

  it('edits claims as names and values beside the JSON, and loses nothing', async () => {
    const page = await openPage('/users/bob');
    const claims = { name: 'Bob', text: 'true', flag: true, deep: { list: [1, { a: null }] } };
    await page.getByTestId('users-claims').fill(JSON.stringify(claims));
    const saved = async () => JSON.parse(await page.getByTestId('users-claims').inputValue());
    const table = page.getByRole('group', { name: /^Claims(?! of)/ });
    await table.getByLabel('Value of name', { exact: true }).fill('Robert');
    expect(await saved()).toEqual({ ...claims, name: 'Robert' });
    expect(await table.getByLabel('Value of text').inputValue()).toBe('"true"');
    expect(await table.getByLabel('Value of deep').inputValue()).toBe('{"list":[1,{"a":null}]}');
    await table.getByLabel('Name of flag').fill('');
    await table.getByLabel('New claim', { exact: true }).fill('email');
    await table.getByLabel('Value of the added claim').fill('r@example.com');
    await expect.poll(() => textOf(page, 'users-preview-userinfo')).toContain('r@example.com');
    expect(await saved()).toEqual({ name: 'Robert', text: 'true', deep: claims.deep, email: 'r@example.com' });
    await page.getByTestId('users-claims').fill('{');
    expect(await table.count()).toBe(0);
    await page.getByTestId('users-claims').fill('{ "__proto__": 1, "big": 12345678901234567890 }');
    expect(await table.count()).toBe(0);
  });

  it('shows them for the client and the scopes that are chosen', async () => {
    const page = await openPage('/users/alice');
    await page.getByTestId('users-preview-scope').fill('products:read');
    await expect.poll(() => shown(page).textContent()).toContain('the scope openid is not requested');
    expect(await page.getByTestId('users-preview-id').count()).toBe(0);
    await page.getByTestId('users-preview-scope').fill('openid telemetry:write');
    await expect.poll(() => shown(page).textContent()).toContain('may not request telemetry:write');
  });

  it('does so without scripts, too: with a button', async () => {
    const page = await openPage('/users/alice', noScripts);
    await page.getByTestId('users-preview-scope').fill('openid');
    await page.getByTestId('users-preview-show').click();
    expect(page.url()).toContain('scope=openid');
    expect(await textOf(page, 'users-preview-userinfo')).not.toContain('Alice Archer');
    await page.getByTestId('users-access_token_claims').fill('{"level": 7}');
    await page.getByTestId('users-preview-button').click();
    expect(await textOf(page, 'users-preview-access')).toContain('level7');
    expect(await page.getByTestId('users-access_token_claims').inputValue()).toBe('{"level": 7}');
    expect(await page.getByTestId('users-preview-scope').inputValue()).toBe('openid');
  });

  it('saves without a password, and names the line of a mistake', async () => {
    const page = await openPage('/users/bob', noScripts);
    await page.getByTestId('users-claims').fill('{\n  "name": "Robert",\n  "iss": "me"\n}');
    await page.getByTestId('users-save').click();
    expect(await textOf(page, 'users-problem')).toContain('Line 3: expected a different name');
    await page.getByTestId('users-claims').fill('{ "name": "Robert" }');
    await page.getByTestId('users-save').click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Robert');
    expect(await page.locator('#lines-typescript').textContent()).toContain("claims: { name: 'Robert' },");
    await page.getByTestId('users-duplicate').click();
    expect(page.url()).toContain('/users/bob-2');
  });

  it('names the field of a new user that is wrong, and puts the focus there', async () => {
    const page = await openPage('/users', noScripts);
    await page.getByTestId('users-create').click();
    await page.getByTestId('users-new-sub').fill('alice');
    await page.getByTestId('users-new-email').fill('second@example.com');
    await page.getByTestId('users-new-submit').click();
    expect(await textOf(page, 'users-summary')).toBe('Not created. 1 field needs attention: Subject.');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('sub');
    expect(await page.getByTestId('users-new-email').inputValue()).toBe('second@example.com');
    expect(await textOf(page, 'users-problem')).toContain('a sub that no other user has');
  });

  it('logs in as the user with one click, and ends the session again', async () => {
    const page = await openPage('/users/carol');
    await page.getByTestId('users-log-in').click();
    await page.waitForURL('**/dashboard/tokens/tok_*');
    expect(stage.sandbox.events.latest('token.issued', 1)[0]).toMatchObject({ sub: 'carol' });
    await page.goto(`${stage.sandbox.url}/dashboard/users/carol`);
    await page.getByTestId('users-end-session').click();
    expect(await textOf(page, 'users-done')).toContain('Session ended');
    expect(await page.getByTestId('users-session').count()).toBe(0);
  });

  it('is there for a person who was made up', async () => {
    const page = await openPage('/users', noScripts);
    await page.getByTestId('users-make-up').click();
    expect(await page.getByTestId('users-claims').inputValue()).toContain('@example.com');
    await page.getByTestId('users-delete').click();
    await page.getByTestId('users-restore').click();
    expect(await page.getByTestId('users-claims').inputValue()).toContain('@example.com');
  });
});

describe('the page of the keys', () => {
  it('rotates them, and says which were before', async () => {
    const page = await openPage('/keys', noScripts);
    await page.getByTestId('keys-rotate').click();
    expect(await page.getByTestId('keys-state').allTextContents()).toEqual(['signing', 'published']);
    await page.getByTestId('keys-unpublish').click();
    expect(await page.getByTestId('keys-state').allTextContents()).toEqual([
      'signing',
      'not published',
      'not published',
    ]);
    expect(await page.locator('main').textContent()).not.toMatch(/"d":|PRIVATE/);
  });
});

describe('the settings', () => {
  const background = async (page: Page) => {
    await page.waitForLoadState(); // elements of a page are there before its styles
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  };

  it('make every page dark or light, whatever the system is, the login page among them', async () => {
    const page = await openPage('/settings', { colorScheme: 'light' });
    const light = await background(page);
    await page.getByTestId('settings-theme-dark').click();
    await page.locator('[data-testid=settings-theme-dark][aria-pressed=true]').waitFor();
    const dark = await background(page);
    expect(dark).not.toBe(light);
    await page.goto(authorizationUrl(stage.sandbox, 'http://localhost:3000/callback'));
    expect(await background(page)).toBe(dark);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${stage.sandbox.url}/dashboard/settings`);
    await page.getByTestId('settings-theme-light').click();
    await page.locator('[data-testid=settings-theme-light][aria-pressed=true]').waitFor();
    expect(await background(page)).toBe(light);
  });

  it('ask once more before everything is forgotten, in a dialog', async () => {
    const page = await openPage('/settings');
    await page.getByTestId('settings-reset').click();
    await page.getByTestId('settings-reset-dialog').getByTestId('settings-reset-keep').click();
    expect(await page.getByTestId('settings-reset-dialog').isVisible()).toBe(false);
    expect(stage.sandbox.events.count('sandbox.reset')).toBe(0);
    await page.getByTestId('settings-reset').click();
    await page.getByTestId('settings-reset-confirm').click();
    await page.getByTestId('settings-done').waitFor();
    expect(stage.sandbox.events.count('sandbox.reset')).toBe(1);
  });

  it('do so on a page of its own without scripts', async () => {
    const page = await openPage('/settings', noScripts);
    await page.getByTestId('settings-reset').click();
    await page.getByTestId('settings-reset-confirm').click();
    expect(await textOf(page, 'settings-done')).toContain('The sandbox was reset');
  });
});

describe('issuers made at run time', () => {
  it('are a list that leads to their dashboards, and ends them, without scripts too', async () => {
    await stage.sandbox.createIssuer({}, { id: 'worker-1' });
    const made = await stage.sandbox.createIssuer({ label: 'worker two' }, { id: 'worker-2' });
    const page = await openPage('/settings', noScripts);
    expect(await page.getByTestId('settings-issuer').count()).toBe(2);
    await page.getByTestId('settings-issuer-link').first().click();
    expect(new URL(page.url()).pathname).toBe('/i/worker-2/dashboard');
    expect(await page.getByText('worker two').count()).toBeGreaterThan(0);
    await page.goBack();
    await page.getByRole('button', { name: 'End worker-2' }).click();
    expect(await textOf(page, 'settings-done')).toBe('Issuer worker-2 has ended.');
    expect(await page.getByTestId('settings-issuer').count()).toBe(1);
    expect((await fetch(`${made.issuer}/health`)).status).toBe(410);
  });
});

describe('on a telephone', () => {
  it.each(['/clients', '/clients/frontend', '/users', '/users/alice', '/keys', '/settings'])(
    '%s does not scroll sideways at 320 pixels',
    async path => {
      const page = await openPage(path, { viewport: { width: 320, height: 700 } });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    },
  );
});
