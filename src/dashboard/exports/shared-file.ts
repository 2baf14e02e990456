import type { Flow } from '../../flows/flow.ts';
import type { Desk } from '../desk.ts';
import { explainedRequest } from '../problems/explained-request.ts';

/** The content of the file that *Share* on a page of a problem downloads. */
interface SharedFile {
  /** The id of the problem, or of a refused request that is not in the list of problems. */
  readonly id: string;
  readonly flows: readonly Flow[];
  /** Oldest first. */
  readonly requestIds: readonly string[];
}

/** The most flows of a problem in a file. */
const mostFlows = 20;

/** The newest flows with a problem, and its requests without a flow; undefined if the history does not have the problem. */
export function sharedFile(desk: Desk, id: string): SharedFile | undefined {
  const explained = explainedRequest(desk, id);
  if (explained === undefined) return undefined;
  const { problem, requestId } = explained;
  const occurrences = [...new Set([requestId, ...(problem?.requestIds ?? [])])];
  const all = occurrences.flatMap(each => desk.flows.ofRequest(each) ?? []);
  const flows = [...new Map(all.map(flow => [flow.id, flow])).values()].slice(0, mostFlows);
  const inFlows = flows.flatMap(({ steps }) => steps.map(step => step.requestId));
  const loose = occurrences.filter(each => desk.flows.ofRequest(each) === undefined).slice(0, mostFlows);
  const requestIds = inOrder(desk, [...new Set([...inFlows, ...loose])]);
  return { id: problem?.id ?? requestId, flows, requestIds };
}

function inOrder({ events }: Desk, requestIds: readonly string[]): readonly string[] {
  const placeOf = (requestId: string) => events.ofRequest(requestId).at(-1)?.id ?? 0;
  return requestIds.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The name of the downloaded file, and the command that opens it. */
export function shareOf({ base }: Desk, address: string, id: string) {
  return { href: `${base}/dashboard/${address}/export/json`, command: `npx grantbox open grantbox-${id}.json` };
}
