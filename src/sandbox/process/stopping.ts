import type { Listening } from '../../server/http/listen.ts';
import type { SandboxParts } from '../extension.ts';
import type { Issuers } from '../issuers/issuers.ts';
import type { Replica } from '../replica.ts';

export interface StopParts {
  readonly issuers: Issuers;
  /** The listener that passes requests to the issuers. */
  readonly entry: { close(): void };
  readonly listening: Listening;
  readonly shared: Pick<SandboxParts, 'readiness' | 'log' | 'whole'>;
  /** Absent where this process is the whole sandbox. */
  readonly replica: Pick<Replica, 'leave' | 'close'> | undefined;
  /** How long requests are still answered after readiness went off, in seconds. */
  readonly drainDelay: number;
}

/** Stops a sandbox: readiness off, the drain delay, the end of live streams and of requests in flight, extensions, the log. */
export function createStop(parts: StopParts): () => Promise<void> {
  const { issuers, entry, listening, replica } = parts;
  const { log, whole } = parts.shared;
  const { first, others, all, shortLived, reloading } = issuers;
  const drain = createDrain(parts);
  return async () => {
    await drain();
    replica?.leave();
    reloading.close();
    for (const each of [...all, entry]) each.close();
    shortLived.current()?.close();
    await beforeDeadline(stopSeconds, async signal => {
      await listening.close(stopGraceSeconds);
      for (const [path, each] of [['/', first] as const, ...others]) whole.ended(each, path.slice(1));
      await before(signal, Promise.all(all.map(({ extensions }) => extensions.end()))); // a receiver may not answer
      await whole.close(signal);
      await replica?.close();
      await log.close();
    });
  };
}

/** Releases the port if the start fails. */
export async function orStop<T>(work: Promise<T>, stop: () => Promise<void>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for work, or for the end of the time. */
function before(signal: AbortSignal, work: Promise<unknown>): Promise<unknown> {
  const over = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
  return signal.aborted ? Promise.resolve() : Promise.race([work, over]);
}

/** Seconds after a stop at which open requests and streams are cut. */
const stopGraceSeconds = 5;

/** Seconds after which a stop ends even if work is left: a container engine kills a process after ten. */
const stopSeconds = 8;

/**
 * Takes the process out of the balancer: `/ready` says DOWN, each answer closes its connection, and the wait gives the balancer
 * the time to notice. All calls share one wait.
 */
function createDrain({ shared, listening, drainDelay }: StopParts): () => Promise<void> {
  let drained: Promise<void> | undefined;
  function drain(): Promise<void> {
    shared.readiness.drain();
    if (drainDelay === 0) return Promise.resolve();
    listening.announceEnd();
    return new Promise(resolve => setTimeout(resolve, drainDelay * 1000));
  }
  return () => {
    drained ??= drain();
    return drained;
  };
}

/**
 * Runs work with a deadline in seconds. At the deadline its signal aborts, and nobody waits for the rest of the work.
 */
export async function beforeDeadline(seconds: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>(resolve => {
    timer = setTimeout(() => {
      deadline.abort(new Error(`${seconds} seconds have passed`));
      // the work gets a moment to log its unfinished parts
      timer = setTimeout(resolve, lastWordMilliseconds);
    }, seconds * 1000);
  });
  try {
    await Promise.race([work(deadline.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}

const lastWordMilliseconds = 250;
