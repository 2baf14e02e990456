import type { Flow } from '../../record/flows/flow.ts';
import { explainedRequest } from '../../record/problems/explained-request.ts';
import type { Desk } from '../desk.ts';

/** The most flows of a problem in a file. */
const mostFlows = 20;

/** The newest flows that are searched for those of a client. */
const mostSearched = 200;

function isOf(client: string | undefined): (flow: Flow) => boolean {
  return ({ client_id, kind }) => client !== undefined && client_id === client && kind !== 'setup';
}

/**
 * The content of the file that *Share* on a page of a problem downloads: the newest flows with the problem, and its requests without a
 * flow; undefined if the history does not have the problem.
 */
export function sharedFile(desk: Desk, id: string) {
  const explained = explainedRequest(desk, id);
  if (explained === undefined) return undefined;
  const { problem, requestId } = explained;
  const occurrences = [...new Set([requestId, ...(problem?.requestIds ?? [])])];
  // a failure without a refusal shows in several logins of its client
  const logins = problem?.kind === 'silent' ? desk.flows.latest(mostSearched).filter(isOf(problem.client_id)) : [];
  const all = [...occurrences.flatMap(each => desk.flows.ofRequest(each) ?? []), ...logins];
  const flows = [...new Map(all.map(flow => [flow.id, flow])).values()].slice(0, mostFlows);
  const inFlows = flows.flatMap(({ steps }) => steps.map(step => step.requestId));
  const loose = occurrences.filter(each => desk.flows.ofRequest(each) === undefined).slice(0, mostFlows);
  const requestIds = inOrder(desk, [...new Set([...inFlows, ...loose])]);
  // a refused request that is not in the list of problems has only the id of the request
  return { id: problem?.id ?? requestId, flows, requestIds };
}

function inOrder({ events }: Desk, requestIds: readonly string[]): readonly string[] {
  const placeOf = (requestId: string) => events.ofRequest(requestId).at(-1)?.id ?? 0;
  return requestIds.toSorted((a, b) => placeOf(a) - placeOf(b));
}
