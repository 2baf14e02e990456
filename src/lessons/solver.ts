/** Where an automated learner is: a page of the sandbox, or the address outside that they were sent to. */
export interface SolverPage {
  readonly url: URL;
  readonly html: string;
}

/** An automated learner: calls like curl, and a browser without scripts. */
export interface Participant {
  /** The learner's own issuer. */
  readonly issuer: string;
  /** A request to a path of that issuer, with a form where there is one. */
  call(
    path: string,
    options?: {
      readonly method?: string;
      readonly form?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, string>> }>;
  /** Opens a path of that issuer, or an address. */
  open(path: string): Promise<SolverPage>;
  /** Submits the form whose button has this test id or id. */
  submit(page: SolverPage, name: string): Promise<SolverPage>;
}

/** How a task is solved, and how it is nearly solved: the build runs both. */
export interface TaskSolver {
  solve(participant: Participant): Promise<void>;
  /** Must not solve the task. */
  nearMiss(participant: Participant): Promise<void>;
  /** What the near miss has to be called; default: only that it is not done. */
  readonly nearState?: 'close' | 'not yet';
}

/** By the id of the task. */
export type LessonSolver = Readonly<Record<string, TaskSolver>>;

/** The value of `Authorization` for a client with a secret (RFC 6749 §2.3.1). */
export function basic(clientId: string, secret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`;
}
