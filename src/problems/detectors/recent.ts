import type { EventOf, SandboxEvent } from '../../events/event.ts';
import { type RecordedRequest, recordedRequest } from '../../flows/recorded-request.ts';
import type { Pieces } from '../../turns/in-turns.ts';
import { groupInPieces } from '../../turns/lists.ts';
import type { Known } from '../known.ts';
import type { Recent } from './detector.ts';

const parsed = new WeakMap<EventOf<'request.completed'>, RecordedRequest>();

/** The recorded requests that are kept, oldest first. A request that the log forgets before its turn comes is left out. */
export function* readRequests(events: Known['events']): Pieces<readonly RecordedRequest[]> {
  const requests: RecordedRequest[] = [];
  for (const event of events.latest('request.completed', events.kept('request.completed')).reverse()) {
    if (events.ofRequest(event.requestId).includes(event)) requests.push(requestOf(events, event));
    yield;
  }
  return requests;
}

/** What a detector looks through, of all requests that are kept: as it would be `later`, in seconds, if nothing more came. */
export function* recentOf(all: readonly RecordedRequest[], events: Known['events'], later = 0): Pieces<Recent> {
  const now = Math.floor(events.wall()) + later;
  // what somebody wanted to go wrong is no failure
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

/** A recorded request, which is taken apart once for all who read it. */
function requestOf(events: Known['events'], event: EventOf<'request.completed'>): RecordedRequest {
  const known = parsed.get(event);
  if (known !== undefined) return known;
  const made = recordedRequest(event, events.ofRequest(event.requestId));
  parsed.set(event, made);
  return made;
}
