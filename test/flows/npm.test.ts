import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { newFolder } from '../support/new-folder.ts';
import { asSensor, get, post } from '../support/wire.ts';

const bundle = join(import.meta.dirname, '..', '..', 'dist', 'grantbox.cjs');

interface Started {
  /** The process id of the program. */
  readonly pid: number;
  readonly ended: Promise<unknown>;
  answers(): Promise<boolean>;
  /** Sends a signal to the program and to all that it started. */
  signalAll(signal: NodeJS.Signals): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Runs a program in a project that depends on Grantbox, and resolves when Grantbox answers. Other files are by name. */
async function started(command: readonly string[], files: Readonly<Record<string, unknown>> = {}): Promise<Started> {
  const cwd = newFolder({ 'package.json': { private: true }, 'node_modules/.bin/other': '', ...files });
  symlinkSync(bundle, join(cwd, 'node_modules', '.bin', 'grantbox'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [program = '', ...args] = command;
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, PORT: String(port), npm_config_update_notifier: 'false' };
  const child = spawn(program, args, { cwd, env, detached: true, stdio: 'ignore' });
  const ended = new Promise(resolve => child.once('exit', resolve));
  const { pid = 0 } = child;
  const signalAll = (signal: NodeJS.Signals) => {
    process.kill(-pid, signal);
  };
  await expect.poll(() => health(url)).toBe(true);
  return {
    pid,
    ended,
    signalAll,
    async answers() {
      // late by the timers of the server: all that it does more often has happened by then
      const slow = { authorization: asSensor, 'sandbox-fault': 'slow;seconds=0.5' };
      await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, slow).catch(() => {});
      return health(url);
    },
    async [Symbol.asyncDispose]() {
      if (await health(url)) signalAll('SIGKILL');
      await ended;
    },
  };
}

function health(url: string): Promise<boolean> {
  return get(`${url}/health`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

const scripts = {
  idp: 'npx grantbox',
  background: 'grantbox & grantbox wait',
  runner: 'node runner.mjs',
};
const runner = `import { spawn, spawnSync } from 'node:child_process';
spawn('grantbox', { stdio: 'ignore' }).unref();
spawnSync('grantbox', ['wait']);`;

describe('a server that npm runs', () => {
  it.each([
    ['npx', ['npx', 'grantbox']],
    ['a script of npm that runs npx', ['npm', 'run', 'idp']],
  ])('ends by a signal to %s', async (_what, command) => {
    await using program = await started(command, { 'package.json': { scripts } });
    process.kill(program.pid, 'SIGTERM');
    await program.ended;
    await expect.poll(program.answers).toBe(false);
  });

  it('outlives a script that put it into the background', async () => {
    await using program = await started(['npm', 'run', 'background'], { 'package.json': { scripts } });
    await program.ended;
    expect(await program.answers()).toBe(true);
  });

  it('outlives a program that a script ran', async () => {
    await using program = await started(['npm', 'run', 'runner'], {
      'package.json': { scripts },
      'runner.mjs': runner,
    });
    await program.ended;
    expect(await program.answers()).toBe(true);
  });

  it('outlives npx if their terminal was closed, as nohup wants it', async () => {
    await using program = await started(['npx', 'grantbox']);
    program.signalAll('SIGHUP');
    await program.ended;
    expect(await program.answers()).toBe(true);
  });

  it('outlives the shell that put npx into the background', async () => {
    await using program = await started(['sh', '-c', 'npx grantbox &']);
    await program.ended;
    expect(await program.answers()).toBe(true);
  });
});
