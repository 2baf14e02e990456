import type { Correlation, SentHeaders } from './correlation.ts';

/** Ids of a request as they were sent, which are read only if a line is written. */
export interface SentIds extends SentHeaders {
  /** The ids of our own span. */
  readonly own?: Correlation | undefined;
}

/** The headers as Node has them. */
type Header = string | readonly string[] | undefined;
export type SentIdHeaders = { readonly traceparent: Header; readonly named: Header } & Pick<SentIds, 'own'>;

/** Most requests whose ids are kept. Lines of a request are written while it runs, or at its end. */
const most = 1000;
/** Longer headers are not kept. */
const longest = 200;

/** Remembers the sent ids of the latest requests, by our own id. */
export function createSentIds() {
  const byRequest = new Map<string, SentIds>();
  const short = (header: Header) => (header === undefined || header.length > longest ? undefined : String(header));
  return {
    put(requestId: string, { traceparent, named, own }: SentIdHeaders): void {
      byRequest.set(requestId, { traceparent: short(traceparent), named: short(named), own });
      const [oldest] = byRequest.size > most ? byRequest.keys() : [];
      if (oldest !== undefined) byRequest.delete(oldest);
    },
    of: (requestId: string): SentIds | undefined => byRequest.get(requestId),
    size: () => byRequest.size,
  };
}
