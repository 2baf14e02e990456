import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { createSandbox } from '../../support/bundle.ts';
import { blocksOf } from '../../support/documents.ts';
import { newFile } from '../../support/new-folder.ts';
import { openSite, type Site } from '../../support/site.ts';
import { bundleForBrowser } from '../support/run-snippet.ts';

// What the guide for those who have a Keycloak writes: its realm, and its lines of keycloak-js, in a page.
const guide = blocksOf('docs/guides/keycloak.md');
const lines = guide.find(({ text }) => text.includes("from 'keycloak-js'"))?.text ?? '';
const realm = guide.find(({ mark }) => mark === 'file shop-realm.json')?.text ?? '';

let browser: TestBrowser;
let app: Site;
let script = '';
beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite(({ url }) =>
    url.pathname === '/app.js'
      ? { headers: { 'Content-Type': 'text/javascript' }, body: script }
      : {
          body: '<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,"><p id="user"></p><script type="module" src="/app.js"></script>',
        },
  );
});
afterAll(async () => {
  expect(browser.takeTroubles()).toEqual([]);
  await browser.close();
  await app.close();
});

it('signs alice in with the roles of the imported realm', async () => {
  const own = realm.replace('http://localhost:3000', app.origin);
  await using sandbox = await createSandbox({ import: newFile('shop-realm.json', own) });
  const at = new URL(sandbox.issuer).origin;
  const written = lines.replace('http://localhost:8080', at);
  expect(written).toContain(at);
  const shown = `keycloak.tokenParsed?.['preferred_username'] + ' ' + keycloak.hasRealmRole('editor')`;
  script = await bundleForBrowser(`${written}\ndocument.getElementById('user').textContent = ${shown};`);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(app.origin);
  await page.getByRole('button', { name: /alice/i }).first().click();
  await expect.poll(() => page.locator('#user').textContent().catch(String)).toBe('alice true');
  await context.close();
});
