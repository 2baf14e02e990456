import { defined } from '../../base/defined.ts';
import { lazily } from '../../base/lazily.ts';
import { type Outbound, OutboundError } from '../../protocol/outbound.ts';
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

/** Calls only these hosts, as the ways out of a seat of a workshop. */
export function onlyTo(hosts: readonly string[], outbound: Outbound): Outbound {
  function checked(url: string): void {
    const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : url;
    const isAllowed = hosts.some(each => each.toLowerCase() === host);
    if (!isAllowed) {
      const why = `${host} is not called: the seats of a workshop call only hosts that the trainer allows in WORKSHOP_HOSTS`;
      throw new OutboundError('address_forbidden', why);
    }
  }
  return {
    async get(url, options) {
      checked(url);
      return outbound.get(url, options);
    },
    async post(url, body, options) {
      checked(url);
      return outbound.post(url, body, options);
    },
  };
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
