import type { EventLog } from '../../base/events/event-log.ts';
import { isIssued } from '../../base/events/event-memory.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { indented } from '../requests/body-view.ts';

/** The most characters of a body. The box on the page scrolls. */
const mostShown = 20_000;

/** Reads the result of using a token from the log; undefined if the log does not have the request. */
export function useResult(events: EventLog, requestId: string) {
  const happened = events.ofRequest(requestId);
  const request = happened.find(event => event.type === 'request.completed');
  if (request === undefined) return undefined;
  const refusal = happened.find(event => event.type === 'error.returned');
  const body = indented(request.exchange.responseBody?.text ?? '');
  return {
    requestId,
    // `GET /api/products`
    words: `${request.method} ${request.path}`,
    status: request.status,
    // as text; JSON is laid out
    body: body.slice(0, mostShown),
    // characters of the body that are not shown
    cut: Math.max(0, body.length - mostShown),
    ...(refusal === undefined ? {} : { refusal: `${refusal.error}: ${refusal.description}` }),
    // tokens that the request issued
    issued: happened.filter(isIssued).map(event => ({ tokenId: event.tokenId, type: tokenTypeOf(event) })),
  };
}
