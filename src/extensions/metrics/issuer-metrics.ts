import { version } from '../../package.ts';
import type { Issuer, WholePart } from '../../sandbox/extension.ts';
import { limitsOf } from '../../sandbox/limits.ts';
import type { Readiness } from '../../server/http/readiness.ts';
import { answerMetrics } from './answer-metrics.ts';
import { createMetricsRegistry } from './metrics.ts';

/** The metrics of a running sandbox. Loaded only with `METRICS=on`. */
export function createMetrics(readiness: Readiness): WholePart {
  let first: Issuer | undefined;
  const limits = async () => (first === undefined ? [] : limitsOf(first));
  const registry = createMetricsRegistry({
    grantbox_build_info: async () => [[[version], 1]],
    grantbox_ready: async () => [[[], readiness.checks().every(({ state }) => state === 'UP') ? 1 : 0]],
    grantbox_stored: async () => [...((await first?.server.store.sizes?.()) ?? [])].map(([kind, n]) => [[kind], n]),
    grantbox_limit_used: async () => (await limits()).map(({ name, used }) => [[name], used]),
    grantbox_limit_max: async () => (await limits()).map(({ name, most }) => [[name], most]),
  });
  return {
    /** Counts the events that this process adds to a log. A subscriber would also count those of other processes. */
    watch: events => void events.hearOwn(registry.count),
    /** Answers `/metrics` before `next`. The gauges are those of the first issuer. */
    before(next, issuer) {
      first = issuer;
      return answerMetrics(registry, next);
    },
  };
}
