import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

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
