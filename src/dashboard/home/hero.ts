import { cut } from '../../base/text/words.ts';
import { displayName } from '../../protocol/users/user.ts';
import { type Flow, type FlowKind, flowKindWords } from '../../record/flows/flow.ts';
import { stateOf } from '../../record/flows/flow-state.ts';
import { type Sequence, type SequenceStep, sequenceOf } from '../../record/flows/sequence.ts';
import { accountOf, registeredClient } from '../clients-and-users.ts';
import { stepView, tookWords } from '../flows/flow-view.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';

type Recorded = Pick<PageContext, 'events' | 'describe' | 'flows' | 'registered' | 'accounts'>;

const mostFlows = 50;
const signIns: ReadonlySet<FlowKind> = new Set([
  'authorization_code',
  'implicit',
  'hybrid',
  'device',
  'ciba',
  'password',
]);

/**
 * The newest sign-in with its last steps and a verdict. Without a sign-in it is the newest flow, but never one of requests for
 * metadata and keys alone; undefined before the first flow.
 */
export function newestSignIn(context: Recorded, now: number) {
  const { events, flows } = context;
  const newest = flows.latest(mostFlows);
  const [login] = events.latest('login.succeeded', 1);
  const flow =
    newest.find(({ kind }) => signIns.has(kind)) ??
    (login && flows.ofRequest(login.requestId)) ??
    newest.find(({ kind }) => kind !== 'setup');
  if (flow === undefined) return undefined;
  const last = momentOf(flow.lastAt, now);
  return { id: flow.id, took: tookWords(flow), last, ...verdictOf(context, flow), ...lastSteps(context, flow, now) };
}

const mostSteps = 3;

function lastSteps(context: Recorded, flow: Flow, now: number) {
  const sequence = sequenceOf(flow, context.events);
  const drawing = { ...context, sequence, isOpen: flow.status === 'open', shows: () => false, now };
  const steps = stepsThatTell(sequence).slice(-mostSteps);
  return { lanes: sequence.lanes, steps: steps.map(step => shortStep(stepView(step, drawing))) };
}

function stepsThatTell({ steps, reached }: Sequence): SequenceStep[] {
  return steps.filter(
    ({ number, certainty, from, to }) => certainty !== 'inferred' && from !== to && number <= reached + 1,
  );
}

/** Uses only the status as title of an answer, because badges name its tokens. */
function shortStep(step: ReturnType<typeof stepView>) {
  const isTokenAnswer = step.tokens.length > 0 && step.badge?.status === 200;
  return isTokenAnswer ? { ...step, title: '200', rest: '' } : step;
}

const longest = 40;

type Names = Pick<Recorded, 'registered' | 'accounts'>;

/** The end of a flow in words: `Alice signed in to Demo front end, called the API 2 times.` */
export function verdictOf(context: Names, flow: Flow) {
  const { kind, status } = flow;
  const { words, look } = stateOf(flow);
  const done = status === 'ok' ? doneWords(context, flow) : undefined;
  return {
    verdict: `${done ?? stateWords(context, flow, signIns.has(kind) ? `. ${words}` : `, ${lower(words)}`)}.`,
    look,
  };
}

function doneWords(context: Names, { kind, client_id, sub, sid, steps }: Flow): string | undefined {
  const app = client_id === undefined ? 'an app' : appName(context, client_id);
  const who = sub === undefined ? 'Somebody' : userName(context, sub);
  if (signIns.has(kind)) return `${who} signed in to ${app}${usesOf(steps)}`;
  if (kind === 'client_credentials') return `${app} got a token for itself${usesOf(steps)}`;
  return kind === 'logout' && sid !== undefined ? `${who} signed out of ${app}` : undefined;
}

function stateWords(context: Names, { kind, client_id, sub }: Flow, state: string): string {
  const app = client_id === undefined ? undefined : appName(context, client_id);
  if (!signIns.has(kind)) return `${flowKindWords[kind]}${app === undefined ? '' : ` of ${app}`}${state}`;
  const who = sub === undefined ? '' : ` of ${userName(context, sub)}`;
  return `Sign-in${who} to ${app ?? 'an app'}${state}`;
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function usesOf(steps: Flow['steps']): string {
  const done = steps.filter(({ status, faults }) => status < 400 && faults === undefined);
  const calls = done.filter(({ endpoint, method }) => endpoint === 'api' && method !== 'OPTIONS').length;
  const refreshes = done.filter(
    ({ endpoint, joinedBy }) => endpoint === 'token' && joinedBy === 'refresh_token',
  ).length;
  return [times('called the API', calls), times('refreshed', refreshes)].join('');
}

function times(words: string, count: number): string {
  if (count === 0) return '';
  return count === 1 ? `, ${words} once` : `, ${words} ${count} times`;
}

/** The name of an app, or its client_id where it has none. */
export function appName(context: Pick<Recorded, 'registered'>, client_id: string): string {
  return cut(registeredClient(context, client_id)?.client_name ?? client_id, longest);
}

/** The first word of a user's name, or the `sub` of a user who is gone. */
export function userName(context: Pick<Recorded, 'accounts'>, sub: string): string {
  const user = accountOf(context, sub);
  return cut(user === undefined ? sub : (displayName(user).split(' ')[0] ?? sub), longest);
}
