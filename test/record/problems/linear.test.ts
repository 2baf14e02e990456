import { expect, it } from 'vitest';
import type { EventFact } from '../../../src/base/events/event.ts';
import { createEventLog, type EventLog } from '../../../src/base/events/event-log.ts';
import type { Detector } from '../../../src/record/problems/detectors/index.ts';
import { cookieDropped, silentRenewBlocked } from '../../../src/record/problems/detectors/logins.ts';
import { preflightWithoutRequest } from '../../../src/record/problems/detectors/requests.ts';
import { workOf } from '../../support/work.ts';
import { errorFact, foundBy, now, requestFact } from './support.ts';

type Sent = Parameters<typeof requestFact>[1] & { readonly answered?: string };

function add(events: EventLog, endpoint: string, { answered = '', ...sent }: Sent, ...facts: EventFact[]): void {
  const requestId = `req_${events.lastId}`;
  for (const fact of facts) events.append(fact, requestId);
  const fact = requestFact(endpoint, sent);
  events.append({ ...fact, exchange: { ...fact.exchange, responseHeaders: answered } }, requestId);
}

const login = { type: 'login.succeeded', sub: 'alice' } as EventFact;

interface Case {
  readonly detector: Detector;
  /** A request that may be a failure. */
  readonly suspect: (events: EventLog) => void;
  /** A request that looks like the one that would clear a suspect, and is not. */
  readonly decoy: (events: EventLog) => void;
  readonly failures: (suspects: number) => number;
}

const cases: readonly Case[] = [
  {
    detector: preflightWithoutRequest,
    suspect: events =>
      add(events, 'token', {
        method: 'OPTIONS',
        url: '/oauth2/token',
        headers: { Origin: 'http://app.test', 'Access-Control-Request-Method': 'POST' },
        answered: 'Access-Control-Allow-Origin\nhttp://app.test',
      }),
    decoy: events => add(events, 'token', { url: '/oauth2/token', headers: { Origin: 'http://other.test' } }),
    failures: suspects => suspects,
  },
  {
    detector: silentRenewBlocked,
    suspect: events =>
      add(
        events,
        'authorize',
        { method: 'GET', url: '/oauth2/authorize?prompt=none', headers: { 'Sec-Fetch-Dest': 'iframe' } },
        errorFact({ error: 'login_required' }),
      ),
    decoy: events => add(events, 'login', { headers: { 'User-Agent': 'another browser' } }, login),
    failures: () => 0,
  },
  {
    detector: cookieDropped,
    suspect: events => add(events, 'login', { answered: 'Location\n/oauth2/authorize' }, login),
    decoy: events => add(events, 'authorize', { method: 'GET', url: '/oauth2/authorize' }),
    failures: suspects => suspects,
  },
];

/** All decoys on the side where each of the suspects would look at each of them. */
function workFor({ detector, suspect, decoy, failures }: Case, size: number): number {
  let time = now - 10;
  const events = createEventLog({ capacity: 100_000, now: () => time });
  const [first, then] = detector === preflightWithoutRequest ? [suspect, decoy] : [decoy, suspect];
  for (let n = 0; n < size; n++) first(events);
  for (let n = 0; n < size; n++) then(events);
  if (detector === cookieDropped) decoy(events);
  time = now;
  let found = 0;
  const work = workOf(() => {
    found = foundBy(detector, events).length;
  });
  expect(found).toBe(failures(size));
  return work;
}

it.each(cases.map(each => [each.detector.name, each] as const))(
  '%s has four times as much to do with four times as many requests, and no more',
  (_, each) => {
    expect(workFor(each, 400) / workFor(each, 100)).toBeLessThan(5);
  },
);
