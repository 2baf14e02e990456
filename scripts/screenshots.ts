// Pictures of every page, at two widths and in both themes, for docs/ and the README: `npm run screenshots`, or into another
// folder, and of some pages only: `npm run screenshots -- /tmp/shots report live-dark`. The films of a login are live-*; they need
// `img2webp` of the Debian package `webp`.
import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Sandbox } from '../src/index.ts';
import { authorizationUrl } from '../test/support/authorization-url.ts';
import { createSandbox } from '../test/support/bundle.ts';
import { type Busy, makeBusy } from '../test/support/busy.ts';
import { openBrowser, type TestBrowser } from '../test/support/chromium.ts';
import { begin, join, work } from '../test/workshop/learner.ts';
import { filmLogin } from './film-login.ts';

const [folder = 'docs/screenshots', ...wanted] = process.argv.slice(2);
const callback = 'http://localhost:5173/callback';
const widths = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 760 } } as const;
const themes = ['light', 'dark'] as const;
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

/** Each page by the name of its picture. */
function pagesOf({ url, events }: Sandbox, { tokens, refused }: Busy): Readonly<Record<string, string>> {
  const issued = events.latestIssued(1000).find(({ token }) => token === tokens.access_token);
  const redeemed = issued?.requestId ?? '';
  const at = (path: string) => `${url}/dashboard${path}`;
  return {
    login: authorizationUrl({ url } as Sandbox, callback),
    error: authorizationUrl({ url } as Sandbox, 'http://app.test:5173/callback/'),
    home: at(''),
    tokens: at('/tokens'),
    mint: `${at('/tokens')}#mint`,
    token: at(`/tokens/${issued?.tokenId}`),
    'token-diff': at(`/tokens/${issued?.tokenId}/diff`),
    flows: at('/flows'),
    flow: at(`/flows/by-request/${redeemed}`),
    'flow-failed': at(`/flows/by-request/${refused.verifier}`),
    problems: at('/problems'),
    problem: at(`/problems/${refused.redirectUri}`),
    'problem-pkce': at(`/problems/${refused.verifier}`),
    requests: at('/requests'),
    request: at(`/requests/${redeemed}`),
    report: at('/report'),
    decode: at('/decode'),
    clients: at('/clients'),
    catalogue: at('/catalogue'),
    client: at('/clients/frontend'),
    users: at('/users'),
    user: at('/users/alice'),
    api: at('/api'),
    keys: at('/keys'),
    connect: at('/connect'),
    settings: at('/settings'),
    'demo-app': `${url}/demo-app`,
    lessons: `${url}/lessons`,
    lesson: `${url}/lessons/code-pkce`,
    playground: `${url}/playground`,
    'playground-code': `${url}/playground/code`,
  };
}

/** What is told of a sandbox that is bent on purpose: faults are armed and the clock is moved, as the bar at the top says. */
async function bentPagesOf({ url, faults, clock }: Sandbox): Promise<Readonly<Record<string, string>>> {
  await faults.arm({ fault: 'unavailable', endpoint: 'token', times: 2 });
  await faults.arm({ fault: 'slow', endpoint: 'api', times: 'always' });
  clock.advance(2 * 3600);
  return { faults: `${url}/dashboard/faults`, clock: `${url}/dashboard/clock` };
}

/** A workshop in the middle of a lesson. */
async function workshopPagesOf(room: Sandbox): Promise<Readonly<Record<string, string>>> {
  const lesson = 'client-credentials';
  for (let seat = 0; seat < 14; seat++) {
    const learner = await join(room);
    if (seat % 7 === 6) continue;
    const issuer = await begin(learner, lesson);
    const tasks = ['token', 'call', 'scope', 'secret'].slice(0, seat % 5);
    for (const task of tasks) await work(issuer, lesson, task);
    if (seat % 3 === 0) await work(issuer, lesson, 'call', 'nearMiss');
  }
  return {
    'workshop-join': `${room.url}/join`,
    'workshop-room': `${room.url}/room`,
    'workshop-board': `${room.url}/room/lessons/${lesson}`,
    'workshop-controls': `${room.url}/room/controls`,
  };
}

/** A lab after the attack with the defence off and on. */
async function labPagesOf({ url }: Sandbox) {
  const at = `${url}/_sandbox/lessons/mix-up`;
  const begun = await fetch(`${at}/start`, { method: 'POST' });
  const [pair = ''] = begun.headers.getSetCookie()[0]?.split(';') ?? [];
  const [name = '', learner = ''] = pair.split('=');
  async function press(what: string, body: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${at}/${what}?learner=${learner}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }
  await press('attack', {});
  await press('defence', { isDefended: true });
  await press('attack', {});
  const lab = `${url}/lessons/mix-up`;
  return { pages: { lab, 'lab-difference': `${lab}#changed` }, cookies: [{ name, value: learner, url }] };
}

async function photograph(
  browser: TestBrowser,
  pages: Readonly<Record<string, string>>,
  extraHTTPHeaders: Readonly<Record<string, string>> = {},
  cookies: readonly { readonly name: string; readonly value: string; readonly url: string }[] = [],
): Promise<void> {
  for (const [size, viewport] of Object.entries(widths)) {
    for (const theme of themes) {
      const context = await browser.newContext({
        viewport,
        colorScheme: theme,
        reducedMotion: 'reduce',
        extraHTTPHeaders,
      });
      await context.addCookies([...cookies]);
      const page = await context.newPage();
      for (const [name, address] of Object.entries(pages)) {
        if (!isWanted(name)) continue;
        await show(page, address);
        await page.screenshot({ path: `${folder}/${name}-${size}-${theme}.png` });
      }
      await context.close();
    }
  }
}

function openMint(form: Element): void {
  form.setAttribute('open', '');
  form.scrollIntoView();
}

/** The stream stays open, so that there is never silence on the network to wait for. */
async function show(page: Page, address: string): Promise<void> {
  await page.goto('about:blank'); // or an address that differs in its fragment only would not be loaded
  const response = await page.goto(address, { waitUntil: 'load' });
  if (address.endsWith('#mint')) await page.locator('#mint').evaluate(openMint);
  else if (!address.endsWith('#changed')) await page.evaluate('scrollTo(0, 0)'); // a link to a request leads into the middle of its flow
  const status = response?.status() ?? 0;
  if (status !== 200 && !address.includes('app.test')) throw new Error(`${address} answered ${status}`);
}

await mkdir(folder, { recursive: true });
const browser = await openBrowser();
for (const theme of themes) {
  if (isWanted(`live-${theme}`)) await filmLogin(browser, theme, `${folder}/live-${theme}.webp`);
}
const sandbox = await createSandbox({ port: 9000, issuer: 'http://localhost:9000' });
const room = await createSandbox({
  port: 9001,
  issuer: 'http://localhost:9001',
  workshop: 24,
  controlToken: 'trainer',
});
try {
  await photograph(browser, pagesOf(sandbox, await makeBusy(sandbox, callback)));
  const lab = await labPagesOf(sandbox);
  await photograph(browser, lab.pages, {}, lab.cookies);
  await photograph(browser, await bentPagesOf(sandbox));
  await photograph(browser, await workshopPagesOf(room), { Authorization: 'Bearer trainer' });
} finally {
  await browser.close();
  await Promise.all([sandbox.stop(), room.stop()]);
}
process.exit(); // Chromium ends with the process that opened it
