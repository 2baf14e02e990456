import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wholeStream, wholeText } from '../../../src/base/turns.ts';
import { readReport } from '../../../src/extensions/report/read-report.ts';
import { type ClientReport, type FailOn, findingsOf, onlyClient } from '../../../src/extensions/report/report.ts';
import {
  reportAsHtml,
  reportAsJson,
  reportAsJunit,
  reportAsText,
} from '../../../src/extensions/report/report-formats.ts';
import type { Sandbox, SandboxConfig } from '../../../src/index.ts';
import { createSandbox } from '../../../src/index.ts';
import { authorizeQuery, callback, get, post } from '../../support/wire.ts';
import { checkOf, reportOf } from './support.ts';
import { readXml } from './well-formed.ts';
import { logInAndCall, settle } from './world.ts';

const hostileId = `"'><img/src=x/onerror=alert(1)>]]>&amp;`;
const hostileName = `</title><script>alert(1)</script>]]> & "quoted"`;
const config: SandboxConfig = {
  clients: [
    { client_id: 'frontend', redirect_uris: [callback], scope: 'openid profile products:read' },
    { client_id: hostileId, client_name: hostileName, client_secret: 'a-secret-of-mine', redirect_uris: [callback] },
    { client_id: 'idle', redirect_uris: [callback] },
  ],
};

const asJson = (report: ClientReport) => wholeText(reportAsJson(report));
const asHtml = (report: ClientReport) => wholeStream(reportAsHtml(report));
const asJunit = (report: ClientReport, failOn?: FailOn) => wholeText(reportAsJunit(report, failOn));

let sandbox: Sandbox;
let report: ClientReport;
beforeAll(async () => {
  sandbox = await createSandbox(config);
  const { url } = sandbox;
  const { access_token } = await logInAndCall(url);
  await settle(get(`${url}/userinfo?access_token=${access_token}`));
  const secret = { client_id: hostileId, client_secret: 'a-secret-of-mine' };
  await settle(post(`${url}/oauth2/token?${new URLSearchParams(secret)}`, { grant_type: 'nothing' }));
  // under a name that says nothing
  await settle(
    get(
      `${url}/oauth2/authorize?client_id=${encodeURIComponent(hostileId)}&response_type=code&prompt=a-secret-of-mine`,
    ),
  );
  const strange = { client_id: hostileId, redirect_uri: 'http://x.example/</pre><b>&"]]>' };
  await settle(get(`${url}/oauth2/authorize?${authorizeQuery(strange)}`));
  await settle(get(`${url}/oauth2/authorize?${authorizeQuery({ client_id: 'unheard-of' })}`));
  report = await reportOf(sandbox, config);
});
/** No name that is registered may have this; one that somebody sent may. */
const strangelyNamed = (): ClientReport => {
  const [first, ...others] = report.clients;
  if (first === undefined) throw new Error('no client');
  return {
    ...report,
    clients: [{ ...first, client_name: 'a\u0000b\u202e\u001b[31m\ud800c\uffff\u000b\r\n]]>' }, ...others],
  };
};
afterAll(() => sandbox.stop());

describe('the report', () => {
  it('has who did something, by client_id, and names who did not', () => {
    expect(report.clients.map(({ client_id, type }) => [client_id, type])).toEqual([
      [hostileId, 'confidential'],
      ['frontend', 'public'],
      ['unheard-of', 'unknown'],
    ]);
    expect(report).toMatchObject({ unseen: ['idle'], verdict: 'fail', recording: true, incomplete: false });
  });

  it('adds up', () => {
    for (const { checks, summary } of report.clients)
      expect(summary.fail + summary.warn + summary.pass + summary.not_applicable).toBe(checks.length);
    expect(report.clients.reduce((sum, { summary }) => sum + summary.fail, 0)).toBe(report.summary.fail);
    expect(findingsOf(report, 'fail')).toBe(report.summary.fail);
    expect(findingsOf(report, 'warn')).toBe(report.summary.fail + report.summary.warn);
  });

  it('tells no secret, in whatever form', async () => {
    const signature = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{20,}/;
    for (const text of [asJson(report), await asHtml(report), asJunit(report), reportAsText(report)]) {
      expect(text).not.toContain('a-secret-of-mine');
      expect(text).not.toMatch(signature);
    }
    expect(checkOf(report, hostileId, 'no_secret_in_url').evidence.example).toContain('client_secret=[redacted]');
    expect(checkOf(report, hostileId, 'no_secret_in_url').evidence.count).toBe(2);
    expect(checkOf(report, hostileId, 'pkce_s256').evidence.example).toContain('prompt=[redacted]');
    const form = checkOf(report, hostileId, 'client_authentication').evidence.example;
    expect(form).toMatch(/^POST .* grant_type=nothing$/);
    expect(checkOf(report, 'frontend', 'no_token_in_url').evidence.example).toMatch(/access_token=\S+\[redacted\]/);
  });

  it('is the same for one client, asked for or picked out', async () => {
    const one = await reportOf(sandbox, config, { client: 'frontend' });
    expect(one.clients.map(({ client_id }) => client_id)).toEqual(['frontend']);
    expect({ ...onlyClient(report, 'frontend'), createdAt: '' }).toEqual({ ...one, createdAt: '' });
    expect(onlyClient(report, 'nobody')).toBeUndefined();
    expect(onlyClient(report, 'idle')).toMatchObject({ clients: [], unseen: ['idle'], verdict: 'not_applicable' });
  });
});

describe('as JSON', () => {
  it('reads back as it was', () => {
    expect(readReport(asJson(report))).toEqual(report);
  });

  it.each([
    ['{', /text that is not JSON/],
    ['null', /found object/],
    ['{"format":"other"}', /format "other"/],
    ['[]', /no format/],
    ['{"format":"grantbox-client-report","version":2}', /version 1 .* found 2/],
    ['{"format":"grantbox-client-report","version":1,"clients":[{}]}', /without its clients/],
    ['{"format":"grantbox-client-report","version":1,"clients":[null]}', /without its clients/],
  ])('says what %s is in its place', (text, message) => {
    expect(() => readReport(text)).toThrow(message);
  });
});

describe('as JUnit XML', () => {
  it('is well-formed with hostile names, and has a suite for each client and a case for each check', () => {
    const root = readXml(asJunit(report));
    expect(root.name).toBe('testsuites');
    const names = root.children.map(({ attributes }) => attributes.name);
    expect(names).toEqual([hostileId, 'frontend', 'unheard-of']);
    for (const [index, suite] of root.children.entries()) {
      const { checks = [], summary } = report.clients[index] ?? {};
      expect(suite.children.map(({ name }) => name)).toEqual(checks.map(() => 'testcase'));
      expect(suite.attributes).toMatchObject({
        tests: `${checks.length}`,
        failures: `${summary?.fail}`,
        skipped: `${summary?.not_applicable}`,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      });
      const outcomes = suite.children.map(({ children }) => children[0]?.name);
      const expected = { fail: 'failure', not_applicable: 'skipped', pass: 'system-out', warn: 'system-out' };
      expect(outcomes).toEqual(checks.map(({ verdict }) => expected[verdict]));
    }
    const failure = root.children[0]?.children
      .map(({ children }) => children[0])
      .find(each => each?.name === 'failure');
    const failed = report.clients[0]?.checks.find(({ verdict }) => verdict === 'fail');
    expect(failure?.attributes.message).toBe(`${failed?.title}. ${failed?.why}`);
  });

  it('makes failures of warnings on request', () => {
    const count = (xml: string) => Number(readXml(xml).attributes.failures);
    expect(count(asJunit(report))).toBe(report.summary.fail);
    expect(count(asJunit(report, 'warn'))).toBe(report.summary.fail + report.summary.warn);
    expect(report.summary.warn).toBeGreaterThan(0);
  });

  it('replaces what no XML document may have', () => {
    const { clients } = strangelyNamed();
    const strange = { ...report, clients: clients.map(each => ({ ...each, client_id: each.client_name })) };
    const { name } = readXml(asJunit(strange)).children[0]?.attributes ?? {};
    expect(name).toBe('a\ufffdb\u202e\ufffd[31m\ufffdc\ufffd\ufffd\r\n]]>');
  });
});

describe('as HTML', () => {
  it('needs nothing but itself, and lets nothing else in', async () => {
    const html = await asHtml(report);
    expect(html).toContain(`default-src 'none'`);
    expect(html).not.toMatch(/<(script|img|link|iframe|b)\b|\ssrc=|url\(|@import|https?:\/\/(?!localhost)[^\s"<]*"/);
    expect(html.match(/<[a-z][^>]*\son\w+=/gi)).toBeNull();
    expect(html).toContain('&lt;/title&gt;&lt;script&gt;alert(1)');
    expect(html).toMatch(/light-dark\(/);
  });

  it('has a heading for each client and each check, an id for each link, and closes what it opens', async () => {
    const html = await asHtml(report);
    const checks = report.clients.reduce((sum, client) => sum + client.checks.length, 0);
    expect(html.match(/<h2/g)).toHaveLength(report.clients.length);
    expect(html.match(/<h3/g)).toHaveLength(checks);
    for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`id="${id}"`);
    for (const tag of ['main', 'section', 'ul', 'li', 'details', 'bdi', 'table', 'tr', 'td', 'th', 'p', 'pre', 'code'])
      expect([tag, html.split(`<${tag}>`).length + html.split(`<${tag} `).length]).toEqual([
        tag,
        html.split(`</${tag}>`).length + 1,
      ]);
  });
});

describe('as text', () => {
  it('moves no cursor and turns no line around', () => {
    const text = reportAsText(strangelyNamed());
    expect(text).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
    expect(text).toContain('\ufffd[31m');
  });

  it('says each failure with its reason and example, and counts', () => {
    const text = reportAsText(report);
    for (const { checks } of report.clients)
      for (const { id, why, verdict } of checks.filter(check => check.verdict === 'fail')) {
        expect([verdict, text]).toEqual(['fail', expect.stringContaining(`FAIL  ${id}`)]);
        expect(text).toContain(why);
      }
    expect(text).toContain('Registered but not seen yet: idle');
    expect(text.trimEnd()).toMatch(/\d+ failed, \d+ warnings?, \d+ passed, \d+ not applicable$/);
  });
});
