import { defined } from '../defined.ts';
import type { Outbound } from '../oauth/outbound.ts';
import type { OutboundReach } from '../outbound/outbound.ts';
import { lazily } from './lazily.ts';

/** The ways to what configured clients name, and to what strangers do; a reach that was set counts for both. */
export function createWaysOut(reach: OutboundReach | undefined, ca?: string) {
  return {
    outbound: createLazyOutbound(reach ?? 'private', ca),
    strangersOutbound: createLazyOutbound(reach ?? 'loopback', ca),
  };
}

/** The way to other servers; its code is loaded when it is first taken. `ca` is the authority we made ourselves, PEM. */
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
