import type { ChangeFault } from '../../base/events/change.ts';
import type { Explained } from '../../record/problems/explained-request.ts';
import { explanationView } from '../../record/problems/explanation-view.ts';
import { describe } from '../../record/words/event-words.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { shareOf } from '../share.ts';
import { problemMarkdown } from './problem-markdown.ts';

const mostOthers = 20;

/** One problem, explained with one of its occurrences. */
export function problemPage(desk: Desk, explained: Explained, faults: readonly ChangeFault[] = []) {
  const { problem, requestId, explanation, error, request } = explained;
  const now = desk.clock();
  const at = error?.at ?? problem?.lastAt ?? now;
  const action = desk.access === 'on' ? `${desk.base}/dashboard/problems/${requestId}/fix` : undefined;
  return {
    // `prb_…`, or the id of the request without a group
    id: problem?.id ?? requestId,
    requestId,
    explanation: explanationView(explanation, requestId, action),
    kind: problem?.kind ?? 'refusal',
    // `GET /oauth2/authorize`; empty if the history has dropped the request
    sentTo: request === undefined ? '' : `${request.method} ${request.path}`,
    code: problem?.code ?? error?.error ?? '',
    description: error?.description ?? '',
    client_id: problem?.client_id ?? error?.client_id ?? '',
    // 0 if it does not count as a problem
    count: problem?.count ?? 0,
    last: momentOf(at, now),
    isByTool: problem?.isByTool ?? false,
    hasFlow: desk.flows.ofRequest(requestId) !== undefined,
    // the other occurrences in the history, newest first
    others: problem?.requestIds.filter(each => each !== requestId).slice(0, mostOthers) ?? [],
    share: shareOf(desk, 'problem', problem?.id ?? requestId),
    markdown: problemMarkdown(desk, explained),
    facts: desk.events.ofRequest(requestId).map(event => ({ ...describe(event), at: momentOf(event.at, now) })),
    // why the fix could not be applied
    faults,
  };
}

/** The message after a fix: `?done=client:web`, if that client exists. */
export function whatWasDone({ control }: Desk, done: string) {
  const [kind, id] = [done.split(':', 1)[0], done.slice(done.indexOf(':') + 1)];
  if (kind !== 'client' && kind !== 'user') return undefined;
  const entry = kind === 'client' ? control.clientEntry(id) : control.userEntry(id);
  if (entry === undefined) return undefined;
  return { what: `The ${kind} ${id} was changed`, lines: control.configurationLines(kind, id) };
}
