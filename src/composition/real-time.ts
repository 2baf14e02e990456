import type { Shared } from './issuer.ts';

/** Unix seconds of the real time. Replicas agree on the clock of the engine. */
export function realTime({ stateOf, now }: Shared): number {
  return stateOf === undefined ? Date.now() / 1000 : now();
}
