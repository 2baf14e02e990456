import type { IncomingMessage } from 'node:http';
import type { EventOf } from '../../base/events/event.ts';
import { type ExplanationView, explainRefusal, explanationView } from '../../record/problems/explain.ts';
import type { Known } from '../../record/problems/known.ts';
import { contextOf } from './request-context.ts';

/** Data for the error page. */
export interface Explaining {
  readonly known: Known;
  /** True if its buttons may change something. */
  readonly canFix: boolean;
}

/** The explanation of the refusal that will answer this request. The event log has been read since the refusal. */
export function explained({ known, canFix }: Explaining, req: IncomingMessage): ExplanationView | undefined {
  const { id } = contextOf(req);
  const error = known.events.ofRequest(id).findLast(event => event.type === 'error.returned');
  if (error === undefined) return undefined;
  const explanation = explainRefusal(known, { error, request: asSoFar(req, error) });
  return explanationView(explanation, id, canFix ? `${known.base}/dashboard/problems/${id}/fix` : undefined);
}

/** The request, as far as it is known before its answer. */
function asSoFar(req: IncomingMessage, error: EventOf<'error.returned'>): EventOf<'request.completed'> {
  const { id, at, requestId, endpoint, status } = error;
  const { originalUrl: url = req.url ?? '' } = req as { originalUrl?: string }; // before a router rewrote it
  return {
    type: 'request.completed',
    id,
    at,
    requestId,
    endpoint,
    status,
    milliseconds: 0,
    method: req.method ?? '',
    path: url.split('?', 1)[0] ?? '',
    exchange: {
      url,
      ip: req.socket.remoteAddress ?? '',
      requestHeaders: req.rawHeaders.join('\n'),
      responseHeaders: '',
    },
  };
}
