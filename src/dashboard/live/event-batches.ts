import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';

/** Most events of one batch. A longer batch is replaced by the message to reload, because no browser could show it. */
export const mostInBatch = 500;

const batchMilliseconds = 50;

/**
 * Collects events for a moment, so that a busy sandbox writes twenty times a second instead of a thousand times. A batch stops one event above `mostInBatch`; its length shows that it is too long. `catchUp` reads the new events
 * before a batch is delivered, which may take several turns of the event loop.
 */
export function createEventBatches(
  events: EventLog,
  deliver: (batch: readonly SandboxEvent[]) => void,
  catchUp: () => Promise<void>,
) {
  let batch: SandboxEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  /** Delivers the collected events now. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const collected = batch;
    batch = [];
    if (collected.length > 0) deliver(collected);
  }

  return {
    flush,
    start(): void {
      unsubscribe ??= events.subscribe(event => {
        if (batch.length <= mostInBatch) batch.push(event);
        timer ??= setTimeout(() => void catchUp().then(flush, flush), batchMilliseconds).unref();
      });
    },
    stop(): void {
      unsubscribe?.();
      unsubscribe = undefined;
      clearTimeout(timer);
      timer = undefined;
      batch = [];
    },
  };
}
