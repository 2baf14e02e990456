import { type Correlation, correlationOf, type SentHeaders } from './correlation.ts';

/** The headers of a request, and the ids of our own span. */
export type SentIds = SentHeaders & { readonly own?: Correlation | undefined };

/** Most requests whose ids are kept. Lines of a request are written while it runs, or at its end. */
const most = 1000;

/** Remembers the ids that the latest requests have in other programs, by our own id. */
export function createSentIds() {
  const byRequest = new Map<string, Correlation>();
  return {
    put(requestId: string, { own, ...sent }: SentIds): void {
      byRequest.set(requestId, { ...correlationOf(sent), ...own });
      const [oldest] = byRequest.size > most ? byRequest.keys() : [];
      if (oldest !== undefined) byRequest.delete(oldest);
    },
    of: (requestId: string): Correlation | undefined => byRequest.get(requestId),
    size: () => byRequest.size,
  };
}
