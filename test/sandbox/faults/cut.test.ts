import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventOf } from '../../../src/base/events/event.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { createRequestLog } from '../../../src/server/http/log/request-log.ts';
import { asSensor, get, post } from '../../support/wire.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
});
afterEach(() => sandbox.stop());

const endpoints = {
  token: () => post(`${sandbox.url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor }),
  api: () => get(`${sandbox.url}/api/products`),
} as const;

/** What the log has of a request that the fault has cut. */
async function cutBy(fault: string, endpoint: keyof typeof endpoints): Promise<EventOf<'request.completed'>> {
  await sandbox.faults.arm({ fault, endpoint });
  await expect(endpoints[endpoint]().then(response => response.text())).rejects.toThrow();
  await expect.poll(() => sandbox.events.count('request.completed')).toBe(1);
  const [completed] = sandbox.events.latest('request.completed', 1);
  if (completed === undefined) throw new Error('it is not in the log');
  return completed;
}

async function lineOf(event: EventOf<'request.completed'>): Promise<string> {
  const destination = new PassThrough();
  const log = createRequestLog({ level: 'info', format: 'json', destination });
  log.event(event);
  await log.close();
  destination.end();
  return (JSON.parse(await text(destination)) as { msg: string }).msg;
}

describe.each(['token', 'api'] as const)('a connection that a fault cuts, at %s', endpoint => {
  it('before the answer is recorded as cut by the fault, not by the client', async () => {
    const completed = await cutBy('connection_dropped', endpoint);
    expect(completed).toMatchObject({ status: 444, faults: ['connection_dropped'] });
    expect(completed.exchange.responseBody).toBeUndefined();
    expect(await lineOf(completed)).toBe(`${completed.method} ${completed.path} 444, fault: connection_dropped`);
    const page = await (await get(`${sandbox.url}/dashboard/requests/${completed.requestId}`)).text();
    expect(page).toContain('A fault closed the connection after');
    expect(page).not.toContain('hung up');
  });

  it('in the answer is recorded with the part that was sent', async () => {
    const completed = await cutBy('truncated', endpoint);
    expect(completed).toMatchObject({ status: endpoint === 'api' ? 401 : 200, faults: ['truncated'] });
    expect(completed.exchange.responseBody?.text).toMatch(/^\{[^}]*$/);
    expect(await lineOf(completed)).toMatch(/, fault: truncated$/);
  });
});

describe('no_cors', () => {
  const from = { origin: 'http://localhost:5173' };
  const preflight = (path: string) =>
    fetch(sandbox.url + path, {
      method: 'OPTIONS',
      headers: { ...from, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' },
    });
  const corsIn = ({ headers }: Response) => [...headers.keys()].filter(name => name.startsWith('access-control-'));

  it.each([
    ['token', '/oauth2/token'],
    ['api', '/api/products'],
    ['jwks', '/oauth2/jwks'],
  ])('is of the preflight of %s, where there is one', async (endpoint, path) => {
    await sandbox.faults.arm({ fault: 'no_cors', endpoint });
    const without = await preflight(path);
    expect([without.headers.get('Sandbox-Fault'), corsIn(without)]).toEqual(['no_cors', []]);
    const next = await preflight(path);
    expect([next.headers.get('Sandbox-Fault'), next.headers.get('Access-Control-Allow-Origin')]).toEqual([
      null,
      from.origin,
    ]);
  });

  it('leaves the preflights of other endpoints alone, and those of whom it is not for', async () => {
    await sandbox.faults.arm({ fault: 'no_cors', endpoint: 'token', client: 'sensor' });
    expect(corsIn(await preflight('/oauth2/jwks'))).not.toEqual([]);
    expect(corsIn(await preflight('/oauth2/token')), 'a preflight does not say whose it is').not.toEqual([]);
    const headers = { authorization: asSensor, ...from };
    const answered = await post(`${sandbox.url}/oauth2/token`, { grant_type: 'client_credentials' }, headers);
    expect([answered.status, corsIn(answered)]).toEqual([200, []]);
  });

  it('is the only fault that a preflight meets', async () => {
    await sandbox.faults.arm({ fault: 'connection_dropped' });
    await sandbox.faults.arm({ fault: 'unavailable' });
    expect((await preflight('/oauth2/token')).headers.get('Sandbox-Fault')).toBeNull();
    expect(await sandbox.faults.list()).toHaveLength(2);
  });
});
