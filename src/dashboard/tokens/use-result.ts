import type { EventLog } from '../../events/event-log.ts';
import { isIssued } from '../../events/event-memory.ts';
import { tokenTypeOf } from '../../flows/token-status.ts';

/** What came of using a token from here, read in the log. */
export interface UseResult {
  readonly requestId: string;
  /** `GET /api/products`. */
  readonly words: string;
  readonly status: number;
  /** As text; JSON is laid out. */
  readonly body: string;
  /** Characters of the body that are not shown. */
  readonly cut: number;
  /** `code: description`, with a page that explains it. */
  readonly refusal?: string;
  /** What it gave. */
  readonly issued: readonly { readonly tokenId: string; readonly type: string }[];
}

const mostShown = 2000;

/** Undefined for a request that is unknown, or forgotten. */
export function useResult(events: EventLog, requestId: string): UseResult | undefined {
  const happened = events.ofRequest(requestId);
  const request = happened.find(event => event.type === 'request.completed');
  if (request === undefined) return undefined;
  const refusal = happened.find(event => event.type === 'error.returned');
  const body = laidOut(request.exchange.responseBody?.text ?? '');
  return {
    requestId,
    words: `${request.method} ${request.path}`,
    status: request.status,
    body: body.slice(0, mostShown),
    cut: Math.max(0, body.length - mostShown),
    ...(refusal === undefined ? {} : { refusal: `${refusal.error}: ${refusal.description}` }),
    issued: happened.filter(isIssued).map(event => ({ tokenId: event.tokenId, type: tokenTypeOf(event) })),
  };
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
