import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { openSite, type Site } from '../support/site.ts';
import { login, post } from '../support/wire.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

// A page of another site that somebody looks at while a sandbox runs on the same machine.

let browser: TestBrowser;
let attacker: Site;
let sandbox: Sandbox;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  attacker = await openSite();
  sandbox = await createSandbox();
  await login(sandbox.url, 'alice');
});
afterAll(async () => {
  await browser.close();
  await Promise.all([sandbox.stop(), attacker.close()]);
});
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  await page.goto(attacker.origin.replace('localhost', 'app.test'));
});

/** What it asks of the log: somebody who signed in, and somebody who never did. */
const searches = (user: string) => [
  `${sandbox.url}/_sandbox/events/wait?timeout=0&type=login.succeeded&q=user:${user}`,
  `${sandbox.url}/_sandbox/users/${user}`,
  `${sandbox.url}/dashboard/users/${user}`,
  `${sandbox.url}/dashboard/api/v1/events?wait=session&after=0&timeout=0&user=${user}`,
];

/** What the page learns of an address by an element: `load` or `error`, whichever comes. */
function byElement(name: 'iframe' | 'img' | 'script' | 'object' | 'embed', url: string): Promise<string> {
  return page.evaluate(
    ([name, url]) =>
      new Promise<string>(resolve => {
        const element = document.createElement(name);
        element.onload = () => resolve('load');
        element.onerror = () => resolve('error');
        if (name === 'object') element.setAttribute('data', url);
        else element.setAttribute('src', url);
        document.body.append(element);
      }),
    [name, url] as const,
  );
}

it.each(['iframe', 'img', 'script', 'embed'] as const)('learns nothing by an element: %s', async name => {
  const [right, wrong] = [searches('alice'), searches('nobod')];
  for (const [index, url] of right.entries()) {
    expect(await byElement(name, url), url).toBe(await byElement(name, wrong[index] ?? ''));
  }
});

it.each(['cors', 'no-cors'] as const)('reads nothing by fetch: %s', async mode => {
  const fetched = (url: string) =>
    page.evaluate(
      ([url, mode]) =>
        fetch(url, { mode }).then(
          response => `${response.type} ${response.status}`,
          () => 'refused',
        ),
      [url, mode] as const,
    );
  for (const url of [...searches('alice'), ...searches('nobod')]) expect(await fetched(url), url).toBe('refused');
});

it('learns nothing by a window: one that got no content would stay readable', async () => {
  const opened = (url: string) =>
    page.evaluate(
      url =>
        new Promise<string>(resolve => {
          const shown = window.open(url);
          const look = () => {
            try {
              // what got an answer has a different origin by then, or is cut off from its opener
              if (shown === null || shown.closed || shown.location.href !== 'about:blank') resolve('gone');
              else setTimeout(look, 20);
            } catch {
              resolve('gone');
            }
          };
          look();
        }),
      url,
    );
  for (const url of [...searches('alice'), ...searches('nobod')]) expect(await opened(url), url).toBe('gone');
});

it('may lead to the page that explains a refusal, which shows all of it', async () => {
  const refused = await post(`${sandbox.url}/oauth2/token`, { grant_type: 'nonsense' });
  const { error_uri } = (await refused.json()) as { error_uri: string };
  await page.evaluate(url => {
    const link = document.createElement('a');
    Object.assign(link, { href: url, textContent: 'Why?' });
    document.body.append(link);
  }, error_uri);
  await page.getByText('Why?').click();
  await page.waitForURL(error_uri);
  expect(await page.locator('h1').textContent()).toMatch(/\w/);
  await page.locator('#live.on').waitFor();
});
