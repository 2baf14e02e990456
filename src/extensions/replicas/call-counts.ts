import type { CallCounts } from '../../server/http/rate-limit.ts';
import type { Engine } from './engine.ts';
import { script } from './script.ts';

// Why not rate-limit-redis: it asks the engine to load its scripts when it is made, and keeps the answer. An engine that is away at
// that moment makes each later request fail, also when the engine is back. Its decrement leaves keys that never expire. An adapter
// around both would be longer than this file.

/** The count, and the milliseconds until it begins again. */
const incrementScript = script(`
local hits = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { hits, left }
`);
const decrementScript = script(`
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end
`);

/**
 * Counts calls for all replicas together, in the time of the engine. `issuer` is the name of the issuer. A count that the engine
 * does not give is an error of the request, so that there is never no limit.
 */
export function createEngineCounts(
  engine: Pick<Engine, 'key' | 'run' | 'send'>,
  issuer: readonly string[],
): CallCounts {
  return (name, windowMilliseconds) => {
    const keyOf = (address: string) => engine.key(...issuer, name, address);
    return {
      localKeys: false,
      async increment(address) {
        const counted = await engine.run(incrementScript, [keyOf(address)], [windowMilliseconds]);
        const [totalHits, left] = counted as [number, number];
        return { totalHits, resetTime: new Date(Date.now() + left) };
      },
      async decrement(address) {
        // without the engine the count stays one too high for the rest of the minute
        await engine.run(decrementScript, [keyOf(address)], []).catch(() => {});
      },
      async resetKey(address) {
        await engine.send('DEL', keyOf(address));
      },
    };
  };
}
