import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { chosenErrors } from '../../../src/protocol/users/next-login.ts';
import type { FaultOrder } from '../../../src/server/faults/fault.ts';
import { answer, asSensor, authorizeQuery, get, login, post } from '../../support/wire.ts';

// The design has a line with all that shall be able to go wrong; here is how each word of it is armed, and what it does.

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
});
afterAll(() => sandbox.stop());

const token = () =>
  post(`${sandbox.url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor });
const asked: Readonly<Record<string, () => Promise<Response>>> = {
  token,
  jwks: () => get(`${sandbox.url}/oauth2/jwks`),
  userinfo: () => get(`${sandbox.url}/userinfo`, { authorization: 'Bearer a.b.c' }),
  api: () => get(`${sandbox.url}/api/products`),
  authorize: () => get(`${sandbox.url}/oauth2/authorize?${authorizeQuery()}`),
};

const statuses: readonly (readonly [words: string, order: FaultOrder, status: number])[] = [
  ['HTTP, any 4xx', { fault: 'http_status', endpoint: 'token', status: 418 }, 418],
  ['HTTP, any 5xx', { fault: 'http_status', endpoint: 'authorize', status: 507 }, 507],
  ['HTTP 504 where no other is named', { fault: 'http_status' }, 504],
  ['HTTP 429', { fault: 'rate_limited', endpoint: 'token' }, 429],
  ['keys, 500', { fault: 'server_error', endpoint: 'jwks' }, 500],
  ['keys, a redirect', { fault: 'redirected', endpoint: 'jwks' }, 302],
  ['UserInfo, 401', { fault: 'userinfo_unauthorized' }, 401],
  ['the API, 401', { fault: 'api_unauthorized' }, 401],
  ['the API, 403', { fault: 'api_forbidden' }, 403],
  ['the API, 429', { fault: 'rate_limited', endpoint: 'api' }, 429],
];

describe('a word of the design', () => {
  it.each(statuses)('%s', async (_, order, status) => {
    const { endpoint } = await sandbox.faults.arm(order);
    const ask = asked[endpoint] ?? token;
    const met = await ask();
    expect([met.status, met.headers.get('Sandbox-Fault')]).toEqual([status, order.fault]);
    expect((await ask()).headers.get('Sandbox-Fault'), 'the next is healthy').toBeNull();
  });

  it.each(['jwks', 'api', 'authorize', 'userinfo'])('slow, at %s', async endpoint => {
    await sandbox.faults.arm({ fault: 'slow', endpoint, seconds: 0 });
    const ask = asked[endpoint] ?? token;
    expect((await ask()).headers.get('Sandbox-Fault')).toBe('slow');
    expect((await ask()).headers.get('Sandbox-Fault')).toBeNull();
  });

  it.each(chosenErrors)('authorize, the error %s', async error => {
    const cookie = await login(sandbox.url);
    await sandbox.faults.arm({ fault: 'authorize_error', error });
    expect((await answer(sandbox.url, cookie)).get('error')).toBe(error);
    expect((await answer(sandbox.url, cookie)).has('code')).toBe(true);
  });
});

it.each([
  [{ fault: 'http_status', status: 302 }, '400 to 599'],
  [{ fault: 'http_status', status: 450.5 }, '400 to 599'],
  [{ fault: 'server_error', status: 500 }, 'nothing: server_error has no parameter'],
])('a status that cannot be is refused: %j', async (order, expected) => {
  await expect(sandbox.faults.arm(order)).rejects.toThrow(expected);
});

it('a request names the status it wants itself', async () => {
  const headers = { authorization: asSensor, 'sandbox-fault': 'http_status;status=409;error=conflict' };
  const met = await post(`${sandbox.url}/oauth2/token`, { grant_type: 'client_credentials' }, headers);
  expect([met.status, await met.json()]).toMatchObject([409, { error: 'conflict' }]);
});
