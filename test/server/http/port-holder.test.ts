import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { portHolder } from '../../../src/server/http/port-taken.ts';
import { freePort } from '../../support/free-port.ts';

/** Some systems have another name for it. */
const program = basename(realpathSync(process.execPath));

async function listening(host: string, port = 0): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}

it.runIf(process.platform === 'linux')(
  'finds the process that listens on all addresses of a port, and no other',
  async () => {
    expect(portHolder(await freePort())).toBeUndefined();
    const server = await listening('127.0.0.1');
    const { port } = server.address() as AddressInfo;
    const self = { pid: process.pid, program };
    expect(portHolder(port)).toEqual(self);
    const second = await listening('::1', port);
    expect(portHolder(port)).toEqual(self);
    second.close();
    await once(second, 'close');
    const script = `require('net').createServer().listen(${port}, '::1', () => console.log())`;
    const other = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');
    expect(portHolder(port)).toBeUndefined();
    server.close();
    await once(server, 'close');
    expect(portHolder(port)).toEqual({ pid: other.pid, program });
    other.kill();
    await once(other, 'exit');
  },
);
