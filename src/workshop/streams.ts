import type { Response } from 'express';

/** Live streams that tell a board that it changed: server-sent events (WHATWG HTML §9.2). */
export interface BoardStreams {
  /** Opens a stream, or answers 503 if too many are open. */
  serve(res: Response): void;
  close(): void;
}

const mostStreams = 20;

/** `subscribe` calls its listener after each change, and returns a function that unsubscribes it. */
export function createBoardStreams(subscribe: (listener: () => void) => () => void): BoardStreams {
  const streams = new Set<Response>();
  return {
    serve(res) {
      if (streams.size >= mostStreams) {
        res.status(503).set('Retry-After', '5').json({ error: 'too_many_streams' });
        return;
      }
      res.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
      res.write('retry: 1000\n\n');
      streams.add(res);
      let told = false; // a slow reader does not get the same message twice in its queue
      const stop = subscribe(() => {
        if (told) return;
        told = !res.write('event: board\ndata:\n\n');
      });
      res.on('drain', () => {
        told = false;
      });
      res.once('close', () => {
        stop();
        streams.delete(res);
      });
    },
    close() {
      for (const stream of streams) stream.end();
    },
  };
}
