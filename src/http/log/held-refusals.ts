import type { EventOf } from '../../events/event.ts';

/** A refusal that waits for the end of its request, whose status and path belong into the same line. */
export interface HeldRefusal {
  readonly event: EventOf<'error.returned'>;
  /** Where it is explained. */
  readonly explained: string | undefined;
}

const patience = 2000;

/** Holds refusals until their requests are over, which they are at once; `late` gets those of requests that were over before. */
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
