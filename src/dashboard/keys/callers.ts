import { headerOf } from '../../base/events/exchange.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';

const mostCallers = 50;

/** Readers of the keys, newest first. `since` is the time of the last rotation in Unix seconds. */
export function keyCallers({ events, clock }: Desk, since: number) {
  const now = clock();
  const callers = new Map<string, { agent: string; ip: string; at: number; count: number }>();
  for (const { endpoint, exchange, at } of events.latest('request.completed', Number.POSITIVE_INFINITY)) {
    if (endpoint !== 'jwks') continue;
    const agent = headerOf(exchange.requestHeaders, 'user-agent') ?? 'without a User-Agent';
    const key = `${exchange.ip} ${agent}`;
    const known = callers.get(key);
    callers.set(key, { agent, ip: exchange.ip, at: known?.at ?? at, count: (known?.count ?? 0) + 1 });
  }
  return [...callers.values()].slice(0, mostCallers).map(({ agent, ip, at, count }) => ({
    agent,
    ip,
    count,
    last: momentOf(at, now),
    isCurrent: at >= since,
  }));
}
