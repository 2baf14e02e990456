import { describe, expect, it } from 'vitest';
import { readReport } from '../../../../src/extensions/report/read-report.ts';
import { checkOf } from '../../../extensions/report/support.ts';
import { readXml } from '../../../extensions/report/well-formed.ts';
import { logInAndCall, settle } from '../../../extensions/report/world.ts';
import { observes } from '../../../observed.ts';
import { authorizeQuery, callback, get } from '../../../support/wire.ts';
import { controlled } from './support.ts';

const scope = 'openid profile products:read';
const clients = [
  { client_id: 'frontend', redirect_uris: [callback], scope },
  { client_id: 'other', redirect_uris: [callback], scope },
];

async function used() {
  const { sandbox, call } = await controlled({ clients, issuers: { tenant: { clients } } });
  await logInAndCall(sandbox.url);
  await settle(get(`${sandbox.url}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'http://x.example/' })}`));
  return { sandbox, call };
}

describe('GET /_sandbox/report', () => {
  it('says how well each client did', async () => {
    observes('operation readReport');
    const { call } = await used();
    const { status, headers, body } = await call('GET /report');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    const report = readReport(JSON.stringify(body));
    expect(report).toMatchObject({ verdict: 'fail', unseen: ['other'], clients: [{ client_id: 'frontend' }] });
    expect(checkOf(report, 'frontend', 'pkce_s256').verdict).toBe('pass');
    expect(checkOf(report, 'frontend', 'redirect_uri_exact').verdict).toBe('fail');
  });

  it('leaves no trace in what it tells', async () => {
    const { call } = await used();
    const { body: before } = await call('GET /report');
    const { body: after } = await call('GET /report');
    expect({ ...after, createdAt: '' }).toEqual({ ...before, createdAt: '' });
  });

  it('answers as HTML that no script of a stranger can run in', async () => {
    const { call } = await used();
    const { headers, body } = await call('GET /report?format=html');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(body).toContain('<h1>Client report</h1>');
  });

  it('answers as JUnit XML, with warnings as failures on request', async () => {
    const { call } = await used();
    const { headers, body } = await call('GET /report?format=junit');
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const { body: report } = await call('GET /report');
    expect(readXml(body).attributes.failures).toBe(`${report.summary.fail}`);
    const { body: strict } = await call('GET /report?format=junit&failOn=warn');
    expect(readXml(strict).attributes.failures).toBe(`${report.summary.fail + report.summary.warn}`);
  });

  it('answers for one client, seen or not, and refuses one that is neither', async () => {
    const { call } = await used();
    expect((await call('GET /report?client=other')).body).toMatchObject({ clients: [], unseen: ['other'] });
    const { body } = await call('GET /report?client=frontend');
    expect(body.clients).toMatchObject([{ client_id: 'frontend' }]);
    const { status, body: problem } = await call('GET /report?client=frontent');
    expect([status, JSON.stringify(problem)]).toEqual([404, expect.stringContaining('"expected":"frontend"')]);
  });

  it.each(['format=pdf', 'failOn=pass', 'clients=x'])('refuses %s, and quotes it', async query => {
    const { call } = await controlled();
    const { status, body } = await call(`GET /report?${query}`);
    const [name = ''] = query.split('=');
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(name)]);
  });

  it('knows of its own issuer alone', async () => {
    const { sandbox } = await used();
    const report = readReport(await (await get(`${sandbox.url}/tenant/_sandbox/report`)).text());
    expect(report).toMatchObject({ issuer: `${sandbox.url}/tenant`, clients: [], unseen: ['frontend', 'other'] });
  });
});
