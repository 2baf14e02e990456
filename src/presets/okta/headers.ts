import type { AnswerHeaders } from '../preset.ts';

/** Requests in a minute that Okta allows to most endpoints of a trial org. */
const usualLimit = 600;

/**
 * The headers of each answer of Okta. The requests of the current minute are counted, and refused only where `RATE_LIMIT`
 * is set.
 */
export const headers: AnswerHeaders = (clock, limit) => {
  const most = limit === 0 ? usualLimit : limit;
  let minute = 0;
  let count = 0;
  return requestId => {
    const now = Math.floor(clock() / 60);
    count = now === minute ? count + 1 : 1;
    minute = now;
    return {
      'X-Okta-Request-Id': requestId,
      'X-Rate-Limit-Limit': String(most),
      'X-Rate-Limit-Remaining': String(Math.max(0, most - count)),
      'X-Rate-Limit-Reset': String((minute + 1) * 60),
    };
  };
};
