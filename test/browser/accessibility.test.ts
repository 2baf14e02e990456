import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { authorizationUrl, redeemCode, refresh, sensorToken } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { openBrowser, type TestBrowser } from '../support/chromium.ts';
import { openSite, type Site } from '../support/site.ts';
import { post } from '../support/wire.ts';

const tv: ClientEntry = {
  client_id: 'tv',
  client_name: 'Living-room TV',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
  scope: 'openid profile products:read products:write',
};
const bank: ClientEntry = {
  client_id: 'bank',
  client_name: 'Bank',
  client_secret: 'bank-secret',
  grant_types: ['urn:openid:params:grant-type:ciba'],
  scope: 'openid profile',
};

let browser: TestBrowser;
let app: Site;
let callback: string;
let axe: string;
/** Untouched; used by everything but the first run; asks for a password. */
let fresh: Sandbox;
let used: Sandbox;
let strict: Sandbox;
let crowded: Sandbox;
/** Its client is told of a logout in every way, and answers one of them badly. */
let told: Sandbox;
/** Its clients ask for what users decide about elsewhere. */
let asked: Sandbox;

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  browser = await openBrowser();
  app = await openSite(({ url }) => ({
    status: url.pathname.endsWith('/backchannel') ? 500 : 200,
    body: '<!doctype html><html lang="en"><title>The application</title><h1>The application</h1>',
  }));
  callback = `${app.origin}/callback`;
  [fresh, used, strict, crowded, told, asked] = await Promise.all([
    createSandbox(),
    createSandbox({ label: 'a label that is rather long' }),
    createSandbox({ loginMode: 'password' }),
    createSandbox({ users: Array.from({ length: 12 }, (_, index) => ({ sub: `user-${index}` })) }),
    createSandbox({ clients: [toldClient()] }),
    createSandbox({ clients: [tv, bank] }),
  ]);
  await use(used);
});
afterEach(() => {
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all(
    [app, fresh, used, strict, crowded, told, asked].map(each => ('stop' in each ? each.stop() : each.close())),
  );
});

function toldClient(): ClientEntry {
  return {
    client_id: 'frontend',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid profile email products:read',
    frontchannel_logout_uri: `${app.origin}/out`,
    initiate_login_uri: `${app.origin}/a/login/that/the/dashboard/starts`,
    backchannel_logout_uri: `${app.origin}/a/rather/long/path/to/the/address/of/the/backchannel`,
  };
}

/** One of everything the dashboard has a page for. */
async function use(sandbox: Sandbox): Promise<void> {
  const page = await newPage();
  await signIn(page, sandbox);
  const { refresh_token } = await redeemCode(sandbox, callback, new URL(page.url()).searchParams.get('code') ?? '');
  await refresh(sandbox, refresh_token);
  await sensorToken(sandbox);
  await fetch(authorizationUrl(sandbox, callback, { redirect_uri: `https://${'long.'.repeat(20)}example/callback` }));
  await page.context().close();
}

async function newPage(): Promise<Page> {
  return (await browser.newContext()).newPage();
}

async function signIn(page: Page, sandbox: Sandbox): Promise<void> {
  await page.goto(authorizationUrl(sandbox, callback));
  await page.getByTestId('login-user-alice').click();
  await page.waitForURL(`${callback}?*`);
}

/** An application with everything it may say of itself. */
async function registerApp({ url }: Sandbox): Promise<string> {
  const addresses = { client_uri: 'https://app.example/', policy_uri: 'https://app.example/privacy' };
  const more = { tos_uri: 'https://app.example/terms', logo_uri: 'https://app.example/logo.png' };
  const registered = { redirect_uris: [callback], token_endpoint_auth_method: 'none', scope: 'openid email' };
  const response = await fetch(`${url}/connect/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'A long name of an app '.repeat(4), ...registered, ...addresses, ...more }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  return client_id;
}

function tokenPath(type: 'code' | 'access' | 'refresh' | 'id'): string {
  const found = [...used.events.latestIssued(100)].find(
    event => (event.type === 'code.issued' ? 'code' : event.tokenType) === type && event.client_id === 'frontend',
  );
  return `/dashboard/tokens/${found?.tokenId}`;
}

function requestPath(type: 'error.returned' | 'token.issued'): string {
  return `/dashboard/requests/${used.events.latest(type, 1)[0]?.requestId}`;
}

/** A device that waits; the address of its page. */
async function startDevice(): Promise<string> {
  const form = { client_id: 'tv', scope: tv.scope ?? '', resource: `https://${'long.'.repeat(20)}example/tv` };
  const response = await post(`${asked.url}/oauth2/device_authorization`, form);
  return ((await response.json()) as { verification_uri_complete: string }).verification_uri_complete;
}

async function startApproval(parameters: Readonly<Record<string, string>>): Promise<void> {
  const authorization = `Basic ${Buffer.from('bank:bank-secret').toString('base64')}`;
  const form = { scope: 'openid profile', login_hint: 'alice', ...parameters };
  await (await post(`${asked.url}/oauth2/bc-authorize`, form, { authorization })).arrayBuffer();
}

async function openDevice(page: Page): Promise<void> {
  await page.goto(await startDevice());
  await page.getByTestId('login-user-alice').click();
  await page.getByTestId('device-allow').waitFor();
}

async function openApprovals(page: Page): Promise<void> {
  await startApproval({ binding_message: 'W4SCT' });
  await startApproval({});
  await page.goto(`${asked.url}/approvals`);
  await page.getByTestId('login-user-alice').click();
  await page.getByTestId('approval-allow').first().waitFor();
}

/** How each page is reached, with everything on it that can be unfolded unfolded. */
const pages: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'login picker': page => page.goto(authorizationUrl(used, callback, { login_hint: 'bob', acr_values: 'a b' })),
  'login picker without scope': page => page.goto(authorizationUrl(used, callback, { scope: '' })),
  'login picker with many users': async page => {
    await page.goto(authorizationUrl(crowded, callback));
    await page.getByTestId('login-search').fill('user-1');
  },
  'login picker after a refused subject': async page => {
    await page.goto(authorizationUrl(used, callback));
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('Zoë');
    await page.getByTestId('login-submit').click();
    await page.getByRole('alert').waitFor();
  },
  'password mode': page => page.goto(authorizationUrl(strict, callback)),
  'password mode after a wrong one': async page => {
    await page.goto(authorizationUrl(strict, callback));
    await page.getByTestId('login-username').fill('nobody');
    await page.getByTestId('login-submit').click();
    await page.getByRole('alert').waitFor();
  },
  'continue as': async page => {
    await signIn(page, used);
    await page.goto(authorizationUrl(used, callback, { prompt: 'select_account' }));
  },
  consent: async page => {
    await signIn(page, used);
    const claims = JSON.stringify({ userinfo: { phone_number: null } });
    const payment = { type: 'payment_initiation', instructedAmount: { currency: 'EUR', amount: '9.00' } };
    const authorization_details = JSON.stringify([{ ...payment, creditorName: 'A merchant with a '.repeat(9) }]);
    await page.goto(authorizationUrl(used, callback, { prompt: 'consent', claims, authorization_details }));
  },
  'consent to nothing': async page => {
    await signIn(page, used);
    await page.goto(authorizationUrl(used, callback, { prompt: 'consent', scope: '' }));
  },
  'consent to an unknown application': async page => {
    await signIn(page, used);
    const client_id = await registerApp(used);
    await page.goto(authorizationUrl(used, callback, { client_id, scope: 'openid email' }));
  },
  'error page': page => page.goto(authorizationUrl(used, callback, { redirect_uri: 'https://evil.example/callback' })),
  'logout confirmation': async page => {
    await signIn(page, used);
    await page.goto(`${used.url}/connect/logout?client_id=frontend`);
  },
  'signed out': async page => {
    await signIn(page, used);
    await page.goto(`${used.url}/connect/logout`);
    await page.getByTestId('logout-confirm').click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  },
  'logout confirmation with the clients of the session': async page => {
    await signIn(page, told);
    await page.goto(`${told.url}/connect/logout`);
  },
  'signed out, with who was told': async page => {
    await signIn(page, told);
    await page.goto(`${told.url}/connect/logout`);
    await page.getByTestId('logout-confirm').click();
    await page.getByTestId('logout-notices').waitFor();
  },
  'page of the session check': page => page.goto(`${used.url}/connect/check_session`),
  'nobody was signed in': page => page.goto(`${used.url}/connect/logout`),
  'sign-in for a device': async page => page.goto(await startDevice()),
  'sign-in for approvals, with a password': page => page.goto(`${strict.url}/approvals`),
  'code of a device': async page => {
    await openDevice(page);
    await page.goto(`${asked.url}/oauth2/device_verification`);
  },
  'code of a device after a wrong one': async page => {
    await openDevice(page);
    await page.goto(`${asked.url}/oauth2/device_verification?user_code=nonsense`);
  },
  'device to be allowed': openDevice,
  'device allowed': async page => {
    await openDevice(page);
    await page.getByTestId('device-allow').click();
    await page.getByRole('heading', { name: 'Done. Go back to the device.' }).waitFor();
  },
  approvals: openApprovals,
  'approvals after one': async page => {
    await openApprovals(page);
    await page.getByTestId('approval-deny').first().click();
    await page.getByRole('status').waitFor();
  },
  'no approvals': async page => {
    await page.goto(`${fresh.url}/approvals`);
    await page.getByTestId('login-user-carol').click();
    await page.getByRole('heading', { name: 'What waits for' }).waitFor();
  },
  'dashboard, first run': page => page.goto(`${fresh.url}/dashboard`),
  'dashboard, in use': page => page.goto(`${used.url}/dashboard`),
  'dashboard, with an application to start a login at': page => page.goto(`${told.url}/dashboard`),
  'no token yet': page => page.goto(`${fresh.url}/dashboard/tokens`),
  tokens: page => page.goto(`${used.url}/dashboard/tokens`),
  'tokens with a filter that is wrong': page => page.goto(`${used.url}/dashboard/tokens?q=colour:red+user:nobody`),
  'access token': page => page.goto(used.url + tokenPath('access')),
  'ID Token': page => page.goto(used.url + tokenPath('id')),
  'refresh token': page => page.goto(used.url + tokenPath('refresh')),
  code: page => page.goto(used.url + tokenPath('code')),
  'a request that was refused': page => page.goto(used.url + requestPath('error.returned')),
  'a request that gave a token': page => page.goto(used.url + requestPath('token.issued')),
  'a request of a device': async page => {
    await startDevice();
    const [requested] = asked.events.latest('device.requested', 1);
    await page.goto(`${asked.url}/dashboard/requests/${requested?.requestId}`);
  },
  'not found': page => page.goto(`${used.url}/dashboard/nowhere`),
};

const rules: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** What axe finds, a line each. Evaluated past the Content Security Policy, which would not let it in. */
async function violations(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(
    options => (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(options),
    rules,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' | ')}`);
}

/** What sticks out on the right. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      element => element.getBoundingClientRect().right > innerWidth + 1,
    );
    return [`${document.documentElement.scrollWidth} px wide`, ...wide.map(({ outerHTML }) => outerHTML.slice(0, 120))];
  });
}

async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}

describe.each(Object.keys(pages))('%s', name => {
  it('has nothing axe finds, in three widths, light and dark, folded and unfolded, and nothing sticks out', async () => {
    const page = await newPage();
    await pages[name]?.(page);
    await page.evaluate(axe);
    const found: string[] = [];
    for (const isUnfolded of [false, true]) {
      if (isUnfolded) await unfold(page);
      for (const width of [1280, 360, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          const at = `${width} px, ${colorScheme}${isUnfolded ? ', unfolded' : ''}`;
          for (const violation of await violations(page)) found.push(`${at}: ${violation}`);
        }
        for (const element of await overflow(page)) found.push(`${width} px: ${element}`);
      }
    }
    await page.context().close();
    expect(found).toEqual([]);
  });
});
