import type { EventLog } from '../events/event-log.ts';
import { describe, type EventWords } from './event-words.ts';
import { type Moment, momentOf } from './moment.ts';

/** What happened in one request, oldest first. */
export interface RequestPage {
  readonly requestId: string;
  readonly title: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly refused: boolean;
  readonly at: Moment;
  readonly events: readonly (EventWords & { readonly at: Moment })[];
}

/** Undefined when the log holds nothing of the request, or not any more. */
export function requestPage(events: EventLog, requestId: string, now: number): RequestPage | undefined {
  const happened = events.ofRequest(requestId);
  const first = happened[0];
  if (first === undefined) return undefined;
  const completed = happened.find(event => event.type === 'request.completed');
  return {
    requestId,
    title: completed === undefined ? requestId : `${completed.method} ${completed.path}`,
    ...(completed === undefined ? {} : { status: completed.status, milliseconds: completed.milliseconds }),
    refused: happened.some(event => event.type === 'error.returned'),
    at: momentOf(first.at, now),
    events: happened.map(event => ({ ...describe(event), at: momentOf(event.at, now) })),
  };
}
