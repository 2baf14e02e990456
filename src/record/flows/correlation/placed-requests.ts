import type { FlowRecord } from './flow-record.ts';

interface Placed {
  readonly flow: FlowRecord;
  readonly requestId: string;
}

/** Maps requests to their flows, and knows the oldest request. */
export function createPlacedRequests() {
  const byRequest = new Map<string, FlowRecord>();
  let queue: Placed[] = [];
  let read = 0;

  return {
    add(flow: FlowRecord, requestId: string): void {
      byRequest.set(requestId, flow);
      queue.push({ flow, requestId });
    },
    of: (requestId: string) => byRequest.get(requestId),
    /** The oldest request whose flow is not forgotten. */
    oldest(): Placed | undefined {
      while (queue[read]?.flow.isForgotten) read++;
      if (read > 1000 && read > queue.length / 2) {
        queue = queue.slice(read);
        read = 0;
      }
      return queue[read];
    },
    shift(): void {
      const placed = queue[read++];
      if (placed !== undefined) byRequest.delete(placed.requestId);
    },
    remove({ steps }: FlowRecord): void {
      for (const { step } of steps) byRequest.delete(step.requestId);
    },
    clear(): void {
      byRequest.clear();
      queue = [];
      read = 0;
    },
  };
}
