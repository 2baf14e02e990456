import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { dashboardRoutes } from '../../dashboard/dashboard-routes.ts';
import { operations } from '../../support/tables.ts';
import { authorizeQuery, login, post } from '../../support/wire.ts';

interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** `fetch` writes `Sec-Fetch-Mode` itself. A stream is left once its headers are there. */
function ask(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, response => {
      const { statusCode: status = 0, headers } = response;
      let body = '';
      const end = () => resolve({ status, headers, body });
      if (headers['content-type']?.startsWith('text/event-stream')) {
        sent.on('error', () => {}).destroy();
        return end();
      }
      response.setEncoding('utf8').on('data', chunk => {
        body += chunk;
      });
      response.on('end', end);
    });
    sent.once('error', reject).end();
  });
}

const controlRoutes = operations.map(({ method, path }): [string, string] => [
  method,
  `/_sandbox${path.replaceAll(/\{\w+\}/g, 'x')}`,
]);
const dashboard = dashboardRoutes().map(([method, path]): [string, string] => [
  method,
  `/dashboard${path === '/' ? '' : path}`,
]);
const nowhere = ['/_sandbox/nothing', '/_sandbox/%zz', '/dashboard/nothing', '/dashboard/%zz'].map(
  (path): [string, string] => ['GET', path],
);
const routes = [...controlRoutes, ...dashboard, ...nowhere];
const isRead = ([method]: readonly [string, string]) => method === 'GET';
/** A wait is refused like any other; what is let in would wait. */
const quick = (path: string) => (path.endsWith('/events/wait') ? `${path}?timeout=0` : path);

/** As a browser sends it for a page of http://attacker.test, or of another port of this machine. */
const foreign: Readonly<Record<string, Record<string, string>>> = {
  'a script of another site': {
    origin: 'https://attacker.test',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'cors',
  },
  'a script over a plain host name': { origin: 'http://attacker.test' },
  'a sandboxed frame': { origin: 'null' },
  'a script of another port': { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' },
  'a script without CORS': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
  'an image': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  'a script element': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
  'an iframe': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  'an iframe of another port': {
    'sec-fetch-site': 'same-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'iframe',
  },
  'an object': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'object' },
};
const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

function expectClosed({ headers }: Seen, what: string): void {
  expect(headers['cross-origin-resource-policy'], what).toBe('same-origin');
  expect(headers['x-frame-options'], what).toBe('DENY');
  expect(headers['content-security-policy'], what).toContain("frame-ancestors 'none'");
  expect(headers['x-content-type-options'], what).toBe('nosniff');
  expect(headers['access-control-allow-origin'], what).toBeUndefined();
}

/** What an answer tells, without what is another in each: the id of the request, and the time. */
function told({ status, headers, body }: Seen): object {
  const { 'x-request-id': id, date: _, link: __, ...others } = headers;
  return { status, headers: others, body: body.replaceAll(String(id), 'req') };
}

it('walks more than a few routes', () => {
  expect(routes).toContainEqual(['GET', '/_sandbox/events']);
  expect(routes).toContainEqual(['DELETE', '/_sandbox/clients/x']);
  expect(routes).toContainEqual(['GET', '/dashboard/problems/x']);
  expect(routes).toContainEqual(['GET', '/dashboard/api/v1/events']);
  expect(routes).toContainEqual(['POST', '/dashboard/tokens/x/revoke']);
});

describe.each([
  ['the first issuer', ''],
  ['an issuer by its path', '/tenant'],
])('a page of another site at %s', (_what, at) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ issuers: { tenant: {} }, backchannelUrl: 'http://grantbox:9000' });
  });
  afterAll(() => sandbox.stop());

  it.each(Object.entries(foreign))('gets the same refusal everywhere: %s', async (_how, headers) => {
    for (const [method, path] of routes) {
      const seen = await ask(sandbox.url + at + path, headers, method);
      expect([method, path, seen.status]).toEqual([method, path, 403]);
      expectClosed(seen, `${method} ${path}`);
    }
  });

  it('gets the same refusal under the name for the back channel', async () => {
    const headers = { host: 'grantbox:9000', origin: sandbox.url };
    for (const [method, path] of routes) {
      const seen = await ask(sandbox.url + at + path, headers, method);
      expect([method, path, seen.status]).toEqual([method, path, 403]);
    }
  });

  it('may lead to a page by a link, and not to JSON, a file or the control API', async () => {
    const isFile = (path: string) => /^\/_sandbox|^\/dashboard\/api\/v1|\/export\b|\/report\/x$/.test(path);
    for (const [, path] of routes.filter(isRead)) {
      const { status } = await ask(sandbox.url + at + path, link);
      if (isFile(path)) expect([path, status]).toEqual([path, 403]);
      else expect([path, status]).not.toEqual([path, 403]);
    }
  });

  it('can show or load no answer of a page of ours either', async () => {
    const own = { origin: sandbox.url, 'sec-fetch-site': 'same-origin' };
    for (const [method, path] of routes.filter(isRead)) {
      const seen = await ask(sandbox.url + at + quick(path), own, method);
      expect(seen.status, path).not.toBe(403);
      expectClosed(seen, path);
    }
  });
});

it('learns nothing of the log by a refusal', async () => {
  await using sandbox = await createSandbox();
  await login(sandbox.url);
  const paths = [
    '/_sandbox/events/wait?timeout=0&type=login.succeeded&q=user:',
    '/_sandbox/events?q=user:',
    '/_sandbox/users/',
  ];
  for (const path of [
    ...paths,
    '/dashboard/users/',
    '/dashboard/requests?q=user:',
    '/dashboard/api/v1/tokens?q=user:',
  ]) {
    for (const [how, headers] of Object.entries(foreign)) {
      const right = await ask(`${sandbox.url}${path}alice`, headers);
      const wrong = await ask(`${sandbox.url}${path}nobod`, headers);
      expect(told(right), `${path} ${how}`).toEqual(told(wrong));
      expect(right.status).toBe(403);
    }
  }
});

it('is refused where the dashboard only shows, too, before it hears of that', async () => {
  await using sandbox = await createSandbox({ dashboard: 'readonly' });
  for (const [method, path] of routes) {
    const seen = await ask(sandbox.url + path, { origin: 'https://attacker.test' }, method);
    expect([method, path, seen.status, seen.headers['content-type']]).toEqual([
      ...[method, path, 403],
      expect.stringMatching(/^application\/(problem\+)?json/),
    ]);
  }
});

it('is no browser that somebody types an address into, nor a script outside of one', async () => {
  await using sandbox = await createSandbox();
  const typed = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const senders: Record<string, string>[] = [typed, {}, { 'sec-fetch-mode': 'cors' }];
  for (const headers of senders) {
    for (const path of [
      '/_sandbox',
      '/_sandbox/openapi.json',
      '/_sandbox/report?format=html',
      '/dashboard',
      '/dashboard/export/html',
    ])
      expect((await ask(sandbox.url + path, headers)).status, path).toBe(200);
  }
});

it('follows the error_uri of an answer to its page', async () => {
  await using sandbox = await createSandbox();
  const refused = await post(`${sandbox.url}/oauth2/token`, { grant_type: 'nonsense' });
  const { error_uri } = (await refused.json()) as { error_uri: string };
  const page = await ask(error_uri.replace(sandbox.issuer, sandbox.url), link);
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});

it('may frame the check of a session and the form that posts an answer, as ever', async () => {
  await using sandbox = await createSandbox();
  const cookie = await login(sandbox.url);
  for (const path of [
    '/connect/check_session',
    `/oauth2/authorize?${authorizeQuery({ response_mode: 'form_post' })}`,
  ]) {
    const { status, headers } = await ask(sandbox.url + path, { ...foreign['an iframe'], cookie });
    expect([status, headers['x-frame-options'], headers['cross-origin-resource-policy']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  }
});
