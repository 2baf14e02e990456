import type { Response } from 'express';

const mostStreams = 20;

/** Live streams that tell a board that it changed: server-sent events (WHATWG HTML §9.2). */
export function createBoardStreams() {
  const streams = new Set<Response>();
  return {
    /** Opens a stream, or answers 503 if too many are open. */
    serve(res: Response): void {
      if (streams.size >= mostStreams) {
        res.status(503).set('Retry-After', '5').json({ error: 'too_many_streams' });
        return;
      }
      res.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
      res.write('retry: 1000\n\n');
      streams.add(res);
      res.once('close', () => streams.delete(res));
    },
    tell(): void {
      // a slow reader does not get the same message twice in its queue
      for (const stream of streams) if (!stream.writableNeedDrain) stream.write('event: board\ndata:\n\n');
    },
    close(): void {
      for (const stream of streams) stream.end();
    },
  };
}
