import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry } from '../../../src/index.ts';
import { chromiumPath } from '../../browser/support/chromium.ts';
import { observes } from '../../observed.ts';
import { freePort } from '../../support/free-port.ts';
import { runProgram } from '../../support/program.ts';
import { openSite, type Site } from '../../support/site.ts';
import { applicationPage, bundledApplication } from '../support/bundled-application.ts';
import { madeFolder } from '../support/made-folder.ts';

// Libraries of browsers pass the plans of the examiner, or fail for a reason that is written here. A script of Playwright signs in.

interface Judge {
  /** The app in test/judges/support. */
  readonly app: string;
  /** The configuration of the sandbox for an app at this origin. */
  config(origin: string): { readonly preset?: string; readonly clients: readonly ClientEntry[] };
  /** The settings of the app, as an expression of `issuer` and `origin`. */
  readonly settings: string;
  /** Begins the sign-in, as an expression in the page. */
  readonly begin: string;
  readonly ended: string;
  /** The modules that fail or warn, by the reason. */
  readonly known: Readonly<Record<string, readonly string[]>>;
}

const judges: Readonly<Record<string, Judge>> = {
  'oidc-client-ts': {
    app: 'spa',
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
    ended: 'signed in as|failed',
    known: {
      'checks no claim of an ID token that comes from the token endpoint': [
        ...['invalid-iss', 'missing-iss', 'invalid-aud', 'missing-aud', 'invalid-secondary-aud'],
        ...['expired', 'missing-exp', 'missing-iat'],
      ],
      'verifies no signature, because the ID token comes from the token endpoint (OIDC Core §3.1.3.7)': [
        ...['invalid-sig-rs256', 'invalid-sig-none', 'invalid-sig-hs256', 'unknown-kid', 'crit-unknown'],
      ],
      'does not compare the issuer of the metadata': ['discovery-issuer-mismatch'],
      'does not know RFC 9207': ['invalid-authorization-response-iss', 'remove-authorization-response-iss'],
      'does not read token_type': ['token-type-unknown'],
    },
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
function scriptOf({ app, settings, begin, ended }: Judge): string {
  return `
const origin = ${JSON.stringify(site.origin)};
export default async ({ page, issuer }) => {
  const value = 'app=${app}&' + encodeURIComponent(JSON.stringify(${settings}));
  await page.context().addCookies([{ name: 'app', value: value.replace('app=', ''), url: origin }]);
  await page.goto(origin + '/');
  await page.locator('#status').filter({ hasNotText: 'starting' }).waitFor();
  const status = page.locator('#status').filter({ hasText: /${ended}/ });
  await page.evaluate(() => void ${begin}.catch(error => document.getElementById('status').replaceChildren('failed: ' + error)));
  await status.waitFor();
  return !(await status.textContent()).startsWith('failed');
};`;
}

interface Results {
  readonly modules: readonly Readonly<Record<'id' | 'verdict' | 'why' | 'said', string>>[];
}

describe.each(Object.entries(judges))('%s', (_name, judge) => {
  it.each(['relying-party', 'oauth-bcp'])('passes the plan %s', async plan => {
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
    const { modules } = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as Results;
    const found = modules.filter(({ verdict }) => !['pass', 'not_applicable'].includes(verdict));
    const shown = found.map(({ id, verdict, why, said }) => `${verdict} ${id}: ${why} ${said}`);
    const known = Object.values(judge.known).flat();
    expect(
      found.map(({ id }) => id),
      shown.join('\n'),
    ).toEqual(modules.map(({ id }) => id).filter(id => known.includes(id)));
    expect(modules.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(modules.length / 4);
  });
});
