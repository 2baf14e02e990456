import { codeIn, sentHandles, toldHandles } from '../flows/handles.ts';
import type { RecordedRequest } from '../flows/recorded-request.ts';

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
export function partStaged(requests: readonly RecordedRequest[]): Parted {
  const staged = requests.filter(isStaged);
  const touched = new Set(staged.flatMap(handlesOf));
  const others = requests.filter(request => !isStaged(request));
  const isTouched = (request: RecordedRequest) => sentHandles(request).some(handle => touched.has(handle));
  const byCode = new Map(
    requests
      .filter(({ event }) => event.endpoint === 'token')
      .map(request => [request.value('code') ?? '', request] as const),
  );
  return {
    staged,
    own: others.filter(request => !isTouched(request)),
    consequences: others.filter(isTouched),
    redemptionOf: response => byCode.get(codeIn(response) ?? 'none'),
  };
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
