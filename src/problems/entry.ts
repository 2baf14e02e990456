import type { Case } from './case.ts';
import { shown } from './case.ts';
import type { Certainty, Comparison, Explanation, FieldCheck, ProposedFix } from './problem.ts';
import type { RefusalReason } from './refusal-reason.ts';

/** Text with `{client}`, `{sent}`, `{expected}`, `{path}` and `{description}` in it, or what makes it. */
export type Words = string | ((refused: Case) => string);

/** How a refusal is repaired, for the developer of the client. */
export interface Fix {
  /** One or two sentences that are true for every refusal of this reason: what to do. */
  readonly fix: string;
  /** The rule behind it: `RFC 7636 §4.6`. Empty where no standard is involved. */
  readonly rfc: string;
}

/** How a refusal is explained, whatever repairs it. */
export interface Account {
  /** Short, with names in it, without a period. */
  readonly title: Words;
  /** What happened, and why it is refused. Default: the description of the refusal. */
  readonly why?: Words;
  /** Default: `certain`. */
  readonly certainty?: Certainty | ((refused: Case) => Certainty);
  /** What else it could be, where the cause is only likely. */
  readonly others?: readonly string[];
  /** Default: what the event has as sent and expected. */
  readonly compare?: (refused: Case) => Comparison | undefined;
  readonly fields?: (refused: Case) => readonly FieldCheck[];
  /** Worked out for this very request; they come before `fix`. */
  readonly fixes?: (refused: Case) => readonly ProposedFix[];
  /** Says it better than `fix` where the request is known; an empty one leaves `fix` out. */
  readonly insteadOfFix?: Words;
  readonly note?: NonNullable<Explanation['note']> | ((refused: Case) => Explanation['note']);
  /** Besides `rfc`. */
  readonly references?: readonly string[];
  /** What happened, in the report of a client. Default: the title of the check that was not passed. */
  readonly reported?: string;
}

/** All there is to say about one reason. */
export interface ReasonEntry extends Account, Fix {}

/** The entries of one family. */
export type ReasonEntries = Partial<Record<RefusalReason, ReasonEntry>>;

/** Puts names and values in. */
export function say(words: Words, refused: Case): string {
  const text = typeof words === 'function' ? words(refused) : filled(words, refused);
  return text.replace(beginning, word => word.slice(0, 1).toUpperCase() + word.slice(1));
}

/** Words a sentence is begun with: descriptions on the wire begin in lower case, and names of parameters stay as they are. */
const beginning = /^(?:the|this|a|an|no|none|there|two|only|each|exactly|too|unsigned|encrypted|polled)(?![\w-])/;

function filled(words: string, refused: Case): string {
  return words.replace(/\{(client|sent|expected|path|description)\}/g, (_, name: string) => valueFor(name, refused));
}

function valueFor(name: string, { error, request, who }: Case): string {
  if (name === 'client') return who;
  if (name === 'description') return error.description;
  if (name === 'path') return request === undefined ? error.endpoint : shown(request.path);
  return shown((name === 'sent' ? error.sent : error.expected) ?? 'nothing');
}
