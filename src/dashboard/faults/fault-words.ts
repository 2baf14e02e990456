import type { FaultOrder } from '../../faults/fault.ts';
import { duration } from '../duration.ts';

type Budget = Pick<FaultOrder, 'times' | 'probability'> & {
  /** Requests that wait for it to be over. */
  readonly holds?: number | undefined;
  /** Seconds that are left, or that it is armed for. */
  readonly left?: number | undefined;
};

/** `next 1 request`; `every request, with probability 0.2, for 10 min`. */
export function budgetWords({ times = 1, probability = 1, left, holds }: Budget): string {
  return [
    ...(times === 0 ? [] : [requestWords(times)]),
    ...(holds === undefined ? [] : [`${holds} waiting for its end`]),
    ...(probability < 1 ? [`with probability ${probability}`] : []),
    ...(left === undefined ? [] : [`for ${duration(left) || '0 s'}`]),
  ].join(', ');
}

function requestWords(times: number | 'always'): string {
  if (times === 'always') return 'every request';
  return times === 1 ? 'next 1 request' : `next ${times} requests`;
}

/** `seconds 3, error access_denied`: what was said of it; empty for nothing. */
export function parameterWords({ seconds, status, error, member, token }: FaultOrder): string {
  return Object.entries({ seconds, status, error, member, token })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
    .join(', ');
}

/** For the bar at the top: `1 fault armed`; empty for none. */
export function faultChip(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 fault armed' : `${count} faults armed`;
}
