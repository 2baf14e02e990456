import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type RunningChild, runningChild } from '../support/child.ts';
import { asSensor, post } from '../support/wire.ts';

/** A balancer as orchestrators have it: kept connections, checks of `/ready`, no second try for a failed request. */
async function balance(children: readonly RunningChild[]) {
  const agent = new Agent({ keepAlive: true });
  let ready = [...children];
  let next = 0;
  const balancer = createServer((req, res) => {
    const child = ready[next++ % ready.length];
    const options = {
      port: child?.port,
      host: '127.0.0.1',
      agent,
      method: req.method,
      path: req.url,
      headers: req.headers,
    };
    const call = request(options, answer => {
      res.writeHead(answer.statusCode ?? 502);
      answer.pipe(res);
    });
    call.on('error', error => res.writeHead(502).end(error.message));
    req.pipe(call);
  });
  const isReady = ({ url }: RunningChild) =>
    fetch(`${url}/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const check = setInterval(async () => {
    const states = await Promise.all(children.map(isReady));
    ready = children.filter((_, index) => states[index]);
  }, 20);
  await new Promise<void>(resolve => balancer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    clearInterval(check);
    agent.destroy();
    balancer.closeAllConnections();
    balancer.close();
  });
  const takes = (child: RunningChild) => ready.includes(child);
  return { url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`, takes };
}

it('a rolling update under load loses no request', async () => {
  const env = { DRAIN_DELAY: '2' };
  await using first = await runningChild({ env });
  await using second = await runningChild({ env });
  const { url, takes } = await balance([first, second]);
  const statuses: number[] = [];
  let isOver = false;
  const load = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const answer = await post(
        `${url}/oauth2/token`,
        { grant_type: 'client_credentials' },
        { authorization: asSensor },
      );
      await answer.text();
      statuses.push(answer.status);
    }
  });
  while (statuses.length < 50) await new Promise(resolve => setImmediate(resolve));
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect([takes(first), takes(second)]).toEqual([false, true]);
  const after = statuses.length + 50;
  while (statuses.length < after) await new Promise(resolve => setImmediate(resolve));
  isOver = true;
  await Promise.all(load);
  expect(statuses.filter(status => status !== 200)).toEqual([]);
});
