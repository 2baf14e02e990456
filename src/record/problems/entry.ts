import { capitalised } from '../../base/text/words.ts';
import { type Case, named, shown } from './case.ts';
import type { RefusalReason } from './known.ts';
import type { Certainty, Comparison, Explanation, FieldCheck, ProposedFix } from './problem.ts';

/** Text with the placeholders `{client}`, `{sent}`, `{expected}`, `{path}` and `{description}`, or a function that writes the text. */
type Words = string | ((refused: Case) => string);

/** The repair of a refusal, for the developer of the client. */
export interface Fix {
  /** One or two sentences that begin with a verb and are true for every refusal of this reason. */
  readonly fix: string;
  /** The rule behind it: `RFC 7636 §4.6`. Empty where no standard is involved. */
  readonly rfc: string;
}

/** The explanation of a refusal, without the sentence that repairs it. */
export interface Account {
  /** A short statement in sentence case, with names in it and without a period. Text between backticks is code. */
  readonly title: Words;
  /** The event, then the reason of the refusal. Default: the description of the refusal. */
  readonly why?: Words;
  /** Default: `certain`. */
  readonly certainty?: Certainty | ((refused: Case) => Certainty);
  /** Other possible causes, where the main one is only likely. */
  readonly others?: readonly string[];
  /** Default: `sent` and `expected` of the event. */
  readonly compare?: (refused: Case) => Comparison | undefined;
  readonly fields?: (refused: Case) => readonly FieldCheck[];
  /** Fixes computed for this request. They come before `fix`. */
  readonly fixes?: (refused: Case) => readonly ProposedFix[];
  /** Replaces `fix` where the request is known. An empty text removes `fix`. */
  readonly insteadOfFix?: Words;
  readonly note?: NonNullable<Explanation['note']> | ((refused: Case) => Explanation['note']);
  /** More references than `rfc`. */
  readonly references?: readonly string[];
  /** The finding in the report of a client. Default: the title of the failed check. */
  readonly reported?: string;
}

export interface ReasonEntry extends Account, Fix {}

/** The entries of one family of reasons. */
export type ReasonEntries = Partial<Record<RefusalReason, ReasonEntry>>;

/** Writes a text for one refusal: fills in names and values, and capitalises the first word. */
export function say(words: Words, refused: Case): string {
  const text = typeof words === 'function' ? words(refused) : filled(words, refused);
  return capitalised(text);
}

function filled(words: string, refused: Case): string {
  return words.replace(/\{(client|sent|expected|path|description)\}/g, (_, name: string) => valueFor(name, refused));
}

function valueFor(name: string, { error, request, who }: Case): string {
  if (name === 'client') return named(who);
  // texts of providers have a full stop of their own
  if (name === 'description') return error.description.replace(/\.$/, '');
  if (name === 'path') return request === undefined ? error.endpoint : shown(request.path);
  return shown((name === 'sent' ? error.sent : error.expected) ?? 'nothing');
}
