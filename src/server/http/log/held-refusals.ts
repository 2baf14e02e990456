import type { EventOf } from '../../../base/events/event.ts';

/** A refusal that waits for the end of its request, whose status and path belong in the same log line. */
export interface HeldRefusal {
  readonly event: EventOf<'error.returned'>;
  /** Address of the explanation. */
  readonly explained: string | undefined;
}

const patience = 2000;

/**
 * Buffers a refusal until its request completes, so that both go into one log line. After 2 s the rest goes to `late`,
 * because its requests completed before.
 */
export function createHeldRefusals(late: (refusals: readonly HeldRefusal[]) => void) {
  const byRequest = new Map<string, HeldRefusal[]>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const all = [...byRequest.values()].flat();
    byRequest.clear();
    if (all.length > 0) late(all);
  }

  return {
    flush,
    hold(event: HeldRefusal['event'], explained: string | undefined): void {
      const known = byRequest.get(event.requestId) ?? [];
      byRequest.set(event.requestId, [...known, { event, explained }]);
      timer ??= setTimeout(flush, patience).unref();
    },
    take(requestId: string): readonly HeldRefusal[] {
      const refusals = byRequest.get(requestId) ?? [];
      byRequest.delete(requestId);
      return refusals;
    },
  };
}
