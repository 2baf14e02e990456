import { defined } from '../../base/defined.ts';
import { lazily } from '../../base/lazily.ts';
import type { Outbound } from '../../protocol/outbound.ts';
import type { OutboundReach } from '../../server/outbound/outbound.ts';
import type { Whole } from '../extension.ts';

/** Outbound requests for configured clients, and for self-registered ones. The setting `outbound` applies to both. */
export function createWaysOut(
  reach: OutboundReach | undefined,
  ca: string | undefined,
  whole: Pick<Whole, 'outbound'>,
) {
  const create = (usual: OutboundReach) => whole.outbound(createLazyOutbound(reach ?? usual, ca));
  return { outbound: create('private'), strangersOutbound: create('loopback') };
}

/**
 * Sends requests to other servers. Its code is loaded on the first request. `ca` is the CA that this sandbox created,
 * PEM.
 */
export function createLazyOutbound(reach: OutboundReach, ca?: string): Outbound {
  const outbound = lazily(async () => {
    const { createOutbound } = await import('../../server/outbound/outbound.ts');
    return createOutbound({ reach, ...defined({ ca }) });
  });
  return {
    get: async (url, options) => (await outbound.get()).get(url, options),
    post: async (url, body, options) => (await outbound.get()).post(url, body, options),
  };
}
