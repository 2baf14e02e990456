import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../../src/index.ts';
import { chromiumPath } from '../../browser/support/chromium.ts';
import { observes } from '../../observed.ts';
import { freePort } from '../../support/free-port.ts';
import { runProgram } from '../../support/program.ts';
import { openSite, type Site } from '../../support/site.ts';
import { applicationPage, bundledApplication } from '../support/bundled-application.ts';
import { type LeftUnchecked, leftUnchecked } from '../support/left-unchecked.ts';
import { madeFolder } from '../support/made-folder.ts';

// Libraries of browsers pass the plans of the examiner, or fail only for what is written here. A script of Playwright signs in.

interface Judge {
  /** The app in test/judges/support. */
  readonly app: string;
  /** The name of the library in the result. */
  readonly library: string;
  /** The configuration of the sandbox for an app at this origin. */
  config(origin: string): SandboxConfig;
  /** The settings of the app, as an expression of `issuer` and `origin`. */
  readonly settings: string;
  /** Begins the sign-in, as an expression in the page. */
  readonly begin: string;
  /** The status of the app, if somebody is signed in. */
  readonly signedIn: string;
  /** Its modules fail or warn. */
  readonly leaves: readonly LeftUnchecked[];
}

const judges: Readonly<Record<string, Judge>> = {
  'oidc-client-ts': {
    app: 'spa',
    library: 'oidc-client-ts',
    config: origin => ({
      clients: [
        {
          client_id: 'spa',
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: [`${origin}/callback`],
          scope: 'openid profile email',
        },
      ],
    }),
    settings:
      "{ authority: issuer, client_id: 'spa', redirect_uri: origin + '/callback', scope: 'openid profile email', loadUserInfo: true }",
    begin: 'window.manager.signinRedirect()',
    signedIn: 'signed in as',
    leaves: [
      'claims',
      'notBefore',
      'hash',
      'signature',
      'metadata',
      'responseIssuer',
      'secondIssuer',
      'tokenType',
      'storage',
    ],
  },
  'keycloak-js': {
    app: 'keycloak-spa',
    library: 'keycloak-js',
    config: origin => ({
      preset: 'keycloak',
      clients: [{ client_id: 'spa', token_endpoint_auth_method: 'none', redirect_uris: [`${origin}/`] }],
    }),
    settings:
      "{ config: { url: issuer.replace(/.realms.*/, ''), realm: issuer.replace(/.*realms./, ''), clientId: 'spa' }, init: { checkLoginIframe: false } }",
    begin: 'window.keycloak.login()',
    signedIn: 'logged in',
    leaves: ['claims', 'notBefore', 'hash', 'sub', 'signature', 'responseIssuer', 'tokenType'],
  },
  '@azure/msal-browser': {
    app: 'msal-spa',
    library: 'MSAL Browser',
    config: origin => ({
      preset: 'entra',
      tls: 'self-signed',
      clients: [
        {
          client_id: 'spa',
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: [`${origin}/`],
          scope: 'openid profile email offline_access User.Read',
        },
      ],
    }),
    settings:
      "{ config: { auth: { clientId: 'spa', authority: issuer, knownAuthorities: [new URL(issuer).host], redirectUri: origin + '/' } } }",
    begin: "window.msal.loginRedirect({ scopes: ['User.Read'] })",
    signedIn: 'logged in',
    leaves: [
      'claims',
      'notBefore',
      'hash',
      'sub',
      'signature',
      'metadata',
      'responseIssuer',
      'secondIssuer',
      'tokenType',
      'storage',
    ],
  },
};

let site: Site;
beforeAll(async () => {
  const names = [...new Set(Object.values(judges).map(({ app }) => app))];
  const scripts = new Map<string, string>(
    await Promise.all(names.map(async name => [`/${name}.js`, await bundledApplication(name)] as const)),
  );
  site = await openSite(({ url, headers: { cookie = '' } }) => {
    const script = scripts.get(url.pathname);
    if (script !== undefined) return { headers: { 'Content-Type': 'text/javascript' }, body: script };
    const [, app, settings = 'null'] = /\bapp=([\w-]+)&([^;]+)/.exec(cookie) ?? [];
    return { body: applicationPage(JSON.parse(decodeURIComponent(settings)), `/${app}.js`) };
  });
});
afterAll(() => site.close());

/** A script that signs in: the app gets its settings by a cookie of this browser context. */
function scriptOf({ app, settings, begin, signedIn }: Judge): string {
  return `
const origin = ${JSON.stringify(site.origin)};
export default async ({ page, issuer }) => {
  const value = '${app}&' + encodeURIComponent(JSON.stringify(${settings}));
  await page.context().addCookies([{ name: 'app', value, url: origin }]);
  await page.goto(origin + '/');
  await page.locator('#status').filter({ hasNotText: 'starting' }).waitFor();
  await page.evaluate(() => {
    document.title = 'before';
    void ${begin}.catch(error => document.getElementById('status').replaceChildren('failed: ' + error));
  });
  const ended = await page.waitForFunction(() => {
    const status = document.getElementById('status')?.textContent ?? 'starting';
    return status.startsWith('failed') || (document.title !== 'before' && status !== 'starting') ? status : '';
  });
  return (await ended.jsonValue()).startsWith('${signedIn}');
};`;
}

interface Results {
  readonly library?: { readonly name: string };
  readonly modules: readonly Readonly<Record<'id' | 'verdict' | 'why' | 'said', string>>[];
}

describe.each(Object.entries(judges))('%s', (_name, judge) => {
  it.each(['relying-party', 'oauth-bcp', 'browser-app'])('passes the plan %s', async plan => {
    observes('command examine --login-script', 'command examine --browser');
    const cwd = await madeFolder();
    writeFileSync(join(cwd, 'clients.config.json'), JSON.stringify(judge.config(site.origin)));
    writeFileSync(join(cwd, 'login.mjs'), scriptOf(judge));
    const bundle = join(import.meta.dirname, '../../../dist/grantbox.cjs');
    const flags = ['--login-script', 'login.mjs', '--browser', await chromiumPath(), '--user', 'alice', '--plan', plan];
    const env = { PORT: String(await freePort()) };
    const result = ['--json', '--output', 'result.json'];
    const { output } = await runProgram(process.execPath, [bundle, 'examine', ...flags, ...result], { cwd, env });
    expect(existsSync(join(cwd, 'result.json')), output).toBe(true);
    const { modules, library } = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as Results;
    expect(library?.name).toBe(judge.library);
    const found = modules.filter(({ verdict }) => !['pass', 'not_applicable'].includes(verdict));
    const shown = modules.map(({ id, verdict, why, said }) => `${verdict} ${id}: ${why} ${said}`);
    const known: readonly string[] = judge.leaves.flatMap(each => leftUnchecked[each]);
    expect(
      found.map(({ id }) => id),
      shown.join('\n'),
    ).toEqual(modules.map(({ id }) => id).filter(id => known.includes(id)));
    expect(modules.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(5);
  });
});
