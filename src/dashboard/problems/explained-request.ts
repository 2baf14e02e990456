import { defined } from '../../base/defined.ts';
import type { EventOf } from '../../base/events/event.ts';
import { explainRefusal } from '../../record/problems/explain.ts';
import { exchangeOf } from '../../record/problems/history.ts';
import type { Explanation, Problem } from '../../record/problems/problem.ts';
import type { Desk } from '../desk.ts';

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
export function explainedRequest(desk: Desk, id: string): Explained | undefined {
  const { problems } = desk;
  const problem = problems.find(id) ?? problems.ofRequest(id);
  const requestId = problem === undefined || problem.requestIds.includes(id) ? id : problem.requestId;
  if (problem === undefined) return refusalAlone(desk, requestId);
  return {
    problem,
    requestId,
    explanation: problems.explain(problem, requestId),
    ...recorded(desk, requestId, problem.reason),
  };
}

/** An occurrence in no group: too old for its group, or nothing to fix. */
function refusalAlone(desk: Desk, requestId: string): Explained | undefined {
  const { error, request } = recorded(desk, requestId);
  if (error === undefined) return undefined;
  const refusal = request === undefined ? { error } : { error, request };
  return { explanation: explainRefusal(desk, refusal), requestId, ...refusal };
}

function recorded(desk: Desk, requestId: string, reason?: string): Pick<Explained, 'error' | 'request'> {
  const errors = desk.events.ofRequest(requestId).filter(event => event.type === 'error.returned');
  const error = errors.find(event => event.reason === reason) ?? errors.at(-1);
  const request = exchangeOf(desk, requestId);
  return { ...defined({ error, request }) };
}
