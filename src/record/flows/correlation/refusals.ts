import type { EventOf } from '../../../base/events/event.ts';
import type { RecordedRequest } from '../recorded-request.ts';

type Refusal = EventOf<'error.returned'>;

/** Errors that are a normal part of a flow: the client repeats the request (RFC 8628 §3.5, RFC 9449 §8). */
const passing: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down', 'use_dpop_nonce']);

/** The refusal of a request: the last one if there are several. A `cors` refusal counts only if there is no other. */
export function refusalOf({ facts }: RecordedRequest): Refusal | undefined {
  const refusals = facts.filter((fact): fact is Refusal => fact.type === 'error.returned');
  return refusals.findLast(({ form }) => form !== 'cors') ?? refusals.at(-1);
}

/** Whether the sender is expected to try again: a client that polls, or a user who mistyped. */
export function isPassing({ error, reason, endpoint }: Refusal): boolean {
  return (
    passing.has(error) || reason === 'login_failed' || endpoint === 'device_verification' || endpoint === 'approvals'
  );
}

/** Whether a refusal ends the flow. A `cors` refusal does not, because the server answered and only the browser blocked the script. */
export function isFinal(refusal: Refusal): boolean {
  return refusal.form !== 'cors' && !isPassing(refusal);
}
