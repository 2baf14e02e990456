/** The position of an automated learner: a page of the sandbox, or the URL outside that it was sent to. */
export interface SolverPage {
  readonly url: URL;
  readonly html: string;
}

/** An automated learner, which calls like curl and like a browser without scripts. */
export interface Participant {
  /** The learner's own issuer. */
  readonly issuer: string;
  /** The missing check of a mystery, where the test has drawn it. */
  readonly missing?: string;
  /** Sends a request to a path of that issuer, with a form if one is given. */
  call(
    path: string,
    options?: {
      readonly method?: string;
      readonly form?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<{
    readonly status: number;
    readonly headers: Headers;
    readonly body: Readonly<Record<string, string>>;
  }>;
  /** Opens a path of that issuer or a URL. */
  open(path: string): Promise<SolverPage>;
  /** Submits the form with the button of this test id or id. It does not tick the boxes of the fields in `without`. */
  submit(page: SolverPage, name: string, without?: readonly string[]): Promise<SolverPage>;
  /** Submits a form, and stops at a redirect to this path, which it does not open. */
  submitUntil(page: SolverPage, name: string, path: string): Promise<SolverPage>;
  /**
   * Calls an API at this address with the probe of the lesson, as the button on its page does. `rotated`: after a rotation of
   * the keys.
   */
  probe(url: string, what: 'tokens' | 'rotated'): Promise<void>;
  /** Presses the button of a step of a lab, or of all steps in order. For `victim`, the victim acts and opens this page in HTML. */
  attack(step?: string, page?: string): Promise<void>;
  /** Switches the defence of a lab on or off. */
  defend(isDefended: boolean): Promise<void>;
}

/** The solution of a task, and near misses: what looks like it and is something else. `grantbox lessons --test` runs all of them. */
export interface TaskSolver {
  solve(participant: Participant): Promise<void>;
  /** Later tasks that the solution does, too. Earlier ones may be on its way. */
  readonly also?: readonly string[];
  /** The key says what somebody does: `a typo in the scope`. A near miss fails if it solves the task, or a task that its `also` does not name. */
  readonly nearMisses: Readonly<Record<string, NearMiss>>;
}

/** Something that nearly solves a task. */
export interface NearMiss {
  does(participant: Participant): Promise<void>;
  /** Tasks that it does properly on its way. */
  readonly also?: readonly string[];
  /** The expected state of the task; by default it is only not done. */
  readonly state?: 'close' | 'not yet';
  /** A part of the sentence that the page shows then. */
  readonly says?: string;
}

/** By the id of the task. */
export type LessonSolver = Readonly<Record<string, TaskSolver>>;

/** The value of `Authorization` for a client with a secret (RFC 6749 §2.3.1). */
export function basic(clientId: string, secret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`;
}
