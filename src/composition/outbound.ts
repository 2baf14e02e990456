import type { Outbound } from '../oauth/outbound.ts';
import { lazily } from './lazily.ts';

/** The way to other servers; its code is loaded when it is first taken. */
export function createLazyOutbound(): Outbound {
  const outbound = lazily(async () => {
    const { createOutbound } = await import('../outbound/outbound.ts');
    return createOutbound({ reach: 'private' });
  });
  return {
    get: async (url, options) => (await outbound.get()).get(url, options),
    post: async (url, body, options) => (await outbound.get()).post(url, body, options),
  };
}
