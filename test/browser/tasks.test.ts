import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { authorizationUrl } from '../support/authorization-url.ts';
import { get, post, signIn } from '../support/wire.ts';
import { setStage } from './support/stage.ts';

// Common tasks with the number of clicks they may take. Typing and the Enter key are not clicks.

const stage = setStage();
const token = (form: Readonly<Record<string, string>>, authorization: Readonly<Record<string, string>> = {}) =>
  post(`${stage.sandbox.url}/oauth2/token`, form, authorization);
const sensor = () =>
  token({ grant_type: 'client_credentials' }, { authorization: `Basic ${btoa('sensor:sensor-secret')}` });
const text = (page: Page, testId: string) => page.getByTestId(testId).first().textContent();

/** Opens Home and counts the clicks of the pointer in it, on all pages that follow. */
async function countedPage() {
  let clicks = 0;
  const context = await stage.profile();
  await context.exposeFunction('tellClick', () => {
    clicks += 1;
  });
  // `detail` is 0 for the click that Enter makes
  await context.addInitScript(
    'addEventListener("click", event => event.isTrusted && event.detail > 0 && tellClick(), true)',
  );
  const page = await stage.openPage('/dashboard');
  return { page, count: () => clicks };
}

/** Types into the palette, and presses Enter once the action is the first row. */
async function typeAction(page: Page, typed: string, name: string): Promise<void> {
  // the key belongs to the page's script, which runs before the page has loaded
  await page.waitForLoadState();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(typed);
  await expect.poll(() => page.locator('#palette li').first().textContent()).toContain(name);
  await page.keyboard.press('Enter');
}

interface Task {
  readonly name: string;
  readonly clicks: number;
  prepare?(): Promise<unknown>;
  /** Does it, and says what shows that it is done. */
  act(page: Page): Promise<void>;
}

const redirectUri = 'https://shop.example/callback';
const tasks: readonly Task[] = [
  {
    name: '1: find out why a login was refused',
    clicks: 1,
    async prepare() {
      await get(authorizationUrl(stage.sandbox, redirectUri));
      await get(`${stage.sandbox.url}/nope`);
    },
    async act(page) {
      await page.getByTestId('home-explain').click();
      await page.getByText(redirectUri).first().waitFor();
      expect(page.url()).toContain('/problems/');
    },
  },
  {
    name: "2: see a user's claims at a client, and change one",
    clicks: 4,
    prepare: () => signIn(stage.sandbox.url, 'bob'),
    async act(page) {
      await page.getByTestId('nav-clients').click();
      await page.getByTestId('nav-users').click();
      await page.getByRole('link', { name: 'bob', exact: true }).click();
      expect(await page.getByTestId('users-preview-client').inputValue()).toBe('frontend');
      await page.getByTestId('users-claims').focus();
      await page.getByTestId('users-claims').fill('{ "name": "Robert" }');
      await page.getByTestId('users-save').click();
      await page.getByRole('heading', { level: 1, name: 'Robert' }).waitFor();
    },
  },
  {
    name: '3: copy an access token',
    clicks: 1,
    prepare: () => signIn(stage.sandbox.url),
    async act(page) {
      await page.getByTestId('home-token').first().getByTestId('home-copy').click();
      await page
        .getByText(/Copied/)
        .first()
        .waitFor();
    },
  },
  {
    name: '4: get a token that expires in 10 s',
    clicks: 2,
    async act(page) {
      await page.getByTestId('home-mint').click();
      await page.getByTestId('mint-preset-short').click();
      await expect.poll(() => stage.sandbox.events.count('token.issued')).toBe(1);
      const [issued] = stage.sandbox.events.latest('token.issued', 1);
      expect((issued?.exp ?? 0) - (issued?.iat ?? 0)).toBe(10);
    },
  },
  {
    name: '5: let the token endpoint fail twice',
    clicks: 0,
    async act(page) {
      await typeAction(page, 'fail twice', 'Fail the token endpoint twice');
      await page.getByTestId('faults-done').waitFor();
      expect([(await sensor()).status, (await sensor()).status, (await sensor()).status]).toEqual([503, 503, 200]);
    },
  },
  {
    name: '6: see whether an application refreshes its tokens',
    clicks: 1,
    async prepare() {
      const { refresh_token } = await signIn(stage.sandbox.url);
      await token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
    },
    async act(page) {
      await page.getByTestId('nav-clients').click();
      await expect.poll(() => text(page, 'clients-refreshed')).toMatch(/refreshed 1×/);
    },
  },
  {
    name: '7: add a redirect URI',
    clicks: 3,
    async act(page) {
      await page.getByTestId('nav-clients').click();
      await page.getByRole('link', { name: 'frontend', exact: true }).click();
      await page.getByTestId('clients-redirect_uris-add').click();
      await page.keyboard.type(redirectUri);
      await page.keyboard.press('Enter');
      await page.getByTestId('clients-done').waitFor();
      expect(await page.getByTestId('clients-redirect_uris').inputValue()).toContain(redirectUri);
    },
  },
  {
    name: '8: compare two tokens',
    clicks: 4,
    async prepare() {
      await sensor();
      await sensor();
    },
    async act(page) {
      await page.getByTestId('nav-flows').click();
      await page.getByTestId('nav-tokens').click();
      await page.getByTestId('tokens-open').first().click();
      await page.getByTestId('token-compare').first().click();
      await page.getByText('Different in every token').first().waitFor();
    },
  },
  {
    name: '9: register a client, and get its snippet',
    clicks: 3,
    async act(page) {
      await page.getByTestId('nav-clients').click();
      await page.getByTestId('clients-create').click();
      await page.getByTestId('clients-new-id').click();
      await page.keyboard.type('shop');
      await page.keyboard.press('Enter');
      await expect.poll(() => text(page, 'clients-snippet')).toContain("client_id: 'shop'");
    },
  },
  {
    name: '10: show a class how PKCE works, step by step with the space bar',
    clicks: 2,
    prepare: () => signIn(stage.sandbox.url),
    async act(page) {
      await page.getByRole('link', { name: 'Open the flow' }).click();
      await page.getByTestId('flow-present').click();
      await page.getByText('Step 1 of').waitFor();
      const current = page.getByTestId('flow-steps').locator('> li').last();
      const seen: (string | null)[] = [await current.textContent()];
      for (let step = 2; !seen.at(-1)?.includes('code_verifier'); step++) {
        await page.keyboard.press('Space');
        await page.getByText(`Step ${step} of`).waitFor();
        seen.push(await current.textContent());
      }
      expect(seen.slice(0, -1).join(' ')).toContain('code_challenge');
    },
  },
  {
    name: '11: find the request that has a header',
    clicks: 1,
    prepare: () => get(`${stage.sandbox.url}/oauth2/jwks`, { 'X-Trace': 'trace-4711' }),
    async act(page) {
      await page.getByTestId('nav-requests').click();
      await page.getByTestId('filter-input').waitFor();
      // the key belongs to the page's script, which runs before the page has loaded
      await page.waitForLoadState();
      await page.keyboard.press('/');
      await page.keyboard.type('trace-4711');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=trace-4711/);
      await expect.poll(() => page.locator('tbody time').count()).toBe(1);
    },
  },
  {
    name: '12: reset everything',
    clicks: 1,
    prepare: sensor,
    async act(page) {
      await typeAction(page, 'reset', 'Reset everything');
      await page.getByTestId('settings-reset-confirm').first().click();
      await page.getByTestId('settings-done').waitFor();
      expect(stage.sandbox.events.count('token.issued')).toBe(0);
    },
  },
];

it.each(tasks)('$name, with $clicks clicks', async ({ clicks, prepare, act }) => {
  await prepare?.();
  const { page, count } = await countedPage();
  await act(page);
  expect(count()).toBe(clicks);
});

it('take no more clicks together than 23, without the search', () => {
  const counted = tasks.filter(({ name }) => !name.startsWith('11:'));
  expect(counted).toHaveLength(11);
  expect(counted.reduce((sum, { clicks }) => sum + clicks, 0)).toBeLessThanOrEqual(23);
});
