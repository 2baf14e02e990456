import { clientClosedRequest } from '../../base/events/event.ts';
import { age } from '../../base/text/duration.ts';
import { cut } from '../../base/text/words.ts';
import type { Flow } from '../../record/flows/flow.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import { titleOf } from '../../record/problems/explain.ts';
import { catalogue } from '../../server/faults/catalogue.ts';
import { flowName } from '../flows/flow-name.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { badgeOf, type Trouble, troubleOf } from '../status-badge.ts';
import type { RequestFacts } from './request-facts.ts';

const longestPath = 60;
/** Shorter texts fit into each width. */
const shortest = 20;
const longestName = 32;
const longestLine = 100;

/** The rows of requests, newest first. The newest row of each flow has its name. */
export function rowsOf(context: PageContext, shown: readonly Completed[], factsOf: (event: Completed) => RequestFacts) {
  const named = new Set<string>();
  return shown.map(event => {
    const facts = factsOf(event);
    const trouble = troubleOf(context, event, facts.refused);
    const { id = '' } = facts.flow ?? {};
    const isNamed = !named.has(id);
    named.add(id);
    return {
      ...toRow(event, facts, context.clock()),
      badge: badgeOf(event, trouble),
      line: lineOf(context, event, facts, trouble),
      ...flowOf(facts, isNamed),
    };
  });
}

function toRow(event: Completed, facts: RequestFacts, now: number) {
  return {
    eventId: event.id,
    requestId: event.requestId,
    at: momentOf(event.at, now),
    age: age(event.at - now),
    method: event.method,
    path: cut(event.path, longestPath),
    // for a pointer on a path that does not fit
    title: event.path.length > shortest ? cut(event.path, 100) : '',
    note: facts.replayOf === undefined ? noteOf(facts) : 'replay',
    client_id: cut(facts.client_id ?? '', longestName),
    sub: cut(facts.sub ?? '', longestName),
    milliseconds: event.milliseconds.toFixed(event.milliseconds < 10 ? 1 : 0),
  };
}

const grants: Readonly<Record<string, string>> = { authorization_code: 'code', refresh_token: 'refresh' };

/** Stands behind the path: the grant of a token request, or `PKCE` for an authorization request with a code_challenge. */
function noteOf({ grant_type, happened }: RequestFacts): string {
  if (grant_type !== undefined) return grants[grant_type] ?? '';
  const isPkce = happened.some(each => each.type === 'authorization.requested' && each.code_challenge_method);
  return isPkce ? 'PKCE' : '';
}

/** Flows are told apart by one of these many colours. */
const railColours = 6;

function flowOf({ flow }: RequestFacts, isNamed: boolean) {
  // requests of all apps for metadata and keys are no flow that anybody follows
  if (flow === undefined || flow.kind === 'setup') return {};
  const { id, kind, sub } = flow;
  const isGrey = sub === undefined && kind !== 'client_credentials' && kind !== 'device';
  return { flow: { id, rail: isGrey ? 0 : railOf(id), name: isNamed ? flowName(flow) : '' } };
}

function railOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return 1 + (sum % railColours);
}

/** The sentence below a row; undefined for a plain success. */
function lineOf(context: PageContext, event: Completed, facts: RequestFacts, trouble: Trouble | undefined) {
  if (trouble === undefined) return undefined;
  return { look: trouble, text: cut(sentenceOf(context, event, facts).replaceAll('`', ''), longestLine) };
}

function sentenceOf(context: PageContext, event: Completed, { refused, flow }: RequestFacts): string {
  if (event.faults !== undefined) return `Your fault: ${event.faults.map(faultName).join(', ')}.`;
  if (event.status === clientClosedRequest) return 'The client hung up before the response.';
  if (refused === undefined) return '';
  const { error } = refused.error;
  if (error !== 'authorization_pending' && error !== 'slow_down') return titleOf(context, refused);
  const asked = flow === undefined ? 1 : pollsUntil(flow, event.requestId);
  const times = asked > 1 ? ` Asked ${asked} times.` : '';
  return error === 'slow_down'
    ? `Slow down: asked again too soon.${times}`
    : `Pending: ${waitsFor(context, flow)}.${times}`;
}

function faultName(fault: string): string {
  return `${catalogue.get(fault)?.title ?? fault} (${fault})`;
}

function pollsUntil({ steps }: Flow, requestId: string): number {
  const at = steps.findIndex(step => step.requestId === requestId);
  return steps.slice(0, at + 1).filter(({ refusal }) => polls.has(refusal?.error ?? '')).length;
}

const polls: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down']);

function waitsFor({ events }: PageContext, flow: Flow | undefined): string {
  const first = flow?.steps[0]?.requestId;
  const device = first && events.ofRequest(first).find(event => event.type === 'device.requested');
  return device ? `waits for someone to enter ${device.user_code}` : 'the user has not decided yet';
}
