import type { Change } from '../events/change.ts';
import type { EventOf } from '../events/event.ts';
import type { Pieces } from '../turns/in-turns.ts';

/** `certain`: the two values prove it. `likely`: the server sees one half only. */
export type Certainty = 'certain' | 'likely';

/** A piece of a value, and whether it is one that differs. */
export interface Piece {
  readonly text: string;
  readonly differs: boolean;
}

/** What would have been accepted. */
export interface Expected {
  readonly value: readonly Piece[];
  /** In words: `differs: host, port`. Empty for a value without parts. */
  readonly differs: string;
  /** Where the value is from: `registered for frontend`, `of the authorization request`. */
  readonly about?: string;
}

/** The two values, side by side. */
export interface Comparison {
  /** `Your app sent`, `The token says`. */
  readonly sentLabel: string;
  readonly sent: readonly Piece[];
  /** `Registered`, `Expected`, `The API accepts`. */
  readonly expectedLabel: string;
  readonly expected: readonly Expected[];
}

/** A piece of text to copy, and where it belongs. */
export interface FixSnippet {
  /** `clients.config.ts`, `environment`, `curl`, `your app`. */
  readonly where: string;
  readonly code: string;
}

/** A way to repair it. */
export interface ProposedFix {
  /** A sentence that begins with a verb. */
  readonly text: string;
  /** Applied at once, in memory, by a button with this text. */
  readonly apply?: {
    readonly label: string;
    readonly change: Change;
    readonly thenContinue: boolean;
    /** Another way is the likelier one, so that this button is not the main one. */
    readonly isSecondary?: true;
  };
  /** To copy: what the app must send, or the lines that make the change permanent. */
  readonly snippets: readonly FixSnippet[];
}

/** One thing of several that were compared: a claim of a proof, a member of a form. */
export interface FieldCheck {
  readonly name: string;
  readonly sent: string;
  readonly expected: string;
  readonly isRight: boolean;
}

/** Why a request was refused, for the developer of the client. */
export interface Explanation {
  /** `redirect_uri is not registered for web-demo` */
  readonly title: string;
  readonly comparison?: Comparison;
  /** Field by field, where more than one was looked at. */
  readonly fields?: readonly FieldCheck[];
  /** What happened, then why; plain words. */
  readonly why: string;
  readonly certainty: Certainty;
  /** What else it could be, where the cause is only likely. */
  readonly others: readonly string[];
  readonly fixes: readonly ProposedFix[];
  /** Why we acted as we did: `Why we did not redirect`. */
  readonly note?: { readonly title: string; readonly text: string };
  /** `RFC 6749 §3.1.2.4` */
  readonly references: readonly string[];
}

/** Refusals of one client for one cause, or something that silently went wrong. */
export interface Problem {
  /** `prb_…`, from the id of its first request. */
  readonly id: string;
  readonly kind: 'refusal' | 'silent';
  readonly client_id?: string;
  /** The code on the wire; for a silent failure the name of its detector. */
  readonly code: string;
  readonly reason: string;
  readonly title: string;
  readonly count: number;
  /** Seconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Of its newest occurrence. */
  readonly requestId: string;
  /** All occurrences that are kept, newest first. */
  readonly requestIds: readonly string[];
  /** Of the event that told of its newest occurrence. */
  readonly lastEventId: number;
  /** Its newest occurrence was sent by the dashboard itself: a replay, a try. */
  readonly isByTool?: true;
}

/** A refusal with everything its explanation may quote. */
export interface Refusal {
  readonly error: EventOf<'error.returned'>;
  readonly request?: EventOf<'request.completed'>;
}

/** The problems of the log; like the flows they are read when somebody asks. */
export interface ProblemIndex {
  /** Reads what is new, for whoever can wait: what is asked right afterwards has nothing left to read. */
  catchUp(): Pieces<void>;
  /** Newest first. */
  latest(limit: number): readonly Problem[];
  /** The same, each of them made when it is asked for: to make all takes a while. */
  newestFirst(): Iterable<Problem>;
  find(id: string): Problem | undefined;
  ofRequest(requestId: string): Problem | undefined;
  /** The explanation of one occurrence. */
  explain(problem: Problem, requestId?: string): Explanation;
  /** How many there are. */
  count(): number;
  /** How many each client has; none is explained for it. */
  countsByClient(): ReadonlyMap<string, number>;
  /** Of the newest occurrence of each: what a browser has seen is told by them. */
  newestEventIds(): readonly number[];
}
