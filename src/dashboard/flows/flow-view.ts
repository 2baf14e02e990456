import type { TokenType } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { duration } from '../../base/text/duration.ts';
import type { Flow, FlowKind, FlowStatus, JoinRule } from '../../record/flows/flow.ts';
import type { LaneId, Sequence, SequenceStep, StepRefusal } from '../../record/flows/sequence.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';

interface StepContext {
  readonly sequence: Sequence;
  readonly events: EventLog;
  readonly describe: PageContext['describe'];
  readonly isOpen: boolean;
  readonly told?: SequenceStep | undefined;
  readonly shows: (step: SequenceStep) => boolean;
  readonly now: number;
  readonly fixOf?: (requestId: string) => string;
}

/** A step as the page draws it. */
export function stepView(step: SequenceStep, context: StepContext) {
  const { number, title, words, why, reference, record } = step;
  const place = (lane: LaneId) => context.sequence.lanes.findIndex(({ id }) => id === lane) + 1;
  const [from, to] = [place(step.from), place(step.to)];
  return {
    number,
    title,
    words,
    why,
    reference,
    // from the left lane to the right one, counted from 1: `2-3`; `2-2` for a step within one lane
    span: `${Math.min(from, to)}-${Math.max(from, to)}`,
    direction: from === to ? 'self' : from < to ? 'right' : 'left',
    // `recorded`, `inferred` or `never-reached`, with `response`, and `refused` or `faulted`
    looks: [step.certainty, ...(step.isResponse ? ['response'] : []), ...troubleOf(step)].join(' '),
    route: routeOf(step, context.sequence),
    // its look in words: `back channel`, `not observed`
    signs: signsOf(step, context.isOpen),
    isOpen: context.shows(step),
    tokens: tokensOn(step, context.events),
    ...(record === undefined ? {} : { recorded: recordedView(record, context, step === context.told) }),
  };
}

/** The class of a step that went wrong. A fault is the work of the user and no mistake of the app. */
function troubleOf({ record }: SequenceStep): readonly string[] {
  if (record === undefined) return [];
  if (record.faults.length > 0) return ['faulted'];
  return record.refusal === undefined || record.refusal.isPassing ? [] : ['refused'];
}

function tokensOn({ record }: SequenceStep, events: EventLog): TokenType[] {
  const types = (record?.facts ?? []).flatMap(fact => {
    const issued = 'tokenId' in fact && fact.tokenId !== undefined ? events.issued(fact.tokenId) : undefined;
    return issued === undefined ? [] : [tokenTypeOf(issued)];
  });
  return [...new Set(types)];
}

function routeOf({ from, to, onwardTo }: SequenceStep, { lanes }: Sequence): string {
  const name = (lane: LaneId) => lanes.find(({ id }) => id === lane)?.name ?? lane;
  if (from === to) return name(from);
  return `${name(from)} to ${name(to)}${onwardTo === undefined ? '' : `, on to ${name(onwardTo)}`}`;
}

function signsOf(step: SequenceStep, isOpen: boolean): string[] {
  if (step.certainty === 'inferred') return ['not observed'];
  if (step.record === undefined) return [isOpen ? 'not yet' : 'never reached'];
  const { refusal, requestIds, joinedBy, actor, status, faults, facts } = step.record;
  const ignored = facts.flatMap(fact => ('ignored' in fact ? fact.ignored : []));
  const unknown = new Set(facts.flatMap(fact => (fact.type === 'token.issued' ? (fact.unknownResources ?? []) : [])));
  return [
    ...(faults.length === 0 ? [] : [faultWords(faults, refusal === undefined ? status : 0)]),
    ...(refusal === undefined ? [] : [`${refusalWord(refusal)}, ${status}`]),
    ...(ignored.length === 0 ? [] : [`ignored: ${ignored.slice(0, mostIgnored).join(' and ')}`]),
    ...[...unknown].slice(0, mostIgnored).map(resource => `nobody configured the API ${resource}`),
    ...(requestIds.length > 1 ? [`${requestIds.length} times`] : []),
    ...(joinedBy === 'inferred' ? ['likely, not certain'] : []),
    channelOf(step),
    ...(actor === 'tool' ? ['by a tool'] : []),
  ];
}

const mostIgnored = 3;

function faultWords(faults: readonly string[], status: number): string {
  return `Fault: ${faults.join(' and ')}${status >= 400 ? `, ${status}` : ''}`;
}

function refusalWord({ isPassing, error }: StepRefusal): string {
  if (!isPassing) return 'refused';
  return error === 'authorization_pending' || error === 'slow_down' ? 'not yet' : 'once more';
}

function channelOf({ isResponse, from, record }: SequenceStep): string {
  if (isResponse) return 'response';
  if (from === 'idp') return 'by this server';
  return record?.channel === 'browser' ? 'from the browser' : `${record?.channel ?? 'back'} channel`;
}

const mostIds = 20;

function recordedView(record: NonNullable<SequenceStep['record']>, context: StepContext, isTold: boolean) {
  const { now, fixOf, describe } = context;
  const { requestId, requestIds, at, milliseconds, status, joinedBy, refusal, facts, groups } = record;
  return {
    requestId,
    status,
    groups,
    isTold,
    requestIds: requestIds.length > 1 ? requestIds.slice(-mostIds) : [],
    at: momentOf(at, now),
    milliseconds: milliseconds.toFixed(milliseconds < 10 ? 1 : 0),
    joined: joinWords[joinedBy],
    isInferred: joinedBy === 'inferred',
    ...(refusal === undefined
      ? {}
      : { refusal: { ...refusal, word: refusalWord(refusal), fix: isTold ? '' : (fixOf?.(requestId) ?? '') } }),
    happened: facts.map(fact => {
      const { title, tokenId, decide } = describe(fact);
      return {
        title,
        tokenId,
        ...(decide === undefined ? {} : { decide: decide.href }),
      };
    }),
  };
}

const statusClass: Readonly<Record<FlowStatus, string>> = {
  open: 'info',
  ok: 'ok',
  failed: 'err',
  abandoned: 'warn',
};

/**
 * The outcome of a flow: its status, unless that would blame the app: `denied` if the user refused, `fault` if a fault
 * ended it, and a logout of nobody.
 */
export function outcomeOf(flow: Flow): { readonly word: string; readonly look: string } {
  const { status, steps } = flow;
  const refusal = steps.findLast(step => step.refusal !== undefined)?.refusal;
  if (status === 'failed' && refusal?.reason === userDenied) return { word: 'denied', look: '' };
  if (status !== 'ok' && steps.at(-1)?.faults !== undefined) return { word: 'fault', look: 'warn' };
  if (isLogoutOfNobody(flow)) return { word: 'nobody was signed in', look: '' };
  return { word: status, look: statusClass[status] };
}

function isLogoutOfNobody({ kind, status, sid, incomplete }: Flow): boolean {
  return kind === 'logout' && status === 'ok' && sid === undefined && !incomplete;
}

/** Reason of a refusal that a user chose on a page of the sandbox. */
const userDenied = 'user_denied';

const joinWords: Readonly<Record<JoinRule, string>> = {
  first: '',
  code: 'Matched to this flow by its code.',
  state: 'Matched to this flow by the same authorization request.',
  request_uri: 'Matched to this flow by its request_uri.',
  device_code: 'Matched to this flow by its device code or user code.',
  auth_req_id: 'Matched to this flow by its auth_req_id.',
  refresh_token: 'Matched to this flow by its refresh token.',
  jti: 'Matched to this flow by the jti of its token.',
  token: 'Matched to this flow by its token.',
  session: 'Matched to this flow by its session cookie.',
  caller: 'Matched to this flow by its caller: the same address and User-Agent a moment earlier.',
  inferred: 'Probably part of this flow: the same client or caller a moment earlier. Nothing in the request proves it.',
};

const askAgain = 'The client has not tried again.';

const waits: Readonly<Partial<Record<FlowKind, string>>> = {
  device: 'The user has not decided about the device yet.',
  ciba: 'The user has not decided yet.',
  logout: 'The user has not confirmed the logout yet.',
  client_credentials: askAgain,
  password: askAgain,
  token_exchange: askAgain,
  jwt_bearer: askAgain,
  refresh_token: askAgain,
};

/** A sentence about the status of a flow, with the faults it met; empty if the word alone is clear. */
export function statusSentence(flow: Flow): string {
  return [faultSentence(flow), ownSentence(flow)].filter(sentence => sentence !== '').join(' ');
}

function faultSentence({ steps }: Flow): string {
  const faults = new Set(steps.flatMap(step => step.faults ?? []));
  return faults.size === 0
    ? ''
    : `Made to fail on purpose (${faults.size === 1 ? 'fault' : 'faults'} ${[...faults].join(', ')}).`;
}

function ownSentence({ kind, status, tokenIds }: Flow): string {
  if (status === 'open') {
    return (
      waits[kind] ??
      (tokenIds.length > 0 ? 'The code has not been redeemed yet.' : 'The login page is open and waits for a user.')
    );
  }
  if (status !== 'abandoned') return '';
  if (kind === 'device' || kind === 'ciba') return 'The user did not decide before the request expired.';
  if (waits[kind] === askAgain) return 'The client did not try again.';
  return tokenIds.length > 0
    ? 'The code was never redeemed. The callback of the app probably did not run, or threw an error.'
    : 'The user did not continue from the page that was shown.';
}

/** From the first request to the last: `42 ms`, `1.2 s`. */
export function tookWords({ startedAt, lastAt }: Pick<Flow, 'startedAt' | 'lastAt'>): string {
  const seconds = lastAt - startedAt;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : duration(seconds);
}
