import type { Store } from 'express-rate-limit';

/**
 * Calls by address in windows of so many milliseconds, the same for all. Without a timer, unlike the store of the library: it
 * goes with its issuer, and issuers come and go. Windows are measured by monotonic time, so that a system clock that is set
 * back holds nobody at the limit; only the time that callers are told is by that clock.
 */
export function createCallCounts(windowMilliseconds: number): Store {
  const counts = new Map<string, number>();
  let end = 0;

  function window(): Date {
    const now = performance.now();
    if (now >= end) {
      counts.clear();
      end = now + windowMilliseconds;
    }
    return new Date(Date.now() + end - now);
  }
  return {
    localKeys: true,
    increment(key) {
      const resetTime = window();
      const totalHits = (counts.get(key) ?? 0) + 1;
      counts.set(key, totalHits);
      return { totalHits, resetTime };
    },
    decrement(key) {
      counts.set(key, Math.max(0, (counts.get(key) ?? 0) - 1));
    },
    resetKey: key => void counts.delete(key),
  };
}
