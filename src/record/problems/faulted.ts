import type { EventOf } from '../../base/events/event.ts';
import type { Pieces } from '../../base/turns.ts';
import { sentHandles, toldHandles } from '../flows/correlation/handles.ts';
import { type RecordedRequest, requestIn } from '../flows/recorded-request.ts';
import type { Known } from './known.ts';

type Log = Known['events'];
type Refused = EventOf<'error.returned'>;

interface Left {
  readonly bent: readonly string[];
  /** Codes and refresh tokens that were used while the client got no answer, or that it got twice. */
  readonly usedUp: readonly string[];
}

/** Tells whether a fault caused a refusal, which is not a problem then. */
export function createFaulted(events: Log) {
  const { catchUp, bent, usedUp } = createReader(events);
  const revoked = new Set<string>();

  /** Detects the second use of a code or refresh token, and its revocations (RFC 6749 §4.1.2, RFC 9700 §4.14.2). */
  function isOfUsedUp({ requestId, reason, authorizationId = '' }: Refused, sent: readonly string[]) {
    if (/revoked/.test(reason)) return revoked.has(authorizationId);
    if (!secondUse.has(reason) || !sent.some(each => usedUp.has(each))) return false;
    for (const each of events.ofRequest(requestId))
      if (each.type === 'token.revoked') revoked.add(each.authorizationId);
    return true;
  }

  return {
    /** Reads the new effects of faults in pieces, one for each request. */
    catchUp,
    /**
     * Tells whether a fault met the refused request, or changed the code or token in it. Call `catchUp` first, and pass refusals
     * oldest first.
     */
    isWorkOf(refused: Refused): boolean {
      if (events.kept('fault.applied') === 0) return false;
      if (hasFault(events, refused.requestId)) return true;
      const request = requestIn(events.ofRequest(refused.requestId));
      const sent = request === undefined ? [] : sentHandles(request);
      return sent.some(each => bent.has(each)) || isOfUsedUp(refused, sent);
    },
  };
}

const secondUse: ReadonlySet<string> = new Set(['code_replayed', 'refresh_token_reused']);

/** Whether a request met a fault. */
export function hasFault(events: Log, requestId: string): boolean {
  return events.ofRequest(requestId).some(({ type }) => type === 'fault.applied');
}

/** Reads each faulted request once, after its end. It drops requests that the log has dropped. */
function createReader(events: Log) {
  /** Oldest first. */
  const read = new Map<string, Left>();
  const bent = createOwned();
  const usedUp = createOwned();
  let readTo = 0;
  let unread: string[] = [];
  let underway: string[] = [];

  function take(requestId: string): void {
    if (read.has(requestId) || !hasFault(events, requestId)) return;
    const left = leftIn(requestIn(events.ofRequest(requestId)));
    if (left === undefined) {
      underway.push(requestId);
      return;
    }
    read.set(requestId, left);
    bent.add(left.bent, requestId);
    usedUp.add(left.usedUp, requestId);
  }

  function* forgetOld(): Pieces<void> {
    for (const [requestId, left] of read) {
      if (hasFault(events, requestId)) return;
      read.delete(requestId);
      bent.remove(left.bent, requestId);
      usedUp.remove(left.usedUp, requestId);
      yield;
    }
  }

  function* catchUp(): Pieces<void> {
    if (events.lastId !== readTo) {
      const added = events.keptSince(readTo, ['fault.applied']).map(({ requestId }) => requestId);
      unread = [...unread, ...underway, ...added];
      underway = [];
      readTo = events.lastId;
      yield* forgetOld();
    }
    for (let requestId = unread.shift(); requestId !== undefined; requestId = unread.shift()) {
      take(requestId);
      yield;
    }
  }

  return { catchUp, bent, usedUp };
}

function createOwned() {
  const owners = new Map<string, string>();
  return {
    has: (value: string) => owners.has(value),
    add(values: readonly string[], requestId: string): void {
      for (const value of values) owners.set(value, requestId);
    },
    remove(values: readonly string[], requestId: string): void {
      for (const value of values) if (owners.get(value) === requestId) owners.delete(value);
    },
  };
}

/** Collects the values that a request left. A fault that waits or answers leaves none. */
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
