import { CommandFailure } from '../../../client/cli/command.ts';
import type { FileRequest, FileSession } from '../session-schema.ts';

type FileFlow = FileSession['flows'][number];
type FileProblem = NonNullable<FileSession['problems']>[number];

/** The part of a session that a test repeats. */
export interface ChosenPart {
  /** The flow or the problem, in words. */
  readonly title: string;
  /** Oldest first. */
  readonly requests: readonly FileRequest[];
  readonly flow?: FileFlow;
  readonly problem?: FileProblem;
}

/** The id of a problem or a flow; absent: the newest problem, or else the newest flow that failed. */
export interface WantedPart {
  readonly problem?: string;
  readonly flow?: string;
}

/** @throws CommandFailure if the session lacks what is wanted */
export function choose(session: FileSession, { problem: problemId, flow: flowId }: WantedPart): ChosenPart {
  const { flows, problems = [] } = session;
  if (flowId !== undefined) return ofFlow(session, found(flows, flowId, 'flow'));
  if (problemId !== undefined) return ofProblem(session, found(problems, problemId, 'problem'));
  const [newest] = problems;
  if (newest !== undefined) return ofProblem(session, newest);
  const failed = flows.find(({ status }) => status === 'failed');
  if (failed !== undefined) return ofFlow(session, failed);
  throw new CommandFailure(`the file has no problem and no flow that failed. ${listed(flows, 'flow')}`);
}

function found<T extends { readonly id: string }>(all: readonly T[], id: string, kind: 'flow' | 'problem'): T {
  const one = all.find(each => each.id === id);
  if (one !== undefined) return one;
  throw new CommandFailure(`the file has no ${kind} ${JSON.stringify(id)}. ${listed(all, kind)}`);
}

const mostListed = 10;

function listed(all: readonly { readonly id: string }[], kind: string): string {
  if (all.length === 0) return `It has no ${kind}s at all.`;
  const ids = all.slice(0, mostListed).map(({ id }) => id);
  return `Name one with --${kind}: ${ids.join(', ')}${all.length > mostListed ? ' …' : ''}`;
}

function ofFlow(session: FileSession, flow: FileFlow): ChosenPart {
  const ids = new Set(flow.steps.map(({ requestId }) => requestId));
  const problem = session.problems?.find(({ requestIds }) => requestIds.some(id => ids.has(id)));
  const requests = session.requests.filter(({ requestId }) => ids.has(requestId));
  const title = problem?.title ?? `${flow.kind} of ${flow.client_id ?? 'an unknown client'}`;
  return { title, requests, flow, problem };
}

/** Failures without a refusal that a repetition shows at once; others need a wait. */
const shownAtOnce: ReadonlySet<string> = new Set(['state_reused', 'login_unprotected']);

function ofProblem(session: FileSession, problem: FileProblem): ChosenPart {
  const isSilent = problem.kind === 'silent';
  if (isSilent && !shownAtOnce.has(problem.reason))
    throw new CommandFailure(
      `the problem ${problem.id} (${problem.reason}) is a silence: no request was refused, so that a test has nothing to repeat. Name a different one with --problem or --flow`,
    );
  if (isSilent) return ofLogins(session, problem);
  const flow = flowOf(session, problem.requestId);
  const ids = new Set([problem.requestId, ...(flow?.steps ?? []).map(({ requestId }) => requestId)]);
  const requests = upTo(
    session.requests.filter(({ requestId }) => ids.has(requestId)),
    problem.requestId,
  );
  return { title: problem.title, requests, problem, flow };
}

/** A failure without a refusal shows in the logins of its client together. */
function ofLogins({ flows, requests }: FileSession, problem: FileProblem): ChosenPart {
  const logins = flows.filter(({ kind, client_id }) => kind !== 'setup' && client_id === problem.client_id);
  const ids = new Set(logins.flatMap(({ steps }) => steps.map(({ requestId }) => requestId)));
  return { title: problem.title, requests: requests.filter(({ requestId }) => ids.has(requestId)), problem };
}

/** Requests after the refused one belong to another attempt. */
function upTo(requests: readonly FileRequest[], last: string): readonly FileRequest[] {
  const end = requests.findIndex(({ requestId }) => requestId === last);
  return end === -1 ? requests : requests.slice(0, end + 1);
}

function flowOf({ flows }: FileSession, requestId: string): FileFlow | undefined {
  return flows.find(({ steps }) => steps.some(step => step.requestId === requestId));
}
