import { duration } from '../../base/text/duration.ts';
import type { FaultOrder } from '../../server/faults/fault.ts';

type Budget = Pick<FaultOrder, 'times' | 'probability'> & {
  /** Number of requests it holds. */
  readonly holds?: number | undefined;
  /** Seconds that remain. */
  readonly left?: number | undefined;
};

/** `next request`; `every request, with probability 0.2, for 10 min`. */
export function budgetWords({ times = 1, probability = 1, left, holds }: Budget): string {
  return [
    ...(times === 0 ? [] : [requestWords(times)]),
    ...(holds === undefined ? [] : [`${holds} held until it is disarmed`]),
    ...(probability < 1 ? [`with probability ${probability}`] : []),
    ...(left === undefined ? [] : [`for ${duration(left)}`]),
  ].join(', ');
}

function requestWords(times: number | 'always'): string {
  if (times === 'always') return 'every request';
  return times === 1 ? 'next request' : `next ${times} requests`;
}

const tokenWords = { access: 'access token', id: 'ID Token', both: 'both tokens' } as const;

/** `3 s, error access_denied`; empty if all parameters have their default. */
export function parameterWords({ seconds, status, error, member, token }: FaultOrder): string {
  return [
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(error === undefined ? [] : [`error ${error}`]),
    ...(member === undefined ? [] : [`without ${member}`]),
    ...(token === undefined ? [] : [tokenWords[token]]),
  ].join(', ');
}

/** `0 of 1 used`; `used 3 times` without a set number. */
export function usedWords({ met, times }: { readonly met: number; readonly times: number | 'always' }): string {
  if (times !== 'always') return `${met} of ${met + times} used`;
  return met === 1 ? 'used once' : `used ${met} times`;
}
