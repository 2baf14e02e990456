import type { RequestListener } from 'node:http';
import type { Config } from '../config/config.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Traces } from '../tracing/traces.ts';
import type { Issuer } from './issuer.ts';

/** Those who look at a sandbox from outside. Without metrics and traces there is nobody, and nothing of this runs. */
export interface Observers {
  /** Sees each event log at its beginning. */
  readonly watch?: (events: EventLog) => void;
  /** Answers for itself what is not for an issuer. */
  readonly answerFirst: (next: RequestListener, first: Issuer) => RequestListener;
}

/** Loads what is switched on. */
export async function observersOf(
  { metrics: isOn }: Pick<Config, 'metrics'>,
  readiness: Readiness,
  traces: Traces | undefined,
): Promise<Observers> {
  const metrics = isOn ? (await import('./metrics.ts')).createMetrics(readiness) : undefined;
  const watchers = [metrics?.watch, traces?.watch].filter(each => each !== undefined);
  return {
    ...(watchers.length === 0 ? {} : { watch: events => watchers.forEach(watch => void watch(events)) }),
    answerFirst: (next, first) => metrics?.listener(next, first) ?? next,
  };
}
