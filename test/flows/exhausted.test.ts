import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runningChild, startChild, until } from '../support/child.ts';
import { get, post } from '../support/wire.ts';

describe.runIf(process.platform === 'linux')('a machine that has run out of something', () => {
  it('a full disk behind the log hangs neither the start nor an answer nor the stop', async () => {
    const child = startChild({ first: 'exec >/dev/full' });
    const issuer = () => /"issuer":"([^"]+)"/.exec(child.output.stderr)?.[1];
    await until(() => issuer() !== undefined);
    expect(child.output.stderr).toContain('The log cannot be written: ENOSPC');
    for (let asked = 0; asked < 100; asked++) {
      const refused = await post(`${issuer()}/oauth2/token`, {});
      await refused.arrayBuffer();
      expect(refused.status).toBe(401);
    }
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  });

  it('more connections than it may open files are closed, told in the log, and hinder nobody who is connected', async () => {
    await using child = await runningChild({ first: 'ulimit -n 100' });
    const health = async () => (await get(`${child.url}/health`)).status;
    expect(await health()).toBe(200); // this connection is kept
    const sockets = Array.from({ length: 100 }, () => connect(child.port, '127.0.0.1').on('error', () => undefined));
    await Promise.race(sockets.map(socket => once(socket.resume(), 'close')));
    await until(() => child.output.stdout.includes('A connection was closed without a response'));
    expect(child.output.stdout).toContain('50 connections are open, and this process may open 100 files (ulimit -n)');
    expect(await health()).toBe(200);
    for (const socket of sockets) socket.destroy();
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  });
});
