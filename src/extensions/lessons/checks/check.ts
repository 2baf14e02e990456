import type { SandboxEvent } from '../../../base/events/event.ts';
import { type Exchange, headerOf } from '../../../base/events/exchange.ts';
import { recordIn } from '../../../base/text/record.ts';
import {
  type Difference,
  difference,
  entriesOf,
  type FieldName,
  isReference,
  type NamedEvents,
  type Pattern,
  partsOf,
  type WantedText,
} from './pattern.ts';

/** Conditions of `seen`. */
export interface SeenOptions {
  /** Done as long as there is no such event. Combine it with a different check, because it is done from the start. */
  readonly not?: true;
  /** Number of events; default 1. */
  readonly count?: number;
  /** All of the events happen within so many seconds of the sandbox's clock. */
  readonly within?: number;
}

export interface SeenCheck extends SeenOptions {
  readonly form: 'seen';
  readonly pattern: Pattern;
}

/** A step of a chain; later steps refer to its event by the name in `as`. */
export type ChainStep = Pattern & {
  readonly as?: string;
  /** The learner's deed for it, after *Next*: `sign in as Bob`. Default: the words of its type. */
  readonly next?: string;
  /** No such event came since the step before: a client that must refuse a response does not redeem its code. */
  readonly without?: Pattern;
  /** One value in the request or its answer; only for `request.completed`. */
  readonly read?: ExchangeCheck['read'];
};

export interface ChainOptions {
  /** Fields that are equal in all events that have them. */
  readonly by?: FieldName | readonly FieldName[];
  /** Seconds of the sandbox's clock between the first event and the last. */
  readonly within?: number;
}

export interface ChainCheck {
  readonly form: 'chain';
  readonly steps: readonly ChainStep[];
  readonly by: readonly FieldName[];
  readonly within?: number;
}

/** A value in a recorded request or its answer. */
export type ExchangeReading =
  /** A parameter in the query or the form. */
  | { readonly parameter: string }
  | { readonly header: string }
  | { readonly answerHeader: string }
  /** A string in the JSON object of the answer. */
  | { readonly answerMember: string };

export type RequestPattern = Omit<Extract<Pattern, { readonly type: 'request.completed' }>, 'type'>;

export interface ExchangeCheck {
  readonly form: 'exchange';
  readonly pattern: Pattern;
  readonly read: ExchangeReading & { readonly is: WantedText };
}

/** A question with its options by id; a prediction has no `right` one. */
export interface Question {
  readonly id: string;
  readonly options: readonly string[];
  readonly right?: string;
}

export interface AnswerCheck {
  readonly form: 'answer';
  readonly question: Question;
}

/** The condition of a task. A check is data, which `judge` compares with the events. */
export type TaskCheck = SeenCheck | ChainCheck | ExchangeCheck | AnswerCheck;

export type TaskResult =
  /** `requestId` is absent if no request did it, such as an answer to a quiz or a moved clock. */
  | { readonly state: 'done'; readonly requestId?: string }
  /** The newest request matched except for one field. */
  | { readonly state: 'close'; readonly requestId?: string; readonly difference: Difference; readonly says?: string }
  | NotYet;

export interface NotYet {
  readonly state: 'not yet';
  /** The given answer. */
  readonly wrong?: string;
  /** Requests of a chain that were seen, of so many. */
  readonly reached?: number;
  readonly steps?: number;
  /** The next deed of the learner. */
  readonly next?: string;
  /** The id of the last event that was reached. */
  readonly last?: number;
  /** A sentence on the newest request, which was refused. */
  readonly says?: string;
  readonly requestId?: string;
}

export function seen(pattern: Pattern, options: SeenOptions = {}): SeenCheck {
  return { form: 'seen', pattern, ...options };
}

/**
 * There are such events in this order.
 * @throws TypeError for a reference to a step that does not exist or is not earlier
 */
export function chain(...args: readonly [...ChainStep[], ChainStep | ChainOptions]): ChainCheck {
  const last = args.at(-1);
  const isStep = (arg: ChainStep | ChainOptions): arg is ChainStep => 'type' in arg;
  const { by = [], ...options } = last === undefined || isStep(last) ? ({} as ChainOptions) : last;
  const steps = args.filter(isStep);
  requireNames(steps);
  return { form: 'chain', steps, by: typeof by === 'string' ? [by] : by, ...options };
}

function requireNames(steps: readonly ChainStep[]): void {
  const names = new Set<string>();
  for (const { as, read, next: _, without, ...pattern } of steps) {
    for (const [field, wanted] of [...wantedIn(pattern), ...entriesOf(read ?? {}), ...wantedIn(without)]) {
      if (!isReference(wanted) || names.has(partsOf(wanted)[0])) continue;
      throw new TypeError(`chain: ${field} refers to ${wanted.$}, and no earlier step has that name`);
    }
    if (as !== undefined) names.add(as);
  }
}

function wantedIn({ request = {}, ...fields }: Pick<Pattern, 'request'> = {}) {
  const { parameter = {}, header = {}, ...others } = request;
  return [fields, others, parameter, header].flatMap(entriesOf);
}

/** There is such a request, and one value in it is as expected. */
export function exchange(where: RequestPattern, read: ExchangeCheck['read']): ExchangeCheck {
  return { form: 'exchange', pattern: { type: 'request.completed', ...where }, read };
}

/** The learner gave the right answer, or any answer if none is right. */
export function answer(question: Question): AnswerCheck {
  return { form: 'answer', question };
}

/** The difference of one value in a recorded request or answer; undefined for an accepted value. */
export function readDifference(
  event: SandboxEvent,
  { is, ...reading }: ExchangeCheck['read'],
  named: NamedEvents = new Map(),
): Difference | undefined {
  const [name = ''] = Object.values(reading);
  return difference(name, readingOf(event, reading), is, named);
}

/** One value of a recorded request or answer; undefined if it was not sent or nothing was recorded. */
export function readingOf(event: SandboxEvent, reading: ExchangeReading): string | undefined {
  if (event.type !== 'request.completed') return undefined;
  const { url, requestHeaders, responseHeaders, responseBody } = event.exchange;
  if ('header' in reading) return headerOf(requestHeaders, reading.header);
  if ('answerHeader' in reading) return headerOf(responseHeaders, reading.answerHeader);
  if ('answerMember' in reading) {
    const value = recordIn(responseBody?.text ?? '')?.[reading.answerMember];
    return typeof value === 'string' ? value : undefined;
  }
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  return query.get(reading.parameter) ?? formIn(event.exchange).get(reading.parameter) ?? undefined;
}

/** The form of a recorded request; empty for any other body. */
export function formIn({ requestHeaders, requestBody }: Exchange): URLSearchParams {
  const isForm = headerOf(requestHeaders, 'Content-Type')?.startsWith('application/x-www-form-urlencoded') === true;
  return new URLSearchParams(isForm ? requestBody?.text : '');
}
