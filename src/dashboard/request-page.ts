import { clientClosedRequest, type RequestCompleted } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { describe, type EventWords, type Problem, problemOf } from './event-words.ts';
import { type Moment, momentOf } from './moment.ts';

/** What happened in one request, oldest first. */
export interface RequestPage {
  readonly requestId: string;
  readonly title: string;
  /** `HTTP 200 in 1.5 ms`; empty while it is not complete. */
  readonly answer: string;
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
    answer: completed === undefined ? '' : answerOf(completed),
    ...(refusal === undefined ? {} : { problem: problemOf(refusal) }),
    at: momentOf(first.at, now),
    events: happened.map(event => ({ ...describe(event), at: momentOf(event.at, now) })),
  };
}

function answerOf({ status, milliseconds }: RequestCompleted): string {
  const took = `${milliseconds.toFixed(1)} ms`;
  return status === clientClosedRequest ? `The client hung up after ${took}` : `HTTP ${status} in ${took}`;
}
