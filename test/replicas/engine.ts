import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';

/** A real engine on a free port of loopback, for one test file. */
export interface TestEngine {
  /** `redis://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Stops it as a crash would, or lets it go on in the same place after that. */
  kill(): Promise<void>;
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The server to run: `redis-server`, or the one that the variable names (`valkey-server`). */
const program = process.env.ENGINE ?? 'redis-server';

/** Starts an engine that keeps nothing on disk unless `args` say so. */
export async function startEngine(...args: readonly string[]): Promise<TestEngine> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'grantbox-engine-'));
  let child: ReturnType<typeof spawn>;
  async function start(): Promise<void> {
    const fixed = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
    ];
    child = spawn(program, [...fixed, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    await untilReady(child);
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid ?? 0;
    },
    start,
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ReturnType<typeof spawn>): Promise<void> {
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.once('error', () => reject(new Error(missing)));
    child.once('exit', code => reject(new Error(`${program} ended with ${code}: ${said}`)));
    child.stdout?.on('data', chunk => {
      said += String(chunk);
      if (said.includes('Ready to accept connections')) resolve();
    });
  });
  await ready;
}

const missing = `${program} is not installed: run \`npm run test:replicas\` as root on Debian, which installs it, or install redis-server or valkey-server`;
