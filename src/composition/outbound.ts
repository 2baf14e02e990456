import { defined } from '../defined.ts';
import type { Outbound } from '../oauth/outbound.ts';
import type { OutboundReach } from '../outbound/outbound.ts';
import type { Traces } from '../tracing/traces.ts';
import { lazily } from './lazily.ts';

/** Outbound requests for configured clients, and for self-registered ones. The setting `outbound` applies to both. */
export function createWaysOut(reach: OutboundReach | undefined, ca?: string, traces?: Pick<Traces, 'outbound'>) {
  const create = (usual: OutboundReach) => {
    const outbound = createLazyOutbound(reach ?? usual, ca);
    return traces?.outbound(outbound) ?? outbound;
  };
  return { outbound: create('private'), strangersOutbound: create('loopback') };
}

/**
 * Sends requests to other servers. Its code is loaded on the first request. `ca` is the CA that this sandbox created,
 * PEM.
 */
export function createLazyOutbound(reach: OutboundReach, ca?: string): Outbound {
  const outbound = lazily(async () => {
    const { createOutbound } = await import('../outbound/outbound.ts');
    return createOutbound({ reach, ...defined({ ca }) });
  });
  return {
    get: async (url, options) => (await outbound.get()).get(url, options),
    post: async (url, body, options) => (await outbound.get()).post(url, body, options),
  };
}
