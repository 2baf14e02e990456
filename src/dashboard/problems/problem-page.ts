import type { ChangeFault } from '../../events/change.ts';
import { type ExplanationView, explanationView } from '../../problems/explanation-view.ts';
import type { Problem } from '../../problems/problem.ts';
import type { Desk } from '../desk.ts';
import { type Moment, momentOf } from '../moment.ts';
import { describe, type EventWords } from '../requests/event-words.ts';
import type { Explained } from './explained-request.ts';
import { problemMarkdown } from './problem-markdown.ts';

/** One problem, explained by one of its occurrences. */
export interface ProblemPage {
  /** `prb_…`, or the request where there is no group. */
  readonly id: string;
  readonly requestId: string;
  readonly explanation: ExplanationView;
  readonly kind: Problem['kind'];
  /** `GET /oauth2/authorize`; empty where the request is forgotten. */
  readonly sentTo: string;
  readonly code: string;
  readonly description: string;
  readonly client_id: string;
  /** 0 where it counts as no problem. */
  readonly count: number;
  readonly last: Moment;
  readonly isByTool: boolean;
  readonly hasFlow: boolean;
  /** The others that are kept, newest first. */
  readonly others: readonly string[];
  readonly markdown: string;
  readonly facts: readonly (EventWords & { readonly at: Moment })[];
  /** What a button has just done, and what makes it permanent. */
  readonly done?: { readonly what: string; readonly lines: string };
  /** Why it could not be done. */
  readonly faults: readonly ChangeFault[];
}

const mostOthers = 20;

export function problemPage(desk: Desk, explained: Explained, faults: readonly ChangeFault[] = []): ProblemPage {
  const { problem, requestId, explanation, error, request } = explained;
  const now = desk.clock();
  const at = error?.at ?? problem?.lastAt ?? now;
  const action = desk.access === 'on' ? `${desk.base}/dashboard/problems/${requestId}/fix` : undefined;
  return {
    id: problem?.id ?? requestId,
    requestId,
    explanation: explanationView(explanation, requestId, action),
    kind: problem?.kind ?? 'refusal',
    sentTo: request === undefined ? '' : `${request.method} ${request.path}`,
    code: problem?.code ?? error?.error ?? '',
    description: error?.description ?? '',
    client_id: problem?.client_id ?? error?.client_id ?? '',
    count: problem?.count ?? 0,
    last: momentOf(at, now),
    isByTool: problem?.isByTool ?? false,
    hasFlow: desk.flows.ofRequest(requestId) !== undefined,
    others: problem?.requestIds.filter(each => each !== requestId).slice(0, mostOthers) ?? [],
    markdown: problemMarkdown(desk, explained),
    facts: desk.events.ofRequest(requestId).map(event => ({ ...describe(event), at: momentOf(event.at, now) })),
    faults,
  };
}

/** After a button: what `?done=client:web` says, as far as there is such a client. */
export function whatWasDone({ control }: Desk, done: string): ProblemPage['done'] {
  const [kind, id] = [done.split(':', 1)[0], done.slice(done.indexOf(':') + 1)];
  if (kind !== 'client' && kind !== 'user') return undefined;
  const entry = kind === 'client' ? control.clientEntry(id) : control.userEntry(id);
  if (entry === undefined) return undefined;
  return { what: `The ${kind} ${id} is changed`, lines: control.configurationLines(kind, id) };
}
