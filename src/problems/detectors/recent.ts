import type { EventOf, SandboxEvent } from '../../events/event.ts';
import { type RecordedRequest, recordedRequest } from '../../flows/recorded-request.ts';
import type { Known } from '../known.ts';
import type { Detector, SilentFailure } from './detector.ts';

/** What a detector looks through; the same for all of them, made once for each state of the log. */
export interface Recent {
  /** Unix seconds. */
  readonly now: number;
  /** Recorded requests that are kept, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Of one endpoint, as in events. */
  at(endpoint: string): readonly RecordedRequest[];
  readonly codes: readonly EventOf<'code.issued'>[];
  readonly tokens: readonly EventOf<'token.issued'>[];
}

const parsed = new WeakMap<EventOf<'request.completed'>, RecordedRequest>();
const views = new WeakMap<Known['events'], { readonly state: string; readonly recent: Recent }>();

/** What is kept now. */
export function recentOf({ events, clock }: Known): Recent {
  const now = clock();
  const state = `${events.lastId} ${now}`;
  const made = views.get(events);
  if (made?.state === state) return made.recent;
  const recent = readRecent(events, now);
  views.set(events, { state, recent });
  return recent;
}

function readRecent(events: Known['events'], now: number): Recent {
  // what somebody wanted to go wrong is no failure
  const faulted = new Set(events.latest('fault.applied', events.kept('fault.applied')).map(each => each.requestId));
  const all = <T extends 'request.completed' | 'code.issued' | 'token.issued'>(type: T) =>
    events
      .latest(type, events.kept(type))
      .filter((event: SandboxEvent) => !faulted.has(event.requestId))
      .reverse();
  const requests = all('request.completed').map(event => requestOf(events, event));
  const byEndpoint = groupedBy(requests, ({ event }) => event.endpoint);
  return {
    now,
    requests,
    at: endpoint => byEndpoint.get(endpoint) ?? [],
    codes: all('code.issued'),
    tokens: all('token.issued'),
  };
}

function requestOf(events: Known['events'], event: EventOf<'request.completed'>): RecordedRequest {
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
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** A detector that looks through what is kept and remembers nothing. */
export function detector(name: string, look: (recent: Recent, known: Known) => readonly SilentFailure[]): Detector {
  return { name, watch: known => ({ found: () => look(recentOf(known), known) }) };
}

/** Who sent a request: what a session, an address and a program have in common. */
export function senderOf(request: RecordedRequest): string {
  return `${request.event.exchange.ip} ${request.header('user-agent') ?? ''} ${request.header('cookie') ?? ''}`;
}

/** Where and when a failure showed. */
export function seenIn({ at, id, requestId }: Pick<EventOf<'request.completed'>, 'at' | 'id' | 'requestId'>) {
  return { at, eventId: id, requestId };
}
