import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Limit of open connections, and the limit of the system behind it. */
export interface ConnectionLimit {
  readonly connections: number;
  /** Limit of open files of this process, including connections. */
  readonly files: number;
}

/** Open files kept free for templates, other files and calls to other servers. */
const reserve = 64;

/**
 * Derives a connection limit from the limit of open files of this process (`ulimit -n`). Without it the system would
 * close further connections at once without a message. Undefined if the limit cannot be read, for example on systems other
 * than Linux.
 */
export function connectionLimit(): ConnectionLimit | undefined {
  const files = Number(/^Max open files +(\d+)/m.exec(limitsOfProcess())?.[1]);
  return Number.isNaN(files) ? undefined : { files, connections: files - Math.min(reserve, Math.floor(files / 2)) };
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    return '';
  }
}

/** Shortest time between two lines in the log. */
const quietMilliseconds = 60_000;

/**
 * Applies one limit to several servers together. Closes a connection beyond the limit, and calls `tell` with a sentence
 * that says why.
 */
export function limitConnections({ connections, files }: ConnectionLimit, tell: (message: string) => void) {
  let open = 0;
  let toldAt = Number.NEGATIVE_INFINITY;

  function tellSometimes(): void {
    if (performance.now() < toldAt + quietMilliseconds) return;
    toldAt = performance.now();
    tell(
      `A connection was closed without a response: ${connections} connections are open, and this process may open ${files} files (ulimit -n). Raise this limit or close unused connections.`,
    );
  }
  return function hold(server: Server): void {
    server.on('connection', (socket: Duplex) => {
      if (open >= connections) {
        socket.destroy();
        return tellSometimes();
      }
      open++;
      socket.once('close', () => open--);
    });
  };
}
