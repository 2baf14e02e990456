import type { SandboxEvent } from '../../events/event.ts';
import type { EventLog } from '../../events/event-log.ts';

/** More than this in one batch is told as "read it all again": no browser could show it anyway. */
export const mostInBatch = 500;

const batchMilliseconds = 50;

/** Collects events for a moment, so that a busy sandbox writes twenty times a second and not a thousand. */
export interface EventBatches {
  start(): void;
  stop(): void;
  /** Delivers what has been collected now. */
  flush(): void;
}

/**
 * A batch longer than `mostInBatch` is cut off there; its length tells. What has happened is read before a batch is delivered: that
 * may take `catchUp` some turns of the event loop.
 */
export function createEventBatches(
  events: EventLog,
  deliver: (batch: readonly SandboxEvent[]) => void,
  catchUp: () => Promise<void>,
): EventBatches {
  let batch: SandboxEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const collected = batch;
    batch = [];
    if (collected.length > 0) deliver(collected);
  }

  return {
    flush,
    start() {
      unsubscribe ??= events.subscribe(event => {
        if (batch.length <= mostInBatch) batch.push(event);
        timer ??= setTimeout(() => void catchUp().then(flush, flush), batchMilliseconds).unref();
      });
    },
    stop() {
      unsubscribe?.();
      unsubscribe = undefined;
      clearTimeout(timer);
      timer = undefined;
      batch = [];
    },
  };
}
