import lighthouse, { type Flags } from 'lighthouse';
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { authorizationUrl } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { type Busy, makeBusy } from '../support/busy.ts';
import { openBrowser, type TestBrowser } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { isFullMatrix } from '../support/matrix.ts';

// What Lighthouse says of the accessibility of each page. Its marks for speed are measured by scripts/page-speed.ts.

const callback = 'http://localhost:5173/callback';

let browser: TestBrowser;
let port: number;
let sandbox: Sandbox;
let busy: Busy;

beforeAll(async () => {
  // On each visit Lighthouse would measure the machine for a second, only to warn of a slow one. This is a fast one.
  pageFunctions.computeBenchmarkIndex = () => 2000;
  port = await freePort();
  browser = await openBrowser({ debuggingPort: port });
  sandbox = await createSandbox();
  busy = await makeBusy(sandbox, callback);
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

const pages: Readonly<Record<string, () => string>> = {
  login: () => authorizationUrl(sandbox, callback),
  home: () => '',
  tokens: () => '/tokens',
  token: () => `/tokens/${tokenId()}`,
  'token diff': () => `/tokens/${tokenId()}/diff`,
  flows: () => '/flows',
  flow: () => `/flows/by-request/${busy.refused.verifier}`,
  problems: () => '/problems',
  problem: () => `/problems/${busy.refused.redirectUri}`,
  requests: () => '/requests',
  request: () => `/requests/${busy.refused.verifier}`,
  decode: () => '/decode',
  clients: () => '/clients',
  client: () => '/clients/frontend',
  users: () => '/users',
  user: () => '/users/alice',
  api: () => '/api',
  keys: () => '/keys',
  clock: () => '/clock',
  faults: () => '/faults',
  report: () => '/report',
  connect: () => '/connect',
  settings: () => '/settings',
};

function tokenId(): string {
  return sandbox.events.latestIssued(1000).find(({ token }) => token === busy.tokens.access_token)?.tokenId ?? '';
}

function addressOf(page: string): string {
  const path = pages[page]?.() ?? '';
  return path.startsWith('http') ? path : `${sandbox.url}/dashboard${path}`;
}

/** The mark from 0 to 100, and what took some away. */
async function accessibility(page: string, theme: Theme): Promise<readonly [number, readonly string[]]> {
  const flags: Flags = {
    ...{ port, logLevel: 'silent', output: 'json', disableFullPageScreenshot: true },
    onlyCategories: ['accessibility'],
    // a page that has loaded stays as it is
    pauseAfterFcpMs: 0,
    pauseAfterLoadMs: 0,
    networkQuietThresholdMs: 0,
    cpuQuietThresholdMs: 0,
    extraHeaders: { Cookie: `grantbox_view_${new URL(sandbox.url).port}=${theme}` },
  };
  const { categories = {}, audits = {}, runtimeError } = (await lighthouse(addressOf(page), flags))?.lhr ?? {};
  if (runtimeError !== undefined) throw new Error(runtimeError.message);
  const lost = Object.values(audits).filter(
    ({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0,
  );
  return [Math.round((categories.accessibility?.score ?? 0) * 100), lost.map(({ id }) => id)];
}

type Theme = 'light' | 'dark';
const themes: readonly Theme[] = ['light', 'dark'];

/** Once a page, half of the pages in each theme; in both where each combination is asked for. */
const visits = Object.keys(pages).flatMap((page, index) =>
  themes.filter((_, which) => isFullMatrix || which === index % 2).map(theme => [page, theme] as const),
);

describe.each(visits)('the page %s, %s', (page, theme) => {
  it('has full marks for accessibility', { timeout: 600_000 }, async () => {
    expect(await accessibility(page, theme)).toEqual([100, []]);
  });
});
