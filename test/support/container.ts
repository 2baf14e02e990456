import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePort } from './free-port.ts';

const root = join(import.meta.dirname, '..', '..');

/** What `POST /containers/create` is given of what matters here. */
export interface ContainerOrder {
  readonly name?: string;
  readonly Image: string;
  readonly Cmd?: readonly string[];
  readonly Env?: readonly string[];
  readonly Labels?: Readonly<Record<string, string>>;
  readonly HostConfig?: { readonly PortBindings?: Readonly<Record<string, readonly { readonly HostPort: string }[]>> };
}

/** A line of a log, as the engine's API frames it: 1 is stdout, 2 is stderr. */
export interface Output {
  readonly stream: 1 | 2;
  readonly text: Buffer;
}

/**
 * The image as a process of this machine: its entrypoint and what was built, with `/app`, `/tmp` and process 1 of its own in a
 * folder, because paths in commands, variables and the entrypoint are mapped there. Only mapped ports lead in, by a forwarder,
 * and to another port than what the container listens on.
 */
export class Container {
  readonly folder = mkdtempSync(join(tmpdir(), 'container-'));
  readonly networks = new Map<string, readonly string[]>();
  readonly output: Output[] = [];
  readonly id: string;
  readonly order: ContainerOrder;
  exitCode: number | undefined;
  mappedPort: number | undefined;
  #process: ChildProcess | undefined;
  #forwarder: Server | undefined;
  #starts = 0;

  constructor(id: string, order: ContainerOrder) {
    this.id = id;
    this.order = order;
    for (const name of ['app', 'bin', 'proc/1', 'tmp']) mkdirSync(join(this.folder, name), { recursive: true });
    const entrypoint = readFileSync(join(root, 'docker-entrypoint.sh'), 'utf8');
    const built = entrypoint.replaceAll('/app/dist/', join(root, 'dist', '/'));
    writeFileSync(join(this.folder, 'bin/docker-entrypoint.sh'), built, { mode: 0o755 });
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  async start(): Promise<void> {
    this.#starts++;
    // as in /proc: field 22 says when the process was started
    const fields = ['1', '(sh)', ...Array.from({ length: 19 }, () => '0'), String(this.#starts), '0'];
    writeFileSync(join(this.folder, 'proc/1/stat'), fields.join(' '));
    const port = await freePort();
    await this.#mapPort(port);
    const child = this.run(['docker-entrypoint.sh', ...(this.order.Cmd ?? [])], { PORT: String(port) });
    this.#process = child;
    this.exitCode = undefined;
    for (const [stream, from] of [
      [1, child.stdout],
      [2, child.stderr],
    ] as const)
      from.on('data', (text: Buffer) => this.output.push({ stream, text }));
    void once(child, 'close').then(([code]) => {
      this.exitCode = code ?? 137;
      this.#process = undefined;
    });
  }

  /** A program in the container, as its command or by `exec`: with its environment, not with that of this process. */
  run(command: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const [program = '', ...words] = command.map(word => this.#mapped(word));
    const said = (this.order.Env ?? []).map(line => [line.split('=', 1)[0], this.#mapped(line.replace(/^[^=]*=/, ''))]);
    const env: Record<string, string> = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1', // the image says 0.0.0.0: here nobody else shall reach it
      ...more,
      ...Object.fromEntries(said),
      PATH: `${join(this.folder, 'bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    };
    return spawn(program, words, { cwd: join(this.folder, 'app'), env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** `PUT /containers/{id}/archive?path=…`, of a tar archive. */
  async extract(archive: Readable, path: string): Promise<void> {
    const tar = spawn('tar', ['-x', '-C', join(this.folder, path)], { stdio: ['pipe', 'ignore', 'inherit'] });
    archive.pipe(tar.stdin);
    const [code] = await once(tar, 'close');
    if (code !== 0) throw new Error(`tar ended with ${code}`);
  }

  async stop(graceSeconds: number): Promise<void> {
    const child = this.#process;
    if (child !== undefined) {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceSeconds * 1000);
      await closed;
      clearTimeout(timer);
    }
    this.#forwarder?.close();
    this.#forwarder = undefined;
    this.mappedPort = undefined;
  }

  async remove(): Promise<void> {
    await this.stop(0);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** To the port it listens on, from a port of its own, as an engine does: the two are never the same. */
  async #mapPort(port: number): Promise<void> {
    const said = this.order.HostConfig?.PortBindings?.['9000/tcp']?.[0];
    if (said === undefined) return;
    const forwarder = createServer(from => {
      const to = createConnection(port, '127.0.0.1');
      from.pipe(to).pipe(from);
      for (const [socket, other] of [
        [from, to],
        [to, from],
      ] as const)
        socket.on('error', () => other.destroy());
    });
    forwarder.listen(Number(said.HostPort), '127.0.0.1');
    await once(forwarder, 'listening');
    this.#forwarder = forwarder;
    this.mappedPort = (forwarder.address() as AddressInfo).port;
  }

  #mapped(text: string): string {
    return text.replace(/(?<![\w.-])\/(app|tmp|proc\/1)(?=\/)/g, `${this.folder}/$1`);
  }
}
