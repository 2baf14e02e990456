import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { ago } from '../../base/text/duration.ts';
import { askHealth, grantboxIn, named, type RunningGrantbox } from '../wire/health.ts';

/** Seconds until an answer comes too late. */
const timeout = 2;

/** The names of a setting that chooses a port. */
export interface PortSetting {
  readonly flag: string;
  readonly variable: string;
}

/** Says in one sentence who has a port that another server wants, and the ways out. */
export async function portTaken(address: string, port: number, { flag, variable }: PortSetting): Promise<string> {
  const running = await grantboxAt(address, port);
  const holder = portHolder(port);
  const process = holder === undefined ? '' : ` (process ${holder.pid}, ${holder.program})`;
  const choose = `or choose another port with ${flag} or ${variable}.`;
  if (running === undefined)
    return `Port ${port} is taken, and no Grantbox answers there: stop the program that listens on it${process}, ${choose}`;
  const now = Date.now();
  const age = ago((now - running.started) / 1000);
  return `Port ${port} is taken by ${named(running, now)}, ${age}${process}. Stop it, ${choose}`;
}

async function grantboxAt(address: string, port: number): Promise<RunningGrantbox | undefined> {
  const isEverywhere = address === '0.0.0.0' || address === '::';
  const host = isEverywhere ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  try {
    const plain = await askHealth(`http://${host}:${port}/health`, timeout);
    // a port that speaks HTTPS
    const answer = plain.status === 400 ? await askHealth(`https://${host}:${port}/health`, timeout) : plain;
    return grantboxIn(answer.text);
  } catch {
    return undefined;
  }
}

/** A process that listens on a port. */
export interface PortHolder {
  readonly pid: number;
  /** The name of its program, such as `node`. */
  readonly program: string;
}

/**
 * Finds the process that listens on a TCP port, on each address, in `/proc`, which Linux has. Undefined if the user may not see
 * that process, and if several listen.
 */
export function portHolder(port: number): PortHolder | undefined {
  const sockets = new Set(['tcp', 'tcp6'].flatMap(table => socketsIn(`/proc/net/${table}`, port)));
  if (sockets.size === 0) return undefined;
  const pids = read(() => readdirSync('/proc'), []).filter(name => /^\d+$/.test(name));
  const [first, second] = pids.flatMap(pid =>
    holdsAll(sockets, pid) ? [{ pid: Number(pid), program: programOf(pid) }] : [],
  );
  return second === undefined ? first : undefined;
}

/** Lines of `proc_net_tcp`: number, own address with the port as hexadecimal, other address, state, …, and the inode at last. */
function socketsIn(table: string, port: number): readonly string[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = read(() => readFileSync(table, 'utf8'), '')
    .split('\n')
    .map(line => line.trim().split(/\s+/));
  const listening = rows.filter(([, own = '', , state]) => own.endsWith(ending) && state === '0A');
  return listening.map(row => `socket:[${row[9]}]`);
}

function holdsAll(sockets: ReadonlySet<string>, pid: string): boolean {
  const folder = `/proc/${pid}/fd`;
  const open = new Set(read(() => readdirSync(folder), []).map(fd => read(() => readlinkSync(`${folder}/${fd}`), '')));
  return [...sockets].every(socket => open.has(socket));
}

function programOf(pid: string): string {
  return basename(read(() => readlinkSync(`/proc/${pid}/exe`), 'unknown').replace(/ \(deleted\)$/, ''));
}

/** Processes end while they are read, and those of other users cannot be read. */
function read<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
