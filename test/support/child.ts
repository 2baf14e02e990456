import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const shipped = join(import.meta.dirname, '..', '..', 'dist', 'grantbox.cjs');

export interface Child {
  readonly process: ChildProcess;
  /** What it has printed so far. */
  readonly output: { stdout: string; stderr: string };
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

export interface RunningChild extends Child {
  readonly url: string;
  readonly port: number;
  /** The line that says it is ready, as JSON. */
  readonly ready: Readonly<Record<string, string>>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ChildOptions {
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The file to run. Default: what ships. */
  readonly bundle?: string;
  /** A line for `sh` before the process begins, such as `ulimit -n 100` or `exec >/dev/full`. */
  readonly first?: string;
}

/** What ships, as a process: nothing of this process's environment but what Node itself needs. */
export function startChild({
  args = [],
  nodeArgs = [],
  env = {},
  cwd = import.meta.dirname,
  bundle = shipped,
  first,
}: ChildOptions = {}): Child {
  const command = [process.execPath, ...nodeArgs, bundle, ...args];
  const [program = '', ...rest] = first === undefined ? command : ['sh', '-c', `${first}; exec "$@"`, 'sh', ...command];
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)));
  return { process: child, output, ended };
}

/** Its resident memory, on Linux. */
export function megabytesOf({ process: { pid } }: Child): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** A process that has said it is ready; stopped at the end of the scope. */
export async function runningChild(options: ChildOptions = {}): Promise<RunningChild> {
  const child = startChild(options);
  const line = await firstLine(child);
  const ready = line.startsWith('{') ? (JSON.parse(line) as Record<string, string>) : {};
  const issuer = ready.issuer ?? /issuer +(\S+)/i.exec(child.output.stdout)?.[1] ?? '';
  const { port } = new URL(issuer);
  return {
    ...child,
    ready,
    url: `http://127.0.0.1:${port}`,
    port: Number(port),
    async [Symbol.asyncDispose]() {
      child.process.kill('SIGKILL');
      await child.ended;
    },
  };
}

async function firstLine({ output, ended }: Child): Promise<string> {
  let code: number | null | undefined;
  void ended.then(value => {
    code = value;
  });
  const isComplete = () =>
    output.stdout.startsWith('{') ? output.stdout.includes('\n') : /\n {2}api /i.test(output.stdout);
  while (!isComplete()) {
    if (code !== undefined) throw new Error(`it ended with ${code}:\n${output.stderr}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return output.stdout.split('\n', 1)[0] ?? '';
}

/** Waits until something holds; the test's own timeout is the limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 10));
}
