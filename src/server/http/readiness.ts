/** State of one thing that the sandbox needs to answer requests. */
export interface ReadyCheck {
  /** The member of `/ready` and `/health`, such as `store`. */
  readonly name: string;
  readonly state: 'UP' | 'DOWN';
  /** A sentence for the operator, without secrets. */
  readonly detail?: string;
}

/** Tells whether a balancer may send requests here. */
export interface Readiness {
  /** When this process began to listen, by the clock of the machine. */
  readonly started: Date;
  /** Adds a check. It reads a state that is known already, because probes are frequent. */
  add(check: () => ReadyCheck): void;
  /** Says DOWN from now on, while requests are still answered. */
  drain(): void;
  /** The state of the server first, then the added checks. */
  checks(): readonly ReadyCheck[];
}

/** The check that every sandbox has: the server listens and is not about to stop. */
export const serverCheck = 'server';

/** Creates the readiness of one process. */
export function createReadiness(): Readiness {
  const added: (() => ReadyCheck)[] = [];
  let server: ReadyCheck = { name: serverCheck, state: 'UP' };
  return {
    started: new Date(),
    add: check => void added.push(check),
    drain() {
      server = { name: serverCheck, state: 'DOWN', detail: 'draining: the process stops soon' };
    },
    checks: () => [server, ...added.map(check => check())],
  };
}
