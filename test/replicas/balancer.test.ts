import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { startBalancer } from './balancer.ts';

// The other tests of replicas rest on this: no two requests in a row reach the same replica.
describe('the balancer of these tests', () => {
  let states: number[];
  const servers = [0, 1, 2].map(place =>
    createServer((req, res) => {
      if (req.url === '/ready') res.statusCode = states[place] ?? 500;
      res.end(String(place));
    }),
  );
  let replicas: number[];
  beforeAll(async () => {
    states = [200, 200, 200];
    for (const server of servers) await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    replicas = servers.map(server => (server.address() as AddressInfo).port);
  });
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });
  const askSixTimes = async (url: string, headers: Record<string, string> = {}) => {
    let answers = '';
    for (let time = 0; time < 6; time++) answers += await (await fetch(url, { headers })).text();
    return answers;
  };

  it('sends successive requests of one client to different replicas', async () => {
    await using balancer = await startBalancer({ port: await freePort(), replicas });
    const answers = await askSixTimes(`http://localhost:${balancer.port}/`);
    expect('012012012').toContain(answers);
    expect(await balancer.served()).toEqual([2, 2, 2]);
  });

  it('sends successive connections to different replicas when it only forwards bytes', async () => {
    await using balancer = await startBalancer({ port: await freePort(), replicas, mode: 'tcp' });
    await askSixTimes(`http://localhost:${balancer.port}/`, { connection: 'close' });
    expect(await balancer.served()).toEqual([2, 2, 2]);
  });

  it('leaves out a replica that is not ready', async () => {
    await using balancer = await startBalancer({ port: await freePort(), replicas, checksReady: true });
    states[1] = 503;
    await expect.poll(() => balancer.up()).toEqual([replicas[0], replicas[2]]);
    expect(await askSixTimes(`http://localhost:${balancer.port}/`)).not.toContain('1');
    states[1] = 200;
    await expect.poll(() => balancer.up()).toEqual(replicas);
  });
});
