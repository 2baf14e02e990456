import { codeIn, sentHandles, toldHandles } from '../flows/handles.ts';
import type { RecordedRequest } from '../flows/recorded-request.ts';
import type { Pieces } from '../turns/in-turns.ts';

/** Requests, parted by whose doing their outcome is. */
export interface Parted {
  /** Of the client alone. */
  readonly own: readonly RecordedRequest[];
  /** A fault was made for them, or this server sent them itself. */
  readonly staged: readonly RecordedRequest[];
  /** They came with a code or token that had to do with a staged one: what became of them says nothing about their client. */
  readonly consequences: readonly RecordedRequest[];
  /** The request for a token that came with the code of an authorization response; undefined where none did. */
  redemptionOf(response: RecordedRequest): RecordedRequest | undefined;
}

/** Parts requests, oldest first. */
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

/** Whatever a fault did is the work of whoever armed it, and what the dashboard sends is nobody's client. */
function isStaged(request: RecordedRequest): boolean {
  return request.fact('fault.applied') !== undefined || request.header('grantbox-tool') !== undefined;
}

/**
 * Codes and tokens a staged request came with, or was answered with. A refresh token of a staged answer is a good one; one that
 * was sent in a staged request may be used up.
 */
function handlesOf(request: RecordedRequest): readonly string[] {
  const issued = request.facts.flatMap(fact => ('token' in fact ? [fact.token] : []));
  return [...sentHandles(request), ...issued, ...toldHandles(request)];
}
