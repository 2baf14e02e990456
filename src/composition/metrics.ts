import type { RequestListener } from 'node:http';
import type { EventLog } from '../events/event-log.ts';
import type { Readiness } from '../http/readiness.ts';
import { answerMetrics } from '../metrics/answer-metrics.ts';
import { createMetricsRegistry } from '../metrics/metrics.ts';
import { version } from '../package.ts';

/** The metrics of a running sandbox. */
export interface Metrics {
  /** Counts the events that this process adds to a log. A subscriber would also count those of other processes. */
  watch(events: EventLog): void;
  /** Answers `/metrics` before `next`. */
  listener(next: RequestListener): RequestListener;
}

/** Loaded only with `METRICS=on`. */
export function createMetrics(readiness: Readiness): Metrics {
  const registry = createMetricsRegistry({
    grantbox_build_info: () => [[[version], 1]],
    grantbox_ready: () => [[[], readiness.checks().every(({ state }) => state === 'UP') ? 1 : 0]],
  });
  return {
    watch(events) {
      const { append } = events;
      events.append = (fact, requestId) => {
        const event = append(fact, requestId);
        registry.count(event);
        return event;
      };
    },
    listener: next => answerMetrics(registry, next),
  };
}
