import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A real haproxy on loopback that sends each request, or each connection, to the next replica. */
export interface Balancer {
  readonly port: number;
  readonly pid: number;
  /** The ports of the replicas that it sends requests to now. */
  up(): Promise<number[]>;
  /** Sends a replica no new requests, or again; what an operator does before and after a restart. */
  drain(replica: number, on: boolean): Promise<void>;
  /** How many requests, or connections with `tcp`, each replica has had. */
  served(): Promise<number[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface BalancerOptions {
  readonly port: number;
  /** The ports of the replicas, started or not. */
  readonly replicas: readonly number[];
  /** With `http`, the default, successive requests of one connection alternate; with `tcp`, connections do. */
  readonly mode?: 'http' | 'tcp';
  /** True: a replica gets requests only while its `/ready` answers 200. */
  readonly checksReady?: boolean;
}

/** They end with this process, also where a test has not stopped them. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts haproxy and resolves when it accepts connections. */
export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'grantbox-haproxy-'));
  const socket = join(folder, 'stats');
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(options, socket));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  await untilAccepting(child, socket);
  const rows = async () => rowsOf(await ask(socket, 'show stat\n'));
  const ports = (each: readonly Row[]) => each.map(({ svname = '' }) => Number(svname));
  return {
    port: options.port,
    pid: child.pid ?? 0,
    up: async () => ports((await rows()).filter(({ status }) => status === 'UP' || status === 'no check')),
    drain: async (replica, on) =>
      void (await ask(socket, `set server replicas/${replica} state ${on ? 'drain' : 'ready'}\n`)),
    served: async () => (await rows()).map(({ stot }) => Number(stot)),
    async [Symbol.asyncDispose]() {
      running.delete(child);
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `http-server-close` with `http-reuse never`: no connection to a replica serves a second request. */
function configuration(
  { port, replicas, mode = 'http', checksReady = false }: BalancerOptions,
  socket: string,
): string {
  const check = checksReady ? ' check inter 100ms fastinter 50ms downinter 100ms fall 1 rise 1' : '';
  return `
global
  maxconn 2000
  tune.bufsize 131072
  stats socket ${socket} mode 600 level admin
defaults
  mode ${mode}
  timeout connect 10s
  timeout client 10m
  timeout server 10m
  timeout check 10s
  retries 5
  option redispatch 1
frontend door
  bind 127.0.0.1:${port}
  bind [::1]:${port}
  default_backend replicas
backend replicas
  balance roundrobin
${mode === 'http' ? '  option http-server-close\n  http-reuse never\n' : ''}${checksReady ? '  option httpchk GET /ready\n  http-check expect status 200\n' : ''}${replicas.map(each => `  server ${each} 127.0.0.1:${each}${check}`).join('\n')}
`;
}

/** It opens its own socket together with the ports; a connection to a port would count as the first one of a client. */
async function untilAccepting(child: ChildProcess, path: string): Promise<void> {
  let said = '';
  child.stderr?.on('data', chunk => {
    said += String(chunk);
  });
  child.once('error', () => {
    said = missing;
  });
  while (child.exitCode === null && child.pid !== undefined) {
    if (await accepts(path)) return;
  }
  throw new Error(`haproxy did not start: ${said || missing}`);
}

const missing = 'haproxy is not installed: `npm run test:replicas` as root on Debian installs it';

function accepts(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => setTimeout(() => resolve(false), 10));
  });
}

/** Asks the running haproxy by its socket. */
async function ask(path: string, command: string): Promise<string> {
  const socket = connect(path);
  socket.write(command);
  return text(socket);
}

type Row = Readonly<Record<string, string>>;

/** The rows of the replicas, from the CSV of `show stat`. */
function rowsOf(csv: string): Row[] {
  const [head = '', ...lines] = csv.trim().split('\n');
  const names = head.replace('# ', '').split(',');
  const rows = lines.map(line => Object.fromEntries(line.split(',').map((value, at) => [names[at] ?? '', value])));
  return rows.filter(({ svname = '' }) => /^\d+$/.test(svname));
}
