import type { RequestListener } from 'node:http';
import type { Traces } from '../../extensions/tracing/traces.ts';
import type { Readiness } from '../../server/http/readiness.ts';
import type { Config } from '../config/config.ts';
import type { Issuer, Shared } from './issuer.ts';

/** Nothing is believed, and nothing is done for a request, without trusted proxies. */
async function proxyTrust(trusted: Config['trustProxy']): Promise<(next: RequestListener) => RequestListener> {
  if (trusted.length === 0) return next => next;
  const { behindProxy } = await import('./behind-proxy.ts');
  return next => behindProxy(trusted, next);
}

/** Loads those who see requests before any issuer: metrics, traces, trust in proxies. By default there are none. */
export async function observersOf(
  { metrics: isOn, trustProxy }: Pick<Config, 'metrics' | 'trustProxy'>,
  readiness: Readiness,
  traces: Traces | undefined,
): Promise<Pick<Shared, 'watch'> & { answerFirst(next: RequestListener, first: Issuer): RequestListener }> {
  const metrics = isOn
    ? (await import('../../extensions/metrics/issuer-metrics.ts')).createMetrics(readiness)
    : undefined;
  const behind = await proxyTrust(trustProxy);
  const watchers = [metrics?.watch, traces?.watch].filter(each => each !== undefined);
  return {
    ...(watchers.length === 0 ? {} : { watch: events => watchers.forEach(watch => void watch(events)) }),
    // what is not for an issuer is answered here
    answerFirst: (next, first) => behind(metrics?.listener(next, first) ?? next),
  };
}
