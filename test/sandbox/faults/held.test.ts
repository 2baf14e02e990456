import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { get, portOf, post } from '../../support/wire.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
});
afterEach(() => sandbox.stop());

const authorization = `Basic ${btoa('sensor:sensor-secret')}`;

function token(headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return post(`${sandbox.url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization, ...headers });
}

/** When so many requests wait. */
async function held(count = 1): Promise<void> {
  const holding = async () => (await sandbox.faults.list()).map(({ holds }) => holds);
  await expect.poll(holding).toEqual([count]);
}

it('a request that is not answered is answered once the fault is disarmed', async () => {
  const { id } = await sandbox.faults.arm({ fault: 'no_answer' });
  const answered = token();
  await held();
  expect(await sandbox.faults.list()).toMatchObject([{ id, times: 0, met: 1, holds: 1 }]);
  expect((await token()).status, 'the next one is none of its').toBe(200);
  expect(await sandbox.faults.disarm(id)).toBe(true);
  expect((await answered).status).toBe(200);
  expect((await answered).headers.get('Sandbox-Fault')).toBe('no_answer');
  expect(await sandbox.faults.list()).toEqual([]);
});

it('a request that two faults hold is answered once all are disarmed', async () => {
  await sandbox.faults.arm({ fault: 'no_answer' });
  await sandbox.faults.arm({ fault: 'no_answer', times: 'always' });
  const answered = token();
  await expect.poll(async () => (await sandbox.faults.list())[1]?.holds).toBe(1);
  await sandbox.faults.clear();
  expect((await answered).status).toBe(200);
});

it('one whose client hangs up is over, and nothing was done', async () => {
  await sandbox.faults.arm({ fault: 'no_answer' });
  const socket = connect(portOf(sandbox.url), '127.0.0.1');
  const body = 'grant_type=client_credentials';
  socket.write(
    `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await held();
  expect(sandbox.events.count('fault.disarmed')).toBe(0);
  socket.destroy();
  await once(socket, 'close');
  await expect.poll(() => sandbox.faults.list()).toEqual([]);
  expect(sandbox.events.latest('fault.disarmed', 1)).toMatchObject([{ fault: 'no_answer', met: 1 }]);
  await expect.poll(() => sandbox.events.latest('request.completed', 1)[0]?.status).toBe(499);
  expect(sandbox.events.count('token.issued')).toBe(0);
});

it('all continue when all faults are disarmed, also those with their own Sandbox-Fault header', async () => {
  await sandbox.faults.arm({ fault: 'no_answer', times: 'always' });
  const answers = [token(), token()];
  await held(2);
  await sandbox.faults.clear();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  const asked = token({ 'sandbox-fault': 'no_answer' });
  await expect.poll(() => sandbox.events.count('fault.applied')).toBe(3);
  await sandbox.reset('faults');
  expect((await asked).status).toBe(200);
});

it('continue when the fault ends', async () => {
  await token();
  await sandbox.faults.arm({ fault: 'no_answer', times: 'always', for: 2 });
  expect((await token()).headers.get('Sandbox-Fault')).toBe('no_answer');
  expect((await token()).headers.get('Sandbox-Fault')).toBeNull();
});

it.each(['authorize', 'api'])('the endpoint %s can be the one that is silent', async endpoint => {
  await sandbox.faults.arm({ fault: 'no_answer', endpoint });
  const path = endpoint === 'api' ? '/api/products' : '/oauth2/authorize?client_id=frontend';
  const answered = get(sandbox.url + path);
  await held();
  await sandbox.faults.clear();
  expect((await answered).headers.get('Sandbox-Fault')).toBe('no_answer');
});

it('a sandbox that stops waits for none of them', async () => {
  const other = await createSandbox({ signingAlg: 'ES256' });
  await other.faults.arm({ fault: 'no_answer', endpoint: 'jwks' });
  const answered = get(`${other.url}/oauth2/jwks`);
  await expect.poll(async () => (await other.faults.list())[0]?.holds).toBe(1);
  await other.stop();
  expect((await answered).status).toBe(200);
});

it('the page says how many wait', async () => {
  await sandbox.faults.arm({ fault: 'no_answer' });
  const answered = token();
  await held();
  const html = await (await get(`${sandbox.url}/dashboard/faults`)).text();
  expect(html).toMatch(/faults-armed".*No response at all.*1 held until it is disarmed/);
  await sandbox.faults.clear();
  await answered;
});
