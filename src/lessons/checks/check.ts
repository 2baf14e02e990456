import type { Difference, FieldName, Pattern, WantedText } from './pattern.ts';
import { entriesOf, isReference, partsOf } from './pattern.ts';

/** Conditions of `seen`. */
export interface SeenOptions {
  /** Done as long as there is no such event. Such a check only makes sense beside another one. */
  readonly not?: true;
  /** Number of events; default 1. */
  readonly count?: number;
  /** All of them in so many seconds of the sandbox's clock. */
  readonly within?: number;
}

export interface SeenCheck extends SeenOptions {
  readonly form: 'seen';
  readonly pattern: Pattern;
}

/** A step of a chain; later steps refer to its event by the name in `as`. */
export type ChainStep = Pattern & { readonly as?: string };

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

/** One thing of a recorded request or of its answer. */
export type ExchangeReading =
  /** In the query, or in the form. */
  | { readonly parameter: string }
  | { readonly header: string }
  | { readonly answerHeader: string }
  /** A text in the JSON object of the answer. */
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

/** What a task asks for. A check is data: `judge` compares it with the events. */
export type TaskCheck = SeenCheck | ChainCheck | ExchangeCheck | AnswerCheck;

export type TaskResult =
  /** `requestId` is absent where no request did it: an answer, a moved clock. */
  | { readonly state: 'done'; readonly requestId?: string }
  /** One event, or one request, matched up to one field. */
  | { readonly state: 'close'; readonly requestId?: string; readonly difference: Difference }
  /** `reached` of the `steps` of a chain are done; `wrong` is the answer given. */
  | { readonly state: 'not yet'; readonly reached?: number; readonly steps?: number; readonly wrong?: string };

/** There was such an event. */
export function seen(pattern: Pattern, options: SeenOptions = {}): SeenCheck {
  return { form: 'seen', pattern, ...options };
}

/**
 * There were such events, in this order.
 * @throws TypeError for a reference to a step that is not there, or not earlier
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
  for (const { as, ...pattern } of steps) {
    for (const [field, wanted] of entriesOf(pattern)) {
      if (!isReference(wanted) || names.has(partsOf(wanted)[0])) continue;
      throw new TypeError(`chain: ${field} refers to ${wanted.$}, and no earlier step has that name`);
    }
    if (as !== undefined) names.add(as);
  }
}

/** There was such a request, and one thing of it was as wanted. */
export function exchange(where: RequestPattern, read: ExchangeCheck['read']): ExchangeCheck {
  return { form: 'exchange', pattern: { type: 'request.completed', ...where }, read };
}

/** The participant gave the right answer, or any answer where none is right. */
export function answer(question: Question): AnswerCheck {
  return { form: 'answer', question };
}
