import type { ChangeFault } from '../../events/change.ts';
import { explanationView } from '../../problems/explanation-view.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { describe } from '../requests/event-words.ts';
import type { Explained } from './explained-request.ts';
import { problemMarkdown } from './problem-markdown.ts';

const mostOthers = 20;

/** One problem, explained by one of its occurrences. */
export function problemPage(desk: Desk, explained: Explained, faults: readonly ChangeFault[] = []) {
  const { problem, requestId, explanation, error, request } = explained;
  const now = desk.clock();
  const at = error?.at ?? problem?.lastAt ?? now;
  const action = desk.access === 'on' ? `${desk.base}/dashboard/problems/${requestId}/fix` : undefined;
  return {
    // `prb_…`, or the request where there is no group
    id: problem?.id ?? requestId,
    requestId,
    explanation: explanationView(explanation, requestId, action),
    kind: problem?.kind ?? 'refusal',
    // `GET /oauth2/authorize`; empty where the request is forgotten
    sentTo: request === undefined ? '' : `${request.method} ${request.path}`,
    code: problem?.code ?? error?.error ?? '',
    description: error?.description ?? '',
    client_id: problem?.client_id ?? error?.client_id ?? '',
    // 0 where it counts as no problem
    count: problem?.count ?? 0,
    last: momentOf(at, now),
    isByTool: problem?.isByTool ?? false,
    hasFlow: desk.flows.ofRequest(requestId) !== undefined,
    // the others that are kept, newest first
    others: problem?.requestIds.filter(each => each !== requestId).slice(0, mostOthers) ?? [],
    markdown: problemMarkdown(desk, explained),
    facts: desk.events.ofRequest(requestId).map(event => ({ ...describe(event), at: momentOf(event.at, now) })),
    // why it could not be done
    faults,
  };
}

/** After a button: what `?done=client:web` says, as far as there is such a client. */
export function whatWasDone({ control }: Desk, done: string) {
  const [kind, id] = [done.split(':', 1)[0], done.slice(done.indexOf(':') + 1)];
  if (kind !== 'client' && kind !== 'user') return undefined;
  const entry = kind === 'client' ? control.clientEntry(id) : control.userEntry(id);
  if (entry === undefined) return undefined;
  return { what: `The ${kind} ${id} is changed`, lines: control.configurationLines(kind, id) };
}
