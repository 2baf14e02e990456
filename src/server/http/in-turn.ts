import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of each connection, answered one after the other. */
export interface InTurn {
  readonly listener: RequestListener;
  /** Adds `Connection: close` to each answer from now on, including requests that still wait (RFC 9112 §9.6). */
  announceEnd(): void;
}

/** State of one connection. */
interface Line {
  isBusy: boolean;
  readonly waiting: Parameters<RequestListener>[];
}

/**
 * Begins a request only after the previous answer on its connection was sent. Answers are sent in that order anyway (RFC
 * 9112 §9.3.2), but Node begins every request in the 64 kB it has read: a thousand small requests whose answers nobody
 * read took hundreds of megabytes. While requests wait, nothing more is read from their connection.
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

/** Pauses the connection again each time Node resumes it: after an answer, and to read a body. */
function holdWhileWaiting({ waiting }: Line, socket: Socket): void {
  const hold = () => void (waiting.length > 0 ? socket.pause() : socket.off('resume', hold));
  socket.on('resume', hold);
}

/** Closes a connection whose client has not read its answer in time. An answer that is still being made may take longer. */
function endWhereStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
