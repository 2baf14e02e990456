import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthError } from '../errors.ts';
import { type Outbound, type OutboundAnswer, OutboundError, type OutboundOptions } from '../outbound.ts';
import { isStranger, type RegisteredClient } from './client.ts';

/** Most fetches of one document per second, so that a flood of requests here does not become one elsewhere. */
const mostOfOne = 5;
/** Limits for concurrent fetches. One client, or one slow host, must not use up the fetches of all others. */
const mostAtATime = { client: 5, host: 20, all: 200 };

/** Window in seconds for fetching the keys of a client again because no known key matches, and most fetches in it. */
const lookupWindow = 5;
const mostLookups = 3;

interface RemoteDocument {
  readonly name: string;
  readonly url: string;
  readonly client_id: string;
}

/** Chooses the outbound for an address that a client named: nobody vouches for a client that is not configured. */
export function outboundFor(
  server: AuthorizationServer,
  { origin }: Partial<Pick<RegisteredClient, 'origin'>>,
): Outbound {
  return origin === undefined || !isStranger({ origin }) ? server.outbound : server.strangersOutbound;
}

/**
 * Gets a document.
 * @throws the error that `unreadable` makes if there is no answer
 */
export async function getDocument(
  outbound: Outbound,
  url: string,
  options: OutboundOptions,
  unreadable: (met: string, cause: OutboundError) => Error,
): Promise<OutboundAnswer> {
  try {
    return await outbound.get(url, options);
  } catch (error) {
    throw error instanceof OutboundError ? unreadable(error.message, error) : error;
  }
}

/** Seconds a document is kept without `Cache-Control`, and longest time with it. */
const usualLifetime = 300;
const longestLifetime = 3600;

/** Seconds a document may be cached; 0: not at all (RFC 9111 §5.2.2). */
export function cacheLifetime({ headers }: OutboundAnswer): number {
  const directives = headers['cache-control'] ?? '';
  if (/\bno-(store|cache)\b/i.test(directives)) return 0;
  const maxAge = /\bmax-age="?(\d{1,9})/i.exec(directives)?.[1];
  return Math.min(maxAge === undefined ? usualLifetime : Number(maxAge), longestLifetime);
}

interface Fetches {
  readonly underWay: Map<string, RemoteDocument & { readonly answer: Promise<unknown> }>;
  readonly perSecond: Count;
  readonly lookups: Count;
}

const fetchesOf = new WeakMap<Outbound, Fetches>();

function fetchesFor({ outbound }: AuthorizationServer): Fetches {
  const known = fetchesOf.get(outbound);
  if (known !== undefined) return known;
  const fetches = { underWay: new Map(), perSecond: createCount(1), lookups: createCount(lookupWindow) };
  fetchesOf.set(outbound, fetches);
  return fetches;
}

/**
 * Does the work for a document, or waits for the same work in progress. Quotas are measured by a clock that cannot be
 * moved: with a frozen clock they would never recover.
 * @throws temporarily_unavailable if it was done too often
 */
export function fetchInTurn<T>(
  server: AuthorizationServer,
  document: RemoteDocument,
  work: () => Promise<T>,
): Promise<T> {
  const { underWay, perSecond } = fetchesFor(server);
  // the work for one document always has the same result type
  const begun = underWay.get(document.name)?.answer as Promise<T> | undefined;
  if (begun !== undefined) return begun;
  if (isFull(underWay, document) || perSecond(document.name, server.elapsed()) > mostOfOne) {
    return Promise.reject(busy());
  }
  const answer = work().finally(() => underWay.delete(document.name));
  underWay.set(document.name, { ...document, answer });
  return answer;
}

/** True if the keys of a client may be fetched again now because no known key matches. */
export function mayLookAgain(server: AuthorizationServer, client_id: string): boolean {
  return fetchesFor(server).lookups(client_id, server.elapsed()) <= mostLookups;
}

function isFull(underWay: Fetches['underWay'], { client_id, url }: RemoteDocument): boolean {
  const all = [...underWay.values()];
  const ofClient = all.filter(each => each.client_id === client_id);
  const ofHost = all.filter(each => hostOf(each.url) === hostOf(url));
  return all.length >= mostAtATime.all || ofClient.length >= mostAtATime.client || ofHost.length >= mostAtATime.host;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

const mostCounted = 10_000;

/** The number of this call in the present window; `now` in seconds. */
type Count = (key: string, now: number) => number;

function createCount(windowSeconds: number): Count {
  const counts = new Map<string, number>();
  let end = 0;
  return (key, now) => {
    if (now >= end) {
      counts.clear();
      end = now + windowSeconds;
    }
    const count = (counts.get(key) ?? 0) + 1;
    if (counts.size >= mostCounted) counts.clear();
    counts.set(key, count);
    return count;
  };
}

function busy(): OAuthError {
  const description = 'too many documents are being fetched';
  const { client, host } = mostAtATime;
  return new OAuthError('temporarily_unavailable', 'metadata_document_busy', description, {
    expected: `at most ${mostOfOne} fetches of one document per second; at one time, ${client} for a client and ${host} from a host`,
    headers: { 'Retry-After': '1' },
  });
}
