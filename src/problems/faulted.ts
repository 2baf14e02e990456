import type { EventOf } from '../events/event.ts';
import { sentHandles, toldHandles } from '../flows/handles.ts';
import { type RecordedRequest, recordedRequest } from '../flows/recorded-request.ts';
import type { Known } from './known.ts';

type Log = Known['events'];
type Refused = EventOf<'error.returned'>;

/** What a faulted request left in the hands of its client. */
interface Left {
  /** Codes and tokens that no endpoint can take. */
  readonly bent: readonly string[];
  /** Codes and refresh tokens that were used up while the client heard nothing, or that it was given twice. */
  readonly usedUp: readonly string[];
}

/**
 * Tells whether a refusal is the work of a fault: of one that met the request itself, or one that bent what it came with. What
 * somebody wanted to go wrong is no problem. Refusals come oldest first.
 */
export function createFaulted(events: Log): (refused: Refused) => boolean {
  const leftBy = createReader(events);
  const revoked = new Set<string>();

  /** The second use of a code or refresh token, and what was revoked for it (RFC 6749 §4.1.2, RFC 9700 §4.14.2). */
  function isOfUsedUp({ requestId, reason, authorizationId = '' }: Refused, sent: readonly string[], left: Left) {
    if (/revoked/.test(reason)) return revoked.has(authorizationId);
    if (!secondUse.has(reason) || !sent.some(each => left.usedUp.includes(each))) return false;
    for (const each of events.ofRequest(requestId))
      if (each.type === 'token.revoked') revoked.add(each.authorizationId);
    return true;
  }

  return refused => {
    if (events.kept('fault.applied') === 0) return false;
    if (events.ofRequest(refused.requestId).some(({ type }) => type === 'fault.applied')) return true;
    const left = leftBy();
    const request = requestOf(events, refused.requestId);
    const sent = request === undefined ? [] : sentHandles(request);
    return sent.some(each => left.bent.includes(each)) || isOfUsedUp(refused, sent, left);
  };
}

const secondUse: ReadonlySet<string> = new Set(['code_replayed', 'refresh_token_reused']);

function requestOf(events: Log, requestId: string): RecordedRequest | undefined {
  const facts = events.ofRequest(requestId);
  const completed = facts.find(each => each.type === 'request.completed');
  return completed?.type === 'request.completed' ? recordedRequest(completed, facts) : undefined;
}

/** Reads each request once, when it is over; those that the log has forgotten are forgotten here. */
function createReader(events: Log): () => Left {
  let read: ReadonlyMap<string, Left> = new Map();
  return () => {
    const ids = new Set(events.latest('fault.applied', events.kept('fault.applied')).map(({ requestId }) => requestId));
    const known = [...ids].flatMap(id => {
      const left = read.get(id) ?? leftIn(requestOf(events, id));
      return left === undefined ? [] : [[id, left] as const];
    });
    read = new Map(known);
    const all = [...read.values()];
    return { bent: all.flatMap(({ bent }) => bent), usedUp: all.flatMap(({ usedUp }) => usedUp) };
  };
}

/** A fault that waits, or answers in the place of an endpoint, leaves nothing behind. */
function leftIn(request: RecordedRequest | undefined): Left | undefined {
  if (request === undefined) return undefined;
  const { facts } = request;
  const effects = new Set(facts.flatMap(fact => (fact.type === 'fault.applied' ? [fact.effect] : [])));
  const issued = facts.flatMap(fact => (fact.type === 'code.issued' || fact.type === 'token.issued' ? [fact] : []));
  const values = new Set(issued.map(({ token }) => token));
  const isMadeUp = (told: string) => (effects.has('bend') || effects.has('respond')) && !values.has(told);
  const forged = issued.flatMap(each => ('defect' in each ? [each.token, ...(each.signed ? [each.signed] : [])] : []));
  return {
    bent: [...forged, ...toldHandles(request).filter(isMadeUp)],
    usedUp: [
      ...(effects.has('cut') ? sentHandles(request) : []),
      ...(effects.has('cut') || effects.has('replace') ? values : []),
    ],
  };
}
