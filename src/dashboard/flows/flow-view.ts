import type { TokenType } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { duration } from '../../base/text/duration.ts';
import type { Flow, JoinRule } from '../../record/flows/flow.ts';
import type { FlowState } from '../../record/flows/flow-state.ts';
import type { LaneId, Sequence, SequenceStep, StepRefusal } from '../../record/flows/sequence.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { badgeOf, type Trouble } from '../status-badge.ts';

interface StepContext {
  readonly sequence: Sequence;
  readonly events: EventLog;
  readonly describe: PageContext['describe'];
  readonly isOpen: boolean;
  readonly told?: SequenceStep | undefined;
  readonly shows: (step: SequenceStep) => boolean;
  readonly now: number;
  /** The title and the first fix of a refusal; absent where no explanation is shown. */
  readonly explain?: (requestId: string) => { readonly title: string; readonly fix: string };
}

/** A step as the page draws it. */
export function stepView(step: SequenceStep, context: StepContext) {
  const { number, title, words, why, reference, record } = step;
  const place = (lane: LaneId) => context.sequence.lanes.findIndex(({ id }) => id === lane) + 1;
  const [from, to] = [place(step.from), place(step.to)];
  const badge = record === undefined ? undefined : badgeOf(record, troubleIn(record));
  const answer = badge === undefined || !step.isResponse ? undefined : afterStatus(title, badge.status);
  return {
    number,
    title,
    // the badge of a response, and its title without the status
    badge: answer === undefined ? undefined : badge,
    rest: answer ?? title,
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

function afterStatus(title: string, status: number): string | undefined {
  return title.startsWith(`${status} `) ? title.slice(String(status).length + 1) : undefined;
}

function troubleIn({ faults, refusal }: NonNullable<SequenceStep['record']>): Trouble | undefined {
  if (faults.length > 0) return 'own';
  if (refusal === undefined) return undefined;
  return refusal.isPassing ? 'normal' : 'refused';
}

/** The class of a step that went wrong. A fault is the work of the user and no mistake of the app. */
function troubleOf({ record }: SequenceStep): readonly string[] {
  const looks = { own: ['faulted'], refused: ['refused'], normal: [] } as const;
  const trouble = record && troubleIn(record);
  return trouble === undefined ? [] : looks[trouble];
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
  const { now, explain, describe } = context;
  const { requestId, requestIds, at, milliseconds, joinedBy, refusal, facts, groups } = record;
  return {
    requestId,
    badge: badgeOf(record, troubleIn(record)),
    groups,
    isTold,
    requestIds: requestIds.length > 1 ? requestIds.slice(-mostIds) : [],
    at: momentOf(at, now),
    milliseconds: milliseconds.toFixed(milliseconds < 10 ? 1 : 0),
    joined: joinWords[joinedBy],
    isInferred: joinedBy === 'inferred',
    ...(refusal === undefined
      ? {}
      : {
          refusal: {
            ...refusal,
            word: refusalWord(refusal),
            ...(explain?.(requestId) ?? { title: refusal.description, fix: '' }),
          },
        }),
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

/** A state as the partial `flow-state` shows it: `time` is how long it has lasted, for pages without scripts. */
export function stateView(state: FlowState, now: number) {
  const { wait, words, detail } = state;
  const time = wait?.since === undefined ? '' : ` (${duration(now - wait.since)})`;
  return { ...state, time, title: detail === '' ? words : `${words}. ${detail}` };
}

/** From the first request to the last: `42 ms`, `1.2 s`. */
export function tookWords({ startedAt, lastAt }: Pick<Flow, 'startedAt' | 'lastAt'>): string {
  const seconds = lastAt - startedAt;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : duration(seconds);
}
