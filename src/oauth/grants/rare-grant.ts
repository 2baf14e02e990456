import type { GrantHandler } from '../authorization-server.ts';

/** A grant whose file is loaded when it is first used: a start does without. */
export function rareGrant(
  about: Omit<GrantHandler, 'redeem'>,
  load: () => Promise<Pick<GrantHandler, 'redeem'>>,
): GrantHandler {
  return { ...about, redeem: async request => (await load()).redeem(request) };
}
