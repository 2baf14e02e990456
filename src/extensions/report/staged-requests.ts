import type { Pieces } from '../../base/turns.ts';
import { codeIn, sentHandles, toldHandles } from '../../record/flows/correlation/handles.ts';
import type { RecordedRequest } from '../../record/flows/recorded-request.ts';

/** Requests, grouped by whether the client alone is responsible for the result. */
export interface Parted {
  /** Requests whose result depends on the client alone. */
  readonly own: readonly RecordedRequest[];
  /** Requests that a fault changed, or that this server sent itself. */
  readonly staged: readonly RecordedRequest[];
  /** Requests with a code or token from a staged request. Their result says nothing about the client. */
  readonly consequences: readonly RecordedRequest[];
  /** The token request with the code of an authorization response; undefined if there was none. */
  redemptionOf(response: RecordedRequest): RecordedRequest | undefined;
}

/** Groups requests, given and returned oldest first; each request is a piece. */
export function* partStaged(requests: readonly RecordedRequest[]): Pieces<Parted> {
  const staged: RecordedRequest[] = [];
  const others: RecordedRequest[] = [];
  const touched = new Set<string>();
  const byCode = new Map<string, RecordedRequest>();
  for (const request of requests) {
    const itsStaged = isStaged(request);
    (itsStaged ? staged : others).push(request);
    if (itsStaged) for (const handle of handlesOf(request)) touched.add(handle);
    if (request.event.endpoint === 'token') byCode.set(request.value('code') ?? '', request);
    yield;
  }
  const own: RecordedRequest[] = [];
  const consequences: RecordedRequest[] = [];
  for (const request of others) {
    const isTouched = touched.size > 0 && sentHandles(request).some(handle => touched.has(handle));
    (isTouched ? consequences : own).push(request);
    yield;
  }
  return { staged, own, consequences, redemptionOf: response => byCode.get(codeIn(response) ?? 'none') };
}

/** True for a request that a fault changed, or that the dashboard sent. */
function isStaged(request: RecordedRequest): boolean {
  return request.fact('fault.applied') !== undefined || request.header('grantbox-tool') !== undefined;
}

/**
 * Codes and tokens that a staged request sent or received. Sent ones count as well, because a refresh token may be used up by the
 * staged request.
 */
function handlesOf(request: RecordedRequest): readonly string[] {
  const issued = request.facts.flatMap(fact => ('token' in fact ? [fact.token] : []));
  return [...sentHandles(request), ...issued, ...toldHandles(request)];
}
