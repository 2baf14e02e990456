import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import type { Pieces } from '../../../base/turns/in-turns.ts';
import { groupInPieces } from '../../../base/turns/lists.ts';
import { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Known } from '../known.ts';
import type { Recent } from './detector.ts';

const parsed = new WeakMap<EventOf<'request.completed'>, RecordedRequest>();

/** Reads all recorded requests, oldest first. It skips a request that the log drops meanwhile. */
export function* readRequests(events: Known['events']): Pieces<readonly RecordedRequest[]> {
  const requests: RecordedRequest[] = [];
  for (const event of events.latest('request.completed', events.kept('request.completed')).reverse()) {
    if (events.ofRequest(event.requestId).includes(event)) requests.push(requestOf(events, event));
    yield;
  }
  return requests;
}

/** Prepares the history for the detectors, as it is now or `later` seconds from now if nothing more happens. */
export function* recentOf(all: readonly RecordedRequest[], events: Known['events'], later = 0): Pieces<Recent> {
  const now = Math.floor(events.wall()) + later;
  // a request that met a fault is not a failure of the app
  const faulted = new Set(events.latest('fault.applied', events.kept('fault.applied')).map(each => each.requestId));
  const isOwn = ({ requestId }: SandboxEvent) => !faulted.has(requestId);
  const issued = <T extends 'code.issued' | 'token.issued'>(type: T) =>
    events.latest(type, events.kept(type)).filter(isOwn).reverse();
  const requests = all.filter(({ event }) => isOwn(event));
  const byEndpoint = yield* groupInPieces(requests, ({ event }) => event.endpoint);
  return {
    since: event => now - events.wallOf(event),
    requests,
    at: endpoint => byEndpoint.get(endpoint) ?? [],
    codes: issued('code.issued'),
    tokens: issued('token.issued'),
  };
}

/** Parses a recorded request once for all detectors. */
function requestOf(events: Known['events'], event: EventOf<'request.completed'>): RecordedRequest {
  const known = parsed.get(event);
  if (known !== undefined) return known;
  const made = new RecordedRequest(event, events.ofRequest(event.requestId));
  parsed.set(event, made);
  return made;
}
