import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of each connection, answered one after the other. */
export interface InTurn {
  readonly listener: RequestListener;
  /** From now on each answer says `Connection: close`, those that have not begun among them (RFC 9112 §9.6). */
  announceEnd(): void;
}

/** State of one connection. */
interface Line {
  isBusy: boolean;
  readonly waiting: Parameters<RequestListener>[];
}

/**
 * Begins a request only when the answer before it on the same connection was sent. Answers are sent in that order anyway
 * (RFC 9112 §9.3.2), but Node begins every request of the 64 kB it has read: a thousand small ones whose answers nobody reads
 * were hundreds of megabytes. While requests wait, nothing more is read from their connection.
 */
export function answerInTurn(listener: RequestListener): InTurn {
  const lines = new WeakMap<Socket, Line>();
  const begun = new Set<ServerResponse>();
  let isEnding = false;

  function lineOf(socket: Socket): Line {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { isBusy: false, waiting: [] };
    lines.set(socket, line);
    return line;
  }
  function begin(line: Line, ...[req, res]: Parameters<RequestListener>): void {
    const { socket } = req;
    line.isBusy = true;
    begun.add(res);
    if (isEnding) res.setHeader('Connection', 'close');
    res.on('timeout', endWhereStalled);
    res.once('close', () => {
      begun.delete(res);
      line.isBusy = false;
      beginNext(line, socket);
    });
    listener(req, res);
  }
  function beginNext(line: Line, socket: Socket): void {
    const next = socket.destroyed ? undefined : line.waiting.shift();
    if (next === undefined) return;
    if (line.waiting.length === 0) socket.resume();
    begin(line, ...next);
  }
  return {
    listener(req, res) {
      const line = lineOf(req.socket);
      if (!line.isBusy) return begin(line, req, res);
      if (line.waiting.push([req, res]) === 1) holdWhileWaiting(line, req.socket);
      req.socket.pause();
    },
    announceEnd() {
      isEnding = true;
      for (const res of begun) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
  };
}

/** Node resumes a connection whenever it has answered or reads a body. */
function holdWhileWaiting({ waiting }: Line, socket: Socket): void {
  const hold = () => void (waiting.length > 0 ? socket.pause() : socket.off('resume', hold));
  socket.on('resume', hold);
}

/** Nothing was read of an answer for as long as the server waits; an answer that is only long in coming may take its time. */
function endWhereStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
