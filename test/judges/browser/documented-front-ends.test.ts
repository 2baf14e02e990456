import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applicationText } from '../../../src/client/cli/init-command.ts';
import { variants } from '../../../src/client/cli/init-variants.ts';
import type { Sandbox } from '../../../src/index.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { chromiumPath, openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { type } from '../../client/cli/support.ts';
import { createSandbox } from '../../support/bundle.ts';
import { blocksOf, textOf } from '../../support/documents.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { openSite, type Site } from '../../support/site.ts';
import { snippetsOf } from '../../support/snippets.ts';
import { madeFolder, patience, playwrightCli } from '../support/made-folder.ts';
import { bundleForBrowser } from '../support/run-snippet.ts';

const run = promisify(execFile);

// The UserManager of each example, as it is written, in a page: it logs in, and knows name and e-mail address.

let browser: TestBrowser;
let app: Site;
let script: string;
const html =
  '<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,"><p id="user"></p>';

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite(({ url }) =>
    url.pathname === '/app.js'
      ? { headers: { 'Content-Type': 'text/javascript' }, body: script }
      : { body: `${html}<script type="module" src="/app.js"></script>` },
  );
});
afterAll(async () => {
  expect(browser.takeTroubles()).toEqual([]);
  await browser.close();
  await app.close();
});

/** What a page shows of the user after a login with this UserManager. */
async function shownAfterLogin(sandbox: Sandbox, manager: string): Promise<string> {
  const here = manager
    .replaceAll('http://localhost:9000', sandbox.issuer)
    .replace('import.meta.env.VITE_OIDC_ISSUER', `'${sandbox.issuer}'`);
  script = await bundleForBrowser(`import { UserManager } from 'oidc-client-ts';
const users = ${here};
const shown = document.getElementById('user') as HTMLElement;
if (location.search.includes('state=')) {
  const user = await users.signinCallback();
  shown.textContent = user.profile.name + ', ' + user.profile.email;
} else await users.signinRedirect();`);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(app.origin);
  await page.getByTestId('login-user-alice').click();
  await page.locator('#user').filter({ hasText: ',' }).waitFor();
  const shown = await page.locator('#user').textContent();
  await context.close();
  return shown ?? '';
}

/** The call of the constructor in a text. */
function managerIn(text: string): string {
  const [call] = /new UserManager\(\{[\s\S]*?\n\}\)/.exec(text) ?? [];
  if (call === undefined) throw new Error(`no UserManager in ${text}`);
  return call;
}

/** The same settings as properties of react-oidc-context's AuthProvider, which hands them to a UserManager. */
function managerInJsx(text: string): string {
  const [, properties = ''] = /<AuthProvider\n([\s\S]*?)\n {4}>/.exec(text) ?? [];
  const settings = properties.split('\n').map(line => {
    const [, name = '', value = 'true'] = /^ *(\w+)(?:=(.*))?$/.exec(line) ?? [];
    return `${name}: ${value.replace(/^\{(.*)\}$/, '$1')},`;
  });
  return `new UserManager({ ${settings.join(' ')} })`;
}

describe('the test of docs/testing.md', () => {
  const [spec] = blocksOf('docs/testing.md').filter(({ mark }) => mark === 'tested with Chromium');

  it('signs in without a click at an application with a fixed issuer', async () => {
    await using sandbox = await createSandbox();
    script = await bundleForBrowser(`import { UserManager } from 'oidc-client-ts';
const { origin } = location;
const users = new UserManager({ authority: '${sandbox.issuer}', client_id: 'frontend', redirect_uri: origin + '/',
  scope: 'openid email', loadUserInfo: true });
const shown = document.getElementById('user') as HTMLElement;
if (location.search.includes('state=')) shown.textContent = (await users.signinCallback())?.profile.email ?? '';
else {
  shown.innerHTML = '<button>Sign in</button>';
  shown.onclick = () => users.signinRedirect();
}`);
    const text = (spec?.text ?? '')
      .replaceAll('http://localhost:9000', sandbox.issuer)
      .replaceAll('http://localhost:5173', app.origin);
    const folder = await madeFolder();
    try {
      const launchOptions = { executablePath: await chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] };
      await writeFile(join(folder, 'login.spec.ts'), text);
      await writeFile(
        join(folder, 'playwright.config.js'),
        `export default ${JSON.stringify({ ...patience, use: { launchOptions } })}`,
      );
      const { stdout } = await run(process.execPath, [
        playwrightCli,
        'test',
        '--config',
        folder,
        '--output',
        join(folder, 'results'),
        '--reporter',
        'json',
      ]).catch(error => error as { readonly stdout: string });
      expect({ failures: stdout.match(/"message": .*/g) ?? [], ...JSON.parse(stdout) }).toMatchObject({
        failures: [],
        stats: { expected: 1, unexpected: 0, flaky: 0, skipped: 0 },
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the UserManager', () => {
  it('of the README knows who logged in', async () => {
    await using sandbox = await createSandbox();
    expect(await shownAfterLogin(sandbox, managerIn(textOf('README.md')))).toBe('Alice Archer, alice@example.com');
  });

  it.each(['react', 'vue'])('of grantbox init %s knows who logged in', async name => {
    const cwd = newFolder();
    const file = (await type(['init', name, '--print'])).out.replaceAll('http://localhost:5173', app.origin);
    await writeFile(join(cwd, 'clients.config.ts'), file);
    const flags = { port: '0', 'log-level': 'silent', watch: 'off' };
    await using sandbox = await startSandbox(await loadConfig({ cwd, flags }));
    const variant = variants.get(name);
    const manager = managerIn(variant === undefined ? '' : await applicationText(variant));
    expect(await shownAfterLogin(sandbox, manager)).toMatch(/^Alice.*, alice@example\.com$/);
  });

  it.each(['frontend', 'shop'])('of the page Connect knows who logged in: %s', async client_id => {
    const shop = { client_id: 'shop', redirect_uris: [`${app.origin}/callback`] };
    const env = client_id === 'shop' ? { CLIENTS: JSON.stringify([shop]) } : {};
    await using sandbox = await startSandbox(await loadConfig({ env, flags: { port: '0', 'log-level': 'silent' } }));
    const snippet = await snippetsOf(sandbox.url, client_id);
    for (const manager of [managerIn(snippet('spa')), managerInJsx(snippet('react'))]) {
      expect(await shownAfterLogin(sandbox, manager)).toBe('Alice Archer, alice@example.com');
    }
  });
});
