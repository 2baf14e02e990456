import type { EventLog } from '../events/event-log.ts';
import { describe, type EventWords, type Problem, problemOf } from './event-words.ts';
import { type Moment, momentOf } from './moment.ts';

/** What happened in one request, oldest first. */
export interface RequestPage {
  readonly requestId: string;
  readonly title: string;
  readonly status?: number;
  readonly milliseconds?: number;
  /** Why it was refused; shown first. */
  readonly problem?: Problem;
  readonly at: Moment;
  readonly events: readonly (EventWords & { readonly at: Moment })[];
}

/** Undefined when the log holds nothing of the request, or not any more. */
export function requestPage(events: EventLog, requestId: string, now: number): RequestPage | undefined {
  const happened = events.ofRequest(requestId);
  const first = happened[0];
  if (first === undefined) return undefined;
  const completed = happened.find(event => event.type === 'request.completed');
  const refusal = happened.find(event => event.type === 'error.returned');
  return {
    requestId,
    title: completed === undefined ? requestId : `${completed.method} ${completed.path}`,
    ...(completed === undefined ? {} : { status: completed.status, milliseconds: completed.milliseconds }),
    ...(refusal === undefined ? {} : { problem: problemOf(refusal) }),
    at: momentOf(first.at, now),
    events: happened.map(event => ({ ...describe(event), at: momentOf(event.at, now) })),
  };
}
