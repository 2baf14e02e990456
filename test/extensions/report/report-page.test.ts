import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readReport } from '../../../src/extensions/report/read-report.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { authorizeQuery, callback, get, post } from '../../support/wire.ts';
import { readXml } from './well-formed.ts';
import { logInAndCall, settle } from './world.ts';

const hostile = `"'><img/src=x/onerror=alert(1)>`;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({
    controlToken: 'nobody-knows-it',
    clients: [
      { client_id: 'frontend', redirect_uris: [callback], scope: 'openid profile email products:read' },
      { client_id: hostile, client_secret: 'a-secret-of-mine', redirect_uris: [callback] },
      { client_id: 'idle', redirect_uris: [callback] },
    ],
  });
});
afterEach(() => sandbox.stop());

const authorization = 'Bearer nobody-knows-it';
const open = (path = '/dashboard/report', headers: Record<string, string> = {}) =>
  get(sandbox.url + path, { authorization, ...headers });
const page = async (path?: string) => (await open(path)).text();

/** One client that does well but for its redirect URI, and one that puts its secret into an address. */
async function use(): Promise<void> {
  await logInAndCall(sandbox.url);
  await settle(get(`${sandbox.url}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'http://localhost:1/other' })}`));
  const query = new URLSearchParams({ client_id: hostile, client_secret: 'a-secret-of-mine' });
  await settle(post(`${sandbox.url}/oauth2/token?${query}`, { grant_type: 'nothing' }));
}

describe('the page of the client report', () => {
  it('says that nobody came yet, and nothing of those who could', async () => {
    const html = await page();
    expect(html).toContain('No client has sent a request yet.');
    expect(html).not.toContain('report-unseen');
    expect(html).not.toContain('reload');
  });

  it('puts the client with the most failures first', async () => {
    await logInAndCall(sandbox.url);
    const query = new URLSearchParams({ client_id: hostile, client_secret: 'a-secret-of-mine' });
    await settle(post(`${sandbox.url}/oauth2/token?${query}`, { grant_type: 'nothing' }));
    const failed = async () => [...(await page()).matchAll(/<td role="cell">(\d+)<span class="of"> failed/g)];
    const counts = (await failed()).map(([, count]) => Number(count));
    expect(counts).toHaveLength(2);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });

  it('passes no verdict on an id that is not registered', async () => {
    await settle(get(`${sandbox.url}/oauth2/authorize?${authorizeQuery({ client_id: 'frontent' })}`));
    const html = await page();
    expect(html).not.toContain('report-row');
    expect(html).toMatch(/report-strangers".*href="\/dashboard\/report\?client=frontent">frontent<\/a> \(1 request\)/s);
    expect(await page('/dashboard/report?client=frontent')).toContain('data-testid="report-client"');
  });

  it('grades each client with what to mend first, why, and the requests that show it', async () => {
    await use();
    const html = await page();
    expect(html.match(/data-testid="report-row"/g)).toHaveLength(2);
    const [, frontend = ''] = html.split(/<h2 id="client-\d"><a class="mono" href="\/dashboard\/clients\/frontend">/);
    expect(frontend).toMatch(/badge status err">Failed<\/span> The client sent a redirect_uri that is not registered</);
    const { requestId } = sandbox.events.latest('error.returned', 2)[1] ?? {};
    expect(frontend).toContain(`href="/dashboard/requests/${requestId}"`);
    expect(frontend).toMatch(/<summary data-testid="report-others">\d+ passed, \d+ not applicable</);
    expect(html).toMatch(/report-unseen".*1 registered client has not sent a request yet.*>idle<\/a>/s);
  });

  it('tells of one client alone, whatever it is called, and never a secret', async () => {
    await use();
    const html = await page(`/dashboard/report?${new URLSearchParams({ client: hostile })}`);
    expect(html).toContain('&lt;img/src=x');
    expect(html).not.toContain('<img');
    expect(html).not.toContain('a-secret-of-mine');
    expect(html.match(/data-testid="report-client"/g)).toHaveLength(1);
    expect(html).toContain(`/dashboard/report/json?${new URLSearchParams({ client: hostile })}`);
    expect(await page('/dashboard/report?client=idle')).toContain('This client has not sent a request yet.');
    const unknown = await open('/dashboard/report?client=nobody');
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('No such client')]);
  });

  it('has ten clients on a page, and leads to the others', async () => {
    await sandbox.stop();
    const ids = Array.from({ length: 25 }, (_, n) => `client-${100 + n}`);
    const clients = ids.map(client_id => ({ client_id, redirect_uris: [callback] }));
    sandbox = await createSandbox({ controlToken: 'nobody-knows-it', clients });
    for (const client_id of ids) await settle(get(`${sandbox.url}/oauth2/authorize?${authorizeQuery({ client_id })}`));
    const rows = (html: string) => [...html.matchAll(/href="#client-\d+">([^<]+)</g)].map(([, id]) => id);
    const [first, second, third] = [
      await page(),
      await page('/dashboard/report?page=2'),
      await page('/dashboard/report?page=3'),
    ];
    expect(first).toContain('Clients 1 to 10 of 25');
    expect(first.match(/data-testid="report-client"/g)).toHaveLength(10);
    expect(first.match(/href="\/dashboard\/report\?page=\d+"/g)).toEqual(['href="/dashboard/report?page=2"']);
    expect(second.match(/href="[^"]*\?page=\d+"/g)).toEqual([
      'href="/dashboard/report?page=1"',
      'href="/dashboard/report?page=3"',
    ]);
    expect(third).toContain('Clients 21 to 25 of 25');
    expect(new Set([...rows(first), ...rows(second), ...rows(third)]).size).toBe(25);
    for (const other of ['99', '0', 'x', '-1'])
      expect((await open(`/dashboard/report?page=${other}`)).status).toBe(200);
  });

  it('gives the same as a file, to its own pages only, and with the token where one is set', async () => {
    await use();
    const answers = await Promise.all(['html', 'json', 'junit'].map(format => open(`/dashboard/report/${format}`)));
    const names = answers.map(({ headers }) => headers.get('content-disposition'));
    expect(names).toEqual(['html', 'json', 'xml'].map(end => `attachment; filename="grantbox-report.${end}"`));
    const [html = '', json = '', xml = ''] = await Promise.all(answers.map(answer => answer.text()));
    expect(html).toContain('<h1>Client report</h1>');
    expect(readReport(json)).toMatchObject({ issuer: sandbox.issuer, unseen: ['idle'] });
    expect(readXml(xml).children.map(({ attributes }) => attributes.name)).toEqual([hostile, 'frontend']);
    const of = readReport(await page('/dashboard/report/json?client=frontend'));
    expect(of.clients.map(({ client_id }) => client_id)).toEqual(['frontend']);
    expect((await open('/dashboard/report/json', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await open('/dashboard/report/pdf')).status).toBe(404);
    for (const path of ['/dashboard/report/json', '/_sandbox/report'])
      expect((await get(sandbox.url + path)).status).toBe(401);
  });

  it('is one step away from the clients', async () => {
    expect(await page('/dashboard/clients')).toContain('href="/dashboard/report" data-testid="clients-report"');
    expect(await page('/dashboard/clients/frontend')).toContain(
      'href="/dashboard/report?client=frontend" data-testid="clients-report"',
    );
  });
});
