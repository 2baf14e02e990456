import { expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { runningChild } from '../support/child.ts';
import { asSensor, get, post } from '../support/wire.ts';

const token = (url: string) =>
  post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor });

it('a stopping server with a drain delay says that it is not ready, and still answers', async () => {
  observes('setting drainDelay');
  await using child = await runningChild({ env: { DRAIN_DELAY: '1h' } });
  expect((await get(`${child.url}/ready`)).status).toBe(200);
  child.process.kill('SIGTERM');
  let ready: Response;
  do ready = await get(`${child.url}/ready`);
  while (ready.status === 200);
  expect(await ready.json()).toMatchObject({ status: 'DOWN', server: { state: 'DOWN' } });
  expect((await get(`${child.url}/health`)).status).toBe(200);
  const issued = await token(child.url);
  // a kept connection of the balancer ends with its next answer
  expect([issued.status, issued.headers.get('connection')]).toEqual([200, 'close']);
  // the first signals may count as the same Ctrl-C
  const again = setInterval(() => child.process.kill('SIGTERM'), 100);
  expect(await child.ended).toBe(1);
  clearInterval(again);
});

it('a stopping server ends by itself after the drain delay, with exit code 0', async () => {
  await using child = await runningChild({ env: { DRAIN_DELAY: '1' } });
  const stream = await get(`${child.url}/_sandbox/events/stream`);
  child.process.kill('SIGTERM');
  await stream.text(); // the server ends it
  expect(await child.ended).toBe(0);
  expect(child.output.stderr).toBe('');
});
