import { defined } from '../../base/defined.ts';
import type { EventOf } from '../../base/events/event.ts';
import { explainRefusal } from './explain.ts';
import { exchangeOf } from './history.ts';
import type { Known } from './known.ts';
import type { Explanation, Problem, ProblemIndex } from './problem.ts';

/** One occurrence of a problem, explained. */
export interface Explained {
  /** Absent for a refusal that is an expected part of the protocol, such as `authorization_pending`. */
  readonly problem?: Problem;
  readonly explanation: Explanation;
  readonly requestId: string;
  readonly error?: EventOf<'error.returned'>;
  readonly request?: EventOf<'request.completed'>;
}

/** `prb_…` gives the newest occurrence, `req_…` the one of that request; undefined if the log does not have it. */
export function explainedRequest(
  known: Known & { readonly problems: ProblemIndex },
  id: string,
): Explained | undefined {
  const { problems } = known;
  const problem = problems.find(id) ?? problems.ofRequest(id);
  const requestId = problem === undefined || problem.requestIds.includes(id) ? id : problem.requestId;
  if (problem === undefined) return refusalAlone(known, requestId);
  return {
    problem,
    requestId,
    explanation: problems.explain(problem, requestId),
    ...recorded(known, requestId, problem.reason),
  };
}

/** An occurrence in no group: too old for its group, or nothing to fix. */
function refusalAlone(known: Known, requestId: string): Explained | undefined {
  const { error, request } = recorded(known, requestId);
  if (error === undefined) return undefined;
  const refusal = request === undefined ? { error } : { error, request };
  return { explanation: explainRefusal(known, refusal), requestId, ...refusal };
}

function recorded(
  known: Pick<Known, 'events'>,
  requestId: string,
  reason?: string,
): Pick<Explained, 'error' | 'request'> {
  const errors = known.events.ofRequest(requestId).filter(event => event.type === 'error.returned');
  const error = errors.find(event => event.reason === reason) ?? errors.at(-1);
  const request = exchangeOf(known, requestId);
  return { ...defined({ error, request }) };
}
