import { hash } from 'node:crypto';
import { OAuthError } from '../../oauth/errors.ts';

/** Wrong tokens by address. The same one again is no guess: a script with an old token locks nobody out. */
export interface Guesses {
  /** @throws temporarily_unavailable with 429 until the minute is over, whatever is sent */
  refuseTooMany(address: string): void;
  count(address: string, sent: string): void;
}

const mostWrong = 20;
const aMinute = 60_000;

/** `monotonic`: milliseconds that only go forward, so that no clock that is set back or frozen makes a minute longer. */
export function createGuesses(monotonic: () => number = () => performance.now()): Guesses {
  const wrong = new Map<string, Set<string>>();
  let end = 0;

  function ofMinute(address: string): Set<string> {
    if (monotonic() >= end) {
      wrong.clear();
      end = monotonic() + aMinute;
    }
    return wrong.get(networkOf(address)) ?? new Set();
  }
  return {
    refuseTooMany(address) {
      if (ofMinute(address).size < mostWrong) return;
      throw new OAuthError('temporarily_unavailable', 'rate_limited', 'too many wrong tokens from this address', {
        status: 429,
        sent: `${mostWrong} different wrong tokens in this minute`,
        expected: `at most ${mostWrong} a minute`,
        headers: { 'Retry-After': String(Math.ceil((end - monotonic()) / 1000)) },
      });
    },
    count(address, sent) {
      const known = ofMinute(address);
      wrong.set(networkOf(address), known.add(hash('sha256', sent)));
    },
  };
}

/** One machine has all addresses of an IPv6 network to itself. */
function networkOf(address: string): string {
  return address.includes('.') ? address : address.split(':').slice(0, 4).join(':');
}
