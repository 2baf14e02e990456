import { clientClosedRequest } from '../base/events/event.ts';
import type { Known } from '../record/problems/known.ts';
import { isChallenge, isOrdinary, purposeOf } from '../record/problems/on-purpose.ts';
import type { Refusal } from '../record/problems/problem.ts';

/** A request that is over, as the list or as a step of a flow. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly status: number;
  readonly faults?: readonly string[] | undefined;
}

/**
 * Why a response is no plain success. `own`: the user armed a fault, minted a token with a defect or moved the clock. `normal`: a
 * refusal that belongs to the protocol, such as a pending poll. `refused`: the app made a mistake.
 */
export type Trouble = 'own' | 'normal' | 'refused';

/** The trouble of a response; undefined for none. */
export function troubleOf(
  known: Known,
  { status, faults }: AnsweredRequest,
  refusal: Refusal | undefined,
): Trouble | undefined {
  if (faults !== undefined) return 'own';
  if (refusal === undefined) return status === clientClosedRequest ? 'normal' : undefined;
  if (purposeOf(known, refusal) !== undefined) return 'own';
  const { error } = refusal;
  return isOrdinary(error) || isChallenge(error) || error.error === 'slow_down' ? 'normal' : 'refused';
}

/** The class of a status badge, by trouble and then by the first digit of the status. */
const looks: Readonly<Record<string, string>> = { own: 'own', normal: '', 3: 's3', 4: 's4', 5: 's5' };

/** The status badge of a response, for `partials/status`. */
export function badgeOf({ status }: Pick<AnsweredRequest, 'status'>, trouble: Trouble | undefined) {
  const kind = trouble === undefined || trouble === 'refused' ? Math.floor(status / 100) : trouble;
  return { status, look: looks[kind] ?? '' };
}

/** The same for a request of the log. */
export function statusBadge(known: Known, answered: AnsweredRequest) {
  const error = known.events.ofRequest(answered.requestId).find(event => event.type === 'error.returned');
  return badgeOf(answered, troubleOf(known, answered, error === undefined ? undefined : { error }));
}
