import type { Change } from '../../base/events/change.ts';
import type { EventOf } from '../../base/events/event.ts';
import type { Pieces } from '../../base/turns.ts';

/** `certain`: the two values prove it. `likely`: the server sees one half only. */
export type Certainty = 'certain' | 'likely';

/** A piece of a value, and whether the piece differs. */
export interface Piece {
  readonly text: string;
  readonly differs: boolean;
}

/** A value that would have been accepted. */
export interface Expected {
  readonly value: readonly Piece[];
  /** In words: `differs: host, port`. Empty for a value without parts. */
  readonly differs: string;
  /** The origin of the value: `registered for frontend`, `from the authorization request`. */
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

/** Text to copy, and the place where it belongs. */
export interface FixSnippet {
  /** `clients.config.ts`, `environment`, `curl`, `your app`. */
  readonly where: string;
  readonly code: string;
}

/** A proposed fix. */
export interface ProposedFix {
  /** A sentence that begins with a verb. */
  readonly text: string;
  /** A change that a button applies at once, in memory. */
  readonly apply?: {
    readonly label: string;
    readonly change: Change;
    readonly thenContinue: boolean;
    /** A different fix is more likely, so this button is not the main one. */
    readonly isSecondary?: true;
  };
  /** Text to copy: the request of the app, or the lines that make the change permanent. */
  readonly snippets: readonly FixSnippet[];
}

/** One compared value of several: a claim of a proof, a member of a form. */
export interface FieldCheck {
  readonly name: string;
  readonly sent: string;
  readonly expected: string;
  readonly isRight: boolean;
}

/** Why a request was refused, for the developer of the client. */
export interface Explanation {
  /** `The redirect_uri is not registered for web-demo`, where text between backticks is code. */
  readonly title: string;
  readonly comparison?: Comparison;
  /** One entry for each compared field, if there are several. */
  readonly fields?: readonly FieldCheck[];
  /** The event, then its reason. */
  readonly why: string;
  readonly certainty: Certainty;
  /** Other possible causes, where the main one is only likely. */
  readonly others: readonly string[];
  readonly fixes: readonly ProposedFix[];
  /** The reason of a reaction of the server: `Why we did not redirect`. */
  readonly note?: { readonly title: string; readonly text: string };
  /** `RFC 6749 §3.1.2.4` */
  readonly references: readonly string[];
}

/** Refusals of one client for one cause, or a failure without a refusal. */
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
  /** The request of the newest occurrence. */
  readonly requestId: string;
  /** The requests of all occurrences in the history, newest first. */
  readonly requestIds: readonly string[];
  /** The event of the newest occurrence. */
  readonly lastEventId: number;
  /** The dashboard itself sent the newest occurrence, as a replay or a test call. */
  readonly isByTool?: true;
}

/** A refusal with its request, which the explanation may quote. */
export interface Refusal {
  readonly error: EventOf<'error.returned'>;
  readonly request?: EventOf<'request.completed'>;
}

/** A problem of a list that was taken once. */
export interface ListedProblem {
  readonly problem: Problem;
  /** Explains one occurrence; by default the newest. */
  explain(requestId?: string): Explanation;
}

/** A failure that no answer of the server showed. */
export interface SilentFailure {
  readonly client_id?: string;
  /** A short statement with names in it. Text between backticks is code. */
  readonly title: string;
  /** Seconds. */
  readonly at: number;
  /** The id of the event that showed the failure. */
  readonly eventId: number;
  readonly requestId: string;
  explain(): Explanation;
}

/** Failures that one detector has found with one client. */
export interface SilentGroup {
  /** The name of the detector. */
  readonly name: string;
  readonly client_id: string | undefined;
  /** Oldest first. */
  readonly failures: readonly SilentFailure[];
  readonly first: SilentFailure;
  readonly newest: SilentFailure;
}

export interface SilentFailures {
  /** Reads what is new in pieces, one for each event. `all` may be called meanwhile. */
  catchUp(): Pieces<void>;
  all(): readonly SilentGroup[];
}

/** The problems of the log, computed when somebody asks for them. */
export interface ProblemIndex {
  /** Reads the new events in pieces. A query right afterwards has nothing left to read. */
  catchUp(): Pieces<void>;
  /** Newest first. */
  latest(limit: number): readonly Problem[];
  /**
   * All problems as they are now, newest first. Each is made and explained on demand, because making all takes long. Later evictions
   * change neither the list nor its items.
   */
  listed(): Iterable<ListedProblem>;
  find(id: string): Problem | undefined;
  ofRequest(requestId: string): Problem | undefined;
  /** Explains one occurrence; by default the newest. */
  explain(problem: Problem, requestId?: string): Explanation;
  count(): number;
  /** The number of problems by client_id, without making them. */
  countsByClient(): ReadonlyMap<string, number>;
  /** The failures without a refusal; absent where only their texts were recorded. */
  readonly silent?: SilentFailures;
  /** The event ids of the newest occurrences, which tell a browser what it has not seen. */
  newestEventIds(): readonly number[];
}
