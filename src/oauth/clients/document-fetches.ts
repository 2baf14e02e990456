import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthError } from '../errors.ts';
import type { Outbound } from '../outbound.ts';

/** One document is fetched so often in a second, and so many documents are fetched at a time: no flood becomes a storm. */
const mostOfOne = 5;
const mostAtATime = 20;

interface Fetches {
  readonly underWay: Map<string, Promise<unknown>>;
  /** How often each was fetched in this second. */
  readonly counts: Map<string, number>;
  second: number;
}

const fetchesOf = new WeakMap<Outbound, Fetches>();

/**
 * Does the work for a document that somebody else told us to fetch, or waits for it where it is being done already.
 * @throws temporarily_unavailable where it was done too often
 */
export function fetchInTurn<T>(server: AuthorizationServer, document: string, work: () => Promise<T>): Promise<T> {
  const fetches = fetchesOf.get(server.outbound) ?? { underWay: new Map(), counts: new Map(), second: 0 };
  fetchesOf.set(server.outbound, fetches);
  const { underWay } = fetches;
  // the work for one document is always the same
  const begun = underWay.get(document) as Promise<T> | undefined;
  if (begun !== undefined) return begun;
  if (!mayBegin(fetches, document, server.clock())) return Promise.reject(busy());
  const working = work().finally(() => underWay.delete(document));
  underWay.set(document, working);
  return working;
}

function mayBegin(fetches: Fetches, document: string, now: number): boolean {
  if (fetches.second !== now) {
    fetches.counts.clear();
    fetches.second = now;
  }
  const count = fetches.counts.get(document) ?? 0;
  if (count >= mostOfOne || fetches.underWay.size >= mostAtATime) return false;
  fetches.counts.set(document, count + 1);
  return true;
}

function busy(): OAuthError {
  const description = 'too many documents are being fetched';
  return new OAuthError('temporarily_unavailable', 'metadata_document_busy', description, {
    expected: `at most ${mostOfOne} times a second the same, ${mostAtATime} at a time`,
    headers: { 'Retry-After': '1' },
  });
}
