import { describe, expect, it } from 'vitest';
import type { Change, Changed } from '../../src/base/events/change.ts';
import type { DashboardFacts } from '../../src/dashboard/facts.ts';
import type { ExplanationView } from '../../src/record/problems/explain.ts';
import type { Control } from '../../src/sandbox/control/create-control.ts';
import { english } from '../../src/server/http/signin/language.ts';
import { errorFact, requestFact as requestOf } from '../record/problems/support.ts';
import {
  frontend,
  hostile,
  noControl,
  now,
  type RunningDashboard,
  runDashboard,
  sensor,
  views,
} from './running-dashboard.ts';

const strict = { ...frontend, loopback_redirects: false };

/** With clients whose addresses are compared character by character. */
const run = (more: Partial<DashboardFacts> = {}) => runDashboard({ registered: () => [strict, sensor], ...more });

const uri = 'http://127.0.0.1:5173/callback';
const addressWith = (sent: string) => `/oauth2/authorize?client_id=frontend&redirect_uri=${encodeURIComponent(sent)}`;
const address = addressWith(uri);

/** Somebody came with a redirect URI that is not registered. */
function refuse(dashboard: RunningDashboard, requestId = 'req_1', more: Parameters<typeof errorFact>[0] = {}): void {
  dashboard.append(
    errorFact({
      ...{ endpoint: 'authorize', reason: 'redirect_uri_not_registered', sent: uri },
      ...{ expected: 'http://localhost:3000/callback', description: 'redirect_uri is not registered for frontend' },
      ...more,
    }),
    requestId,
  );
  dashboard.append(requestOf('authorize', { method: 'GET', url: addressWith(more.sent ?? uri) }), requestId);
}

/** Remembers what it was asked to change. */
function controlThat(answer: Changed) {
  const changes: Change[] = [];
  const control: Control = {
    ...noControl,
    apply: async change => {
      changes.push(change);
      return answer;
    },
    clientEntry: client_id => (client_id === 'frontend' ? { client_id } : undefined),
    configurationLines: () => "{ client_id: 'frontend' } // the whole entry",
  };
  return { changes, control };
}

const done: Changed = { ok: true, lines: [], notes: [] };

async function press(dashboard: RunningDashboard, page: string, number = 0): Promise<Response> {
  const html = await dashboard.text(page);
  const form = [...html.matchAll(/<form method="post" action="([^"]+)">[\s\S]*?<\/form>/g)][number];
  const fields = [...(form?.[0] ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([, name, value]) => [name, value] as [string, string],
  );
  return fetch(dashboard.url + form?.[1], { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

describe('the list of problems', () => {
  it('has a row for each client and cause, the newest first', async () => {
    await using dashboard = await run();
    refuse(dashboard, 'req_1');
    refuse(dashboard, 'req_2');
    dashboard.append(errorFact({ client_id: 'sensor' }), 'req_3');
    const html = await dashboard.text('/dashboard/problems');
    const rows = [...html.matchAll(/<tr role="row" id="(prb_\w+)"[\s\S]*?<\/tr>/g)];
    expect(rows.map(([, id]) => id)).toEqual(['prb_3', 'prb_1']);
    expect(rows[1]?.[0]).toContain('The <code>redirect_uri</code> is not registered for <code>frontend</code>');
    expect(rows[1]?.[0]).toContain(
      '<td role="cell">2<span aria-hidden="true">×</span><span class="vh"> times</span></td>',
    );
  });

  it('has the first fix in the row, and cuts no name without a hint', async () => {
    await using dashboard = await run();
    const client_id = 'a-client-with-a-name-that-is-far-too-long-for-a-row-of-the-list';
    refuse(dashboard, 'req_1');
    dashboard.append(errorFact({ client_id }), 'req_2');
    const html = await dashboard.text('/dashboard/problems');
    expect(html).toMatch(/<div class="cut fix-line" title="[^"]+">Add this URI to frontend/);
    expect(html).toContain(`<td role="cell" title="${client_id}">`);
    expect(html.replace(/<[^>]+>/g, '')).not.toContain('`');
  });

  it('marks what this browser has not seen, once', async () => {
    await using dashboard = await run();
    refuse(dashboard);
    const unseen = (html: string) => [/data-unseen="(\d+)"/.exec(html)?.[1], html.includes('problem-unseen')];
    expect(unseen(await dashboard.text('/dashboard/tokens'))).toEqual(['1', false]);
    const first = await dashboard.get('/dashboard/problems');
    expect(unseen(await first.text())).toEqual(['0', true]);
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const seen = async (path: string) => unseen(await (await dashboard.get(path, { cookie })).text());
    expect([await seen('/dashboard/problems'), await seen('/dashboard/tokens')]).toEqual([
      ['0', false],
      ['0', false],
    ]);
    refuse(dashboard, 'req_2');
    expect([await seen('/dashboard/tokens'), await seen('/dashboard/problems')]).toEqual([
      ['1', false],
      ['0', true],
    ]);
  });

  it('knows a problem as seen whose page was opened, and the others not', async () => {
    await using dashboard = await run();
    refuse(dashboard, 'req_1');
    refuse(dashboard, 'req_2', { client_id: 'sensor' });
    const cookie = (await dashboard.get('/dashboard/problems/prb_1')).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const html = await (await dashboard.get('/dashboard/tokens', { cookie })).text();
    expect(html).toContain('data-unseen="1"');
    expect(html).toMatch(/<title>\(1\) Tokens/);
  });

  it.each(['1.2', 'nonsense', '1699999935.-1', ''])('takes no notice of a cookie like %s', async value => {
    await using dashboard = await run();
    refuse(dashboard);
    const html = await (await dashboard.get('/dashboard/tokens', { cookie: `grantbox_seen_9000=${value}` })).text();
    expect(html).toContain('data-unseen="1"');
  });

  it('is filtered, and says so where nothing matches', async () => {
    await using dashboard = await run();
    refuse(dashboard);
    expect(await dashboard.text('/dashboard/problems?q=client:frontend+is:unseen')).toContain('id="prb_1"');
    const empty = await dashboard.text('/dashboard/problems?q=client:nobody');
    expect(empty).not.toContain('id="prb_1"');
    expect(empty).toContain('No problem matches');
  });

  it('is filtered by a click on a code or a client', async () => {
    await using dashboard = await run();
    refuse(dashboard, 'req_1');
    dashboard.append(errorFact({ client_id: 'sensor' }), 'req_2');
    const html = await dashboard.text('/dashboard/problems');
    const [, href = ''] = /<a class="value" href="([^"]+)">sensor</.exec(html) ?? [];
    const rows = (await dashboard.text(`/dashboard/problems${href}`)).matchAll(/<tr role="row" id="(prb_\w+)"/g);
    expect([...rows].map(([, id]) => id)).toEqual(['prb_2']);
    expect(html).toMatch(/<a class="value" href="\?q=code%3A\w+">/);
  });

  it('gives its script the rows that are new or have changed', async () => {
    await using dashboard = await run();
    refuse(dashboard);
    const after = dashboard.events.lastId;
    refuse(dashboard, 'req_2', { client_id: 'sensor' });
    const html = await dashboard.text(`/dashboard/api/v1/problems/rows?after=${after}`);
    expect([...html.matchAll(/id="(prb_\w+)"/g)].map(([, id]) => id)).toEqual(['prb_2']);
  });

  it('explains its purpose while it is empty', async () => {
    await using dashboard = await run();
    expect(await dashboard.text('/dashboard/problems')).toContain('No problems yet.');
    expect((await dashboard.get('/dashboard/problems/latest')).status).toBe(404);
  });
});

describe('the page of a problem', () => {
  it('is there under the id of the problem, of each request, and as the latest', async () => {
    await using dashboard = await run();
    refuse(dashboard, 'req_1');
    refuse(dashboard, 'req_2');
    for (const id of ['prb_1', 'req_1', 'req_2']) {
      const html = await dashboard.text(`/dashboard/problems/${id}`);
      expect(html).toContain(
        '<h1 data-testid="problem-title">The <code>redirect_uri</code> is not registered for <code>frontend</code></h1>',
      );
      expect(html).toContain('2 times, last');
    }
    expect((await dashboard.get('/dashboard/problems/latest')).headers.get('location')).toBe(
      '/dashboard/problems/prb_1',
    );
    expect((await dashboard.get('/dashboard/problems/prb_9')).status).toBe(404);
  });

  it('marks the differences in the text, and names them', async () => {
    await using dashboard = await run();
    refuse(dashboard);
    const html = await dashboard.text('/dashboard/problems/prb_1');
    expect(html).toContain('http://<mark>127.0.0.1</mark><mark>:5173</mark>/callback');
    expect(html).toContain('<span class="differs">differs: host, port</span>');
    expect(html).toContain('data-testid="problem-certainty">certain<');
    expect(html).toContain('href="https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2.4"');
  });

  it.each([
    ['http://localhost:3000/callback', 'https://shop.example:8443/oidc', 'Nothing is the same: '],
    ['https://a.example/callback', 'https://shop.example/oidc', 'Nothing but the scheme is the same: '],
    ['http://localhost:3000/callback', 'http://shop.example:9999/oidc', 'Nothing but the scheme is the same: '],
  ])('has one verdict where %s and %s have nothing in common', async (expected, sent, words) => {
    await using dashboard = await run();
    refuse(dashboard, 'req_1', { sent, expected });
    const html = await dashboard.text('/dashboard/problems/prb_1');
    expect(html).toContain(`"problem-why">${words}this is probably the address of a different app.</p>`);
  });

  it('says once whose addresses are listed', async () => {
    await using dashboard = await run();
    refuse(dashboard, 'req_1', { expected: 'http://localhost:3000/callback\nhttp://localhost:4000/callback' });
    const html = await dashboard.text('/dashboard/problems/prb_1');
    expect(html).toMatch(/<dt>Registered<\/dt>\s*<dd class="about">registered for frontend<\/dd>\s*<dd>/);
    expect(html).not.toContain('<span class="about">');
  });

  it('explains a refusal that is no problem, too', async () => {
    await using dashboard = await run();
    dashboard.append(errorFact({ reason: 'authorization_pending', error: 'authorization_pending' }), 'req_1');
    const html = await dashboard.text('/dashboard/problems/req_1');
    expect(html).toContain('The user has not decided yet');
    expect(html).toContain('not in the list of problems');
  });

  it('shows hostile values as text, also as Markdown', async () => {
    await using dashboard = await run();
    refuse(dashboard, 'req_1', { sent: hostile, expected: hostile, client_id: hostile, description: hostile });
    const html = await dashboard.text('/dashboard/problems/prb_1');
    expect(html).not.toMatch(/<script>alert|<img src=x/);
    expect(html).toContain('&lt;script&gt;');
    const markdown = await dashboard.get('/dashboard/problems/prb_1.md');
    expect(markdown.headers.get('content-type')).toMatch(/^text\/markdown/);
    const outside = (await markdown.text()).replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, '').replace(/`[^`]*`/g, '');
    expect(outside).not.toMatch(/(?<!\\)[<[]script|(?<!\\)</);
  });

  it('is JSON as well', async () => {
    await using dashboard = await run();
    refuse(dashboard);
    const list = (await (await dashboard.get('/dashboard/api/v1/problems')).json()) as { problems: object[] };
    expect(list.problems).toMatchObject([{ id: 'prb_1', client_id: 'frontend', count: 1, lastAt: now }]);
    const latest = await (await dashboard.get('/dashboard/api/v1/problems/latest')).json();
    expect(latest).toMatchObject({
      ...{ id: 'prb_1', reason: 'redirect_uri_not_registered', certainty: 'certain', sent: uri },
      expected: [{ value: 'http://localhost:3000/callback', differs: 'differs: host, port' }],
      links: { request: expect.stringMatching(/\/requests\/req_1$/) },
    });
    expect((await dashboard.get('/dashboard/api/v1/problems/prb_9')).status).toBe(404);
  });
});

describe('a fix', () => {
  it('changes the client and continues the request', async () => {
    const { changes, control } = controlThat(done);
    await using dashboard = await run({ control });
    refuse(dashboard);
    const response = await press(dashboard, '/dashboard/problems/prb_1');
    expect(changes).toEqual([
      {
        kind: 'client.patch',
        client_id: 'frontend',
        members: { redirect_uris: ['http://localhost:3000/callback', uri] },
      },
    ]);
    expect([response.status, response.headers.get('location')]).toEqual([303, address]);
  });

  it('that cannot go on comes back and says what makes it permanent', async () => {
    const { control } = controlThat(done);
    await using dashboard = await run({ control });
    dashboard.append(
      errorFact({ reason: 'grant_type_not_registered', sent: 'password', expected: 'authorization_code' }),
      'req_1',
    );
    const response = await press(dashboard, '/dashboard/problems/prb_1');
    expect(response.headers.get('location')).toBe('/dashboard/problems/req_1?done=client%3Afrontend');
    const html = await dashboard.text(response.headers.get('location') ?? '');
    expect(html).toContain('The client frontend was changed');
    expect(html).toContain('// the whole entry');
  });

  it('that is refused says why, and changes nothing', async () => {
    const problems = [{ member: 'redirect_uris', sent: hostile, expected: 'a URI without a fragment' }];
    await using dashboard = await run({ control: controlThat({ ok: false, problems }).control });
    refuse(dashboard);
    const response = await press(dashboard, '/dashboard/problems/prb_1');
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain('This was not changed.');
    expect(html).toContain('expected a URI without a fragment');
    expect(html).not.toContain('<script>alert');
  });

  it.each([
    ['another number', { fix: '7' }],
    ['no number', { fix: '' }],
    ['the mark of another change', { mark: 'x' }],
  ])('with %s is not applied', async (_, fields) => {
    const { changes, control } = controlThat(done);
    await using dashboard = await run({ control });
    refuse(dashboard);
    const mark = /name="mark" value="([^"]+)"/.exec(await dashboard.text('/dashboard/problems/prb_1'))?.[1] ?? '';
    const body = new URLSearchParams({ fix: '0', mark, ...fields });
    const response = await fetch(`${dashboard.url}/dashboard/problems/req_1/fix`, { method: 'POST', body });
    expect([response.status, changes]).toEqual([400, []]);
  });

  it('is not offered where nothing may be changed', async () => {
    await using dashboard = await run({ access: 'readonly' });
    refuse(dashboard);
    const html = await dashboard.text('/dashboard/problems/prb_1');
    expect(html).not.toContain('problem-fix');
    expect(html).toContain('Add this URI to frontend and continue the sign-in.');
  });

  it('never leads to another host', async () => {
    const { control } = controlThat(done);
    await using dashboard = await run({ control });
    refuse(dashboard);
    dashboard.append(
      errorFact({
        ...{ endpoint: 'authorize', reason: 'redirect_uri_not_registered', sent: uri },
        client_id: 'sensor',
      }),
      'req_2',
    );
    dashboard.append(requestOf('authorize', { method: 'GET', url: '//evil.test/oauth2/authorize' }), 'req_2');
    const response = await press(dashboard, '/dashboard/problems/req_2');
    expect(response.headers.get('location')).toMatch(/^\/dashboard\/problems\/req_2\?done=/);
  });
});

describe('the page of an error', () => {
  it('is the explanation without the shell', async () => {
    const explained: ExplanationView = {
      ...{
        title: 'A title',
        why: 'A reason.',
        certainty: 'likely',
        others: ['Another.'],
        references: ['RFC 6749 §5.2'],
      },
      ...{
        requestId: 'req_1',
        leadsOn: false,
        fixes: [{ text: 'Do it.', snippets: [{ where: 'curl', code: 'curl <x>' }] }],
      },
    };
    const html = await views.error({
      language: english,
      status: 400,
      error: 'invalid_request',
      reason: 'r',
      description: 'd',
      explained,
    });
    expect(html).toContain('<code data-testid="problem-code">invalid_request</code>');
    expect(html).toContain('curl &lt;x&gt;');
    expect(html).not.toContain('aria-label="Dashboard"');
  });
});
