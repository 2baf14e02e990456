import { defined } from '../../base/defined.ts';
import type { EventFact } from '../../base/events/event.ts';
import { createEventLog, type EventLog } from '../../base/events/event-log.ts';
import type { FileRequest, FileSession } from './session-schema.ts';

/** The log of a recorded session, and the number of each of its events in the log. */
export type RecordedLog = ReturnType<typeof recordedLog>;

interface Recorded {
  readonly id: number;
  readonly at: number;
  readonly requestId: string;
  readonly fact: EventFact;
}

/** Fills a log with the events of a session in their order. Each keeps its time; the log numbers them anew. */
export function recordedLog({ requests, exportedAt }: FileSession) {
  const recorded = requests.flatMap(eventsOf).sort((a, b) => a.id - b.id);
  let at = exportedAt;
  const log = createEventLog({ capacity: Math.max(1, recorded.length), now: () => at });
  const places = new Map<number, number>();
  for (const { id, requestId, fact, ...event } of recorded) {
    at = event.at;
    places.set(id, log.append(fact, requestId).id);
  }
  at = exportedAt;
  /** The place in this log of an event of the file; 1 for an event that the file does not have. */
  const placeOf = (eventId: number) => places.get(eventId) ?? 1;
  return { events: sealed(log), placeOf };
}

/** Nothing is added any more: what the server of the record refuses is not a part of the record. */
function sealed(log: EventLog): EventLog {
  const aside = createEventLog({ capacity: 100, now: log.wall });
  const { newestForgotten, lastId } = log;
  return { ...log, newestForgotten, lastId, append: aside.append };
}

function eventsOf(request: FileRequest): Recorded[] {
  const { requestId, id, at } = request;
  const facts = request.events.flatMap(event => {
    if (event === undefined) return [];
    const { id, at, ...fact } = event;
    return [{ id, at, requestId, fact: fact as EventFact }]; // without its stamp it is what the log was given
  });
  return [...facts, { id, at, requestId, fact: completedOf(request) }];
}

function completedOf(request: FileRequest): EventFact {
  const { endpoint, method, path, status, milliseconds, faults, by, url, ip, request: sent, response } = request;
  return {
    type: 'request.completed',
    ...{ endpoint, method, path, status, milliseconds },
    ...defined({ faults, by }),
    exchange: {
      ...{ url, ip, requestHeaders: linesOf(sent.headers), responseHeaders: linesOf(response.headers) },
      ...defined({ requestBody: sent.body, responseBody: response.body }),
    },
  };
}

function linesOf(headers: FileRequest['request']['headers']): string {
  return headers.map(pair => pair.join('\n')).join('\n');
}
