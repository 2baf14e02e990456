import type { EventOf } from '../../events/event.ts';
import type { RecordedRequest } from '../recorded-request.ts';

type Refusal = EventOf<'error.returned'>;

/** Part of how it goes: the client asks again (RFC 8628 §3.5, RFC 9449 §8), the user types again. */
const passing: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down', 'use_dpop_nonce']);

/** Why a request was refused; the last word where there are several, and what a browser keeps to itself (`cors`) at last. */
export function refusalOf({ facts }: RecordedRequest): Refusal | undefined {
  const refusals = facts.filter((fact): fact is Refusal => fact.type === 'error.returned');
  return refusals.findLast(({ form }) => form !== 'cors') ?? refusals.at(-1);
}

/** Whether whoever asked will ask again: a client that polls, a user who mistyped. */
export function isPassing({ error, reason, endpoint }: Refusal): boolean {
  return (
    passing.has(error) || reason === 'login_failed' || endpoint === 'device_verification' || endpoint === 'approvals'
  );
}

/** Whether a refusal ends what was tried. What a browser keeps from its script is answered all the same. */
export function isFinal(refusal: Refusal): boolean {
  return refusal.form !== 'cors' && !isPassing(refusal);
}
