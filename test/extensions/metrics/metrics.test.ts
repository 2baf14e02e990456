import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoundedLabels } from '../../../src/extensions/metrics/metrics.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { observes } from '../../observed.ts';
import { answer, asSensor, get, login, post, redeem } from '../../support/wire.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ metrics: true });
});
afterAll(() => sandbox.stop());

/** The value of each series, by its name and labels as Prometheus reads them. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const lines = (await (await get(`${sandbox.url}/metrics`)).text()).split('\n');
  return new Map(
    lines
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

const token = (url: string, headers = { authorization: asSensor }) =>
  post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, headers);

describe('/metrics', () => {
  it('counts requests, tokens, refusals, logins and flows, of all issuers together', async () => {
    observes('setting metrics');
    const other = await sandbox.createIssuer();
    await (await token(sandbox.url)).text();
    await (await token(other.issuer)).text();
    await (await token(sandbox.url, { authorization: 'Basic x' })).text();
    const code = (await answer(sandbox.url, await login(sandbox.url))).get('code') ?? '';
    await redeem(sandbox.url, code);
    await sandbox.events.waitFor('request.completed', ({ endpoint, status }) => endpoint === 'token' && status >= 400);
    const series = await scrape();
    expect(Object.fromEntries([...series].filter(([name]) => name.startsWith('grantbox_')))).toMatchObject({
      'grantbox_http_requests_total{route="token",method="POST",status="200"}': 3,
      'grantbox_http_requests_total{route="token",method="POST",status="401"}': 1,
      'grantbox_http_request_duration_seconds_count{route="token"}': 4,
      'grantbox_tokens_issued_total{token_type="access",grant_type="client_credentials"}': 2,
      'grantbox_tokens_issued_total{token_type="id",grant_type="authorization_code"}': 1,
      'grantbox_token_requests_total{grant_type="client_credentials"}': 2,
      'grantbox_authorization_requests_total{response_type="code"}': expect.any(Number),
      'grantbox_refusals_total{error="invalid_client",reason="basic_header_malformed"}': 1,
      grantbox_codes_issued_total: 1,
      'grantbox_logins_total{by="click"}': 1,
      'grantbox_events_total{type="issuer.created"}': 1,
      grantbox_ready: 1,
    });
    expect([...series.keys()].filter(name => /client_id|frontend|sensor|alice/.test(name))).toEqual([]);
    await other.stop();
  });

  it('has the memory and the event loop delay of the process', async () => {
    const series = await scrape();
    expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(series.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
  });

  it('is answered to a scraper that uses the address of the process, and only to be read', async () => {
    const asked = (method: string) =>
      new Promise<{ status: number | undefined; type: string | undefined; body: string }>((resolve, reject) => {
        const headers = { host: '10.1.2.3:9000' };
        request(`${sandbox.url}/metrics?x`, { method, headers, agent: false }, async response => {
          const type = response.headers['content-type'];
          resolve({ status: response.statusCode, type, body: await text(response) });
        })
          .on('error', reject)
          .end();
      });
    expect(await asked('GET')).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
    expect(await asked('HEAD')).toMatchObject({ status: 200, body: '' });
    expect((await asked('POST')).status).toBe(405);
    expect((await get(`${sandbox.url}/metrics/`)).status).toBe(404);
  });

  it('is off by default', async () => {
    await using plain = await createSandbox();
    expect((await get(`${plain.url}/metrics`)).status).toBe(404);
  });
});

it('a metric has at most so many series; further label values are counted as other', () => {
  const bounded = createBoundedLabels(2);
  expect([bounded(['a', 1]), bounded(['b', 2]), bounded(['c', 3]), bounded(['a', 1])]).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['other', 'other'],
    ['a', '1'],
  ]);
});
