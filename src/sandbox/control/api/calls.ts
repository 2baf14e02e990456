import type { ServerResponse } from 'node:http';
import { tooManyWaiting } from '../refusal.ts';

/** Each holds a connection. */
const mostWaiting = 100;

/** Calls that are not answered yet. */
export function createCalls() {
  const open = new Set<AbortController>();
  let isEnded = false;
  let waiting = 0;
  return {
    /**
     * The signal aborts with `left` when the caller hangs up, with `stopping` when the sandbox stops.
     * @throws temporarily_unavailable for one more that waits or streams than there may be
     */
    begin(res: ServerResponse, isLong = false): AbortSignal {
      if (isLong && waiting >= mostWaiting) throw tooManyWaiting(mostWaiting);
      const call = new AbortController();
      if (isEnded) call.abort('stopping');
      if (res.closed) call.abort('left'); // while the app was loaded: it is not said again
      if (call.signal.aborted) return call.signal;
      open.add(call);
      if (isLong) waiting++;
      res.once('close', () => {
        open.delete(call);
        if (isLong) waiting--;
        call.abort('left');
      });
      return call.signal;
    },
    /** The sandbox stops. */
    end(): void {
      isEnded = true;
      for (const each of open) each.abort('stopping');
    },
  };
}
