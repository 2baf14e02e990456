import { clientClosedRequest } from '../../base/events/event.ts';
import { cut } from '../../base/text/words.ts';
import type { Flow } from '../../record/flows/flow.ts';
import { stateOf, stateSentence } from '../../record/flows/flow-state.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import { explainedRequest, explanationView } from '../../record/problems/explain.ts';
import type { ProposedFix } from '../../record/problems/problem.ts';
import { withValue } from '../filter-box.ts';
import { flowName } from '../flows/flow-name.ts';
import type { PageContext } from '../page.ts';
import { whatWasDone } from '../problems/problem-pages.ts';
import { statusBadge } from '../status-badge.ts';
import { masked, maskFor, requestPage } from './request-view.ts';

interface PaneOptions {
  /** Whether secrets are masked. */
  readonly hidden: boolean;
  /** The filter and the page of the list that the pane stands beside. */
  readonly list: URLSearchParams;
  /** `client:web`, if a fix in this pane changed that client; empty for none. */
  readonly done: string;
}

/** The pane of a request beside the list; undefined if the history does not have it. */
export function requestPane(context: PageContext, requestId: string, { hidden, list, done }: PaneOptions) {
  const page = requestPage(context, requestId, hidden);
  const completed = context.events.ofRequest(requestId).find(event => event.type === 'request.completed');
  if (page?.wire === undefined || completed === undefined) return undefined;
  const { wire } = page;
  const { flow, client_id, sub } = wire;
  const at = `${context.base}/dashboard/requests`;
  const query = list.get('q') ?? '';
  return {
    page,
    wire,
    badge: statusBadge(context, completed),
    method: completed.method,
    path: cut(completed.path, longestPath),
    took: tookWords(completed),
    address: `${at}/${requestId}`,
    // the list without the pane
    closed: list.size === 0 ? at : `${at}?${list}`,
    list: String(list),
    done: whatWasDone(context, done),
    explained: explanationOf(context, completed, { hidden, list }),
    filters: [
      ['client', client_id] as const,
      ['user', sub] as const,
      ['endpoint', completed.endpoint] as const,
      ['status', String(completed.status)] as const,
    ].flatMap(([name, value]) => {
      const href = value === '' ? undefined : withValue(at, query, name, value);
      return href === undefined ? [] : [{ term: `${name}:${value}`, href }];
    }),
    ...(flow === undefined ? {} : { flow: flowPart(context, flow, requestId) }),
  };
}

const longestPath = 400;

function tookWords({ status, milliseconds }: Completed): string {
  const took = `${milliseconds.toFixed(1)} ms`;
  return status === clientClosedRequest ? `hung up after ${took}` : took;
}

function explanationOf(
  context: PageContext,
  { requestId, exchange }: Completed,
  { hidden, list }: Pick<PaneOptions, 'hidden' | 'list'>,
) {
  const explained = explainedRequest(context, requestId);
  if (explained === undefined) return undefined;
  const action = `${context.base}/dashboard/problems/${requestId}/fix?${new URLSearchParams([['pane', '1'], ...list])}`;
  const { explanation } = explained;
  const fixes = explanation.fixes.map(staying);
  const view = explanationView({ ...explanation, fixes }, requestId, context.access === 'on' ? action : undefined);
  return hidden ? masked(view, maskFor(exchange)) : view;
}

/** The list cannot lead on to the app: its policy allows forms to this server only. */
function staying(fix: ProposedFix): ProposedFix {
  if (!fix.apply?.thenContinue) return fix;
  return { ...fix, apply: { ...fix.apply, label: fix.apply.label.replace(/ and continue the [\w-]+$/, '') } };
}

const mostSteps = 40;

function flowPart(context: PageContext, flow: Flow, requestId: string) {
  const steps = flow.steps.slice(-mostSteps);
  return {
    id: flow.id,
    name: flowName(flow),
    state: stateOf(flow),
    sentence: stateSentence(flow),
    earlier: flow.steps.length - steps.length,
    steps: steps.map(step => ({
      requestId: step.requestId,
      badge: statusBadge(context, step),
      method: step.method,
      path: cut(step.path, longestPath),
      isThis: step.requestId === requestId,
    })),
  };
}
