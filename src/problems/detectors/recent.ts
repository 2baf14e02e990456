import type { EventOf, SandboxEvent } from '../../events/event.ts';
import { type RecordedRequest, recordedRequest } from '../../flows/recorded-request.ts';
import { atOnce, type Pieces } from '../../turns/in-turns.ts';
import type { Known } from '../known.ts';
import type { Detector, Recent } from './detector.ts';

const parsed = new WeakMap<EventOf<'request.completed'>, RecordedRequest>();
const views = new WeakMap<Known['events'], { readonly state: string; readonly recent: Recent }>();

/** What is kept now. */
export function recentOf({ events }: Known): Recent {
  const now = Math.floor(events.wall());
  const state = `${events.lastId} ${now}`;
  const made = views.get(events);
  if (made?.state === state) return made.recent;
  const recent = atOnce(readRecent(events));
  views.set(events, { state, recent });
  return recent;
}

/** The same, read anew in pieces. */
export function* readRecent(events: Known['events']): Pieces<Recent> {
  const now = Math.floor(events.wall());
  // what somebody wanted to go wrong is no failure
  const faulted = new Set(events.latest('fault.applied', events.kept('fault.applied')).map(each => each.requestId));
  const all = <T extends 'request.completed' | 'code.issued' | 'token.issued'>(type: T) =>
    events
      .latest(type, events.kept(type))
      .filter((event: SandboxEvent) => !faulted.has(event.requestId))
      .reverse();
  const requests: RecordedRequest[] = [];
  const byEndpoint = new Map<string, RecordedRequest[]>();
  for (const event of all('request.completed')) {
    const request = requestOf(events, event);
    requests.push(request);
    addTo(byEndpoint, event.endpoint, request);
    yield;
  }
  return {
    since: event => now - events.wallOf(event),
    requests,
    at: endpoint => byEndpoint.get(endpoint) ?? [],
    codes: all('code.issued'),
    tokens: all('token.issued'),
  };
}

/** A recorded request, which is taken apart once for all who read it. */
export function requestOf(events: Known['events'], event: EventOf<'request.completed'>): RecordedRequest {
  const known = parsed.get(event);
  if (known !== undefined) return known;
  const made = recordedRequest(event, events.ofRequest(event.requestId));
  parsed.set(event, made);
  return made;
}

/** Items by what they have in common; in order. */
export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    addTo(groups, key, item);
  }
  return groups;
}

function addTo<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

export function detector(name: string, look: Detector['look']): Detector {
  return { name, look };
}

/** Who sent a request: what a session, an address and a program have in common. */
export function senderOf(request: RecordedRequest): string {
  return `${request.ip} ${request.header('user-agent') ?? ''} ${request.header('cookie') ?? ''}`;
}

/** Where and when a failure showed. */
export function seenIn({ at, id, requestId }: Pick<EventOf<'request.completed'>, 'at' | 'id' | 'requestId'>) {
  return { at, eventId: id, requestId };
}
