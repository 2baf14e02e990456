import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { firstThatRuns, provide } from './debian.ts';

/** A proxy of the machine, which runs until the end of the scope. */
export interface RunningProxy extends AsyncDisposable {
  readonly process: ChildProcess;
  /** What it has printed so far. */
  output(): string;
}

export async function provideHaproxy(): Promise<string> {
  const find = () => firstThatRuns(['haproxy', '/usr/sbin/haproxy'], ['-v']);
  return provide({ name: 'HAProxy', packages: ['haproxy'], find });
}

export async function provideNginx(): Promise<string> {
  const find = () => firstThatRuns(['nginx', '/usr/sbin/nginx'], ['-v']);
  return provide({ name: 'nginx', packages: ['nginx'], find });
}

/** Starts a proxy in the foreground, and waits until it listens at a port of `127.0.0.1`; it ends with the scope. */
export async function startProxy(
  port: number,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningProxy> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const closed = once(child, 'close');
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}:\n${output}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return {
    process: child,
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
