import type { IncomingHttpHeaders } from 'node:http';

/** Ids by which other programs know a request. Members of its JSON log lines, named as OpenTelemetry names them. */
export interface Correlation {
  readonly trace_id?: string;
  readonly span_id?: string;
  /** `X-Request-Id` as it was sent. It does not replace our id, because a caller may repeat it. */
  readonly client_request_id?: string;
}

/** W3C Trace Context §3.2; a version after 00 may append more. */
const traceparentForm = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-.*)?$/;

/** The ids that a request brought; undefined without a valid one. */
export function correlationOf(headers: IncomingHttpHeaders): Correlation | undefined {
  const { traceparent, 'x-request-id': named } = headers;
  const [, trace_id, span_id] = traceparentForm.exec(String(traceparent)) ?? [];
  const client_request_id = /^[\w.:+/=@-]{1,128}$/.test(String(named ?? '')) ? String(named) : undefined;
  if (trace_id === undefined && client_request_id === undefined) return undefined;
  return {
    ...(trace_id === undefined || span_id === undefined ? {} : { trace_id, span_id }),
    ...(client_request_id === undefined ? {} : { client_request_id }),
  };
}

/** Most requests whose ids are remembered. Lines of a request are written while it runs, or at its end. */
const most = 1000;

/** The ids of the latest requests, by our own id. */
export function createCorrelations() {
  const byRequest = new Map<string, Correlation>();
  return {
    put(requestId: string, ids: Correlation): void {
      byRequest.set(requestId, ids);
      const [oldest] = byRequest.size > most ? byRequest.keys() : [];
      if (oldest !== undefined) byRequest.delete(oldest);
    },
    of: (requestId: unknown): Correlation | undefined =>
      typeof requestId === 'string' ? byRequest.get(requestId) : undefined,
    size: () => byRequest.size,
  };
}
