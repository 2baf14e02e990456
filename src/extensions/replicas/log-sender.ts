import type { Argument, Engine } from './engine.ts';
import { appendScript } from './log-scripts.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/** An event on its way to the engine; the type `clear` forgets all events before it. */
export interface LogEntry {
  readonly type: string;
  /** Bytes it is charged with. */
  readonly weight: number;
  /** The real time, where it is not that of the event. */
  readonly wall?: number;
  readonly json: string;
}

/** The start of a log, and its newest id. */
export type LogEnd = readonly [start: string, last: number];

interface Parts {
  readonly engine: Engine;
  readonly keys: readonly [log: string, bell: string];
  /** The name by which the bell calls the log. */
  readonly name: string;
  readonly capacity: number;
  readonly bytes: number;
  /** The start and the newest id, as far as this process knows them. */
  readonly known: () => LogEnd;
  readonly onTaken: (end: LogEnd) => void;
  /** Called once for each absence of the engine in which events are lost. */
  readonly onLoss: (cause: StoreUnavailable) => void;
  /** Called with an error that is a bug of ours. */
  readonly onError: (error: unknown) => void;
}

/** A longer batch would keep the engine from its other work. */
const mostInBatch = 500;
/** Memory for events that the engine does not take, in characters of JSON. */
const mostWaiting = 8_000_000;
const retryMilliseconds = 200;
/** Longer than a request takes, whose events are sent together before its answer. */
const gatherMilliseconds = 50;

/**
 * Sends the events of this process to the engine: those of a request together, before its answer. One batch is on its way at a
 * time, so that the events keep their order.
 */
export function createLogSender(parts: Parts) {
  const queue = createQueue();
  const send = createBatches(parts);
  const plan = createPlan(() => void attempt());
  let isClosed = false;
  let sending: Promise<void> | undefined;
  /** The reason why the engine did not take the last batch. */
  let failure: StoreUnavailable | undefined;
  /** True if it answers, and has no room. */
  let isFull = false;
  let isLosing = false;

  function attempt(): Promise<void> {
    plan.cancel();
    sending ??= sendOldest();
    return sending;
  }

  async function sendOldest(): Promise<void> {
    failure = queue.isClearing()
      ? await parts.engine.makingRoom(() => send(queue.oldest()))
      : await send(queue.oldest());
    sending = undefined;
    isFull = failure !== undefined && parts.engine.state === 'UP';
    if (failure === undefined) {
      queue.taken();
      isLosing = false;
    }
    if (!queue.isEmpty() && !isClosed) plan.begin(failure === undefined);
  }

  async function sent(): Promise<void> {
    const upTo = queue.added();
    if (isFull && !queue.isClearing()) return; // the plan says when to ask again
    do await attempt();
    while (failure === undefined && queue.done() < upTo);
  }

  return {
    add(entry: LogEntry): void {
      if (isClosed) return;
      if (queue.add(entry)) {
        if (sending === undefined) plan.begin(true);
      } else if (!isLosing) {
        isLosing = true;
        parts.onLoss(failure ?? new StoreUnavailable('the shared store is slower than this replica'));
      }
    },
    /** Resolves when everything added so far is in the engine, or when the engine did not take it. */
    sent: async () => void (queue.isEmpty() || (await sent())),
    /** Sends what was added so far, and no more. */
    async close(): Promise<void> {
      isClosed = true;
      if (!queue.isEmpty()) await sent();
      plan.cancel();
    },
  };
}

/** When the next attempt begins. An answer that waits for its events does not wait for this. */
function createPlan(attempt: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    begin(isReachable: boolean) {
      timer ??= setTimeout(attempt, isReachable ? gatherMilliseconds : retryMilliseconds).unref();
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

const isClear = ({ type }: LogEntry) => type === 'clear';

/** The events that the engine has not taken yet, up to a bound. */
function createQueue() {
  const waiting: LogEntry[] = [];
  let batch: readonly LogEntry[] = [];
  let characters = 0;
  let added = 0;
  let done = 0;
  return {
    /** False where there is no room. */
    add(entry: LogEntry): boolean {
      if (characters + entry.json.length > mostWaiting) return false;
      waiting.push(entry);
      characters += entry.json.length;
      added++;
      return true;
    },
    /** The same events until they are taken. */
    oldest(): readonly LogEntry[] {
      if (batch.length === 0) batch = waiting.splice(0, mostInBatch);
      return batch;
    },
    taken() {
      for (const { json } of batch) characters -= json.length;
      done += batch.length;
      batch = [];
    },
    isEmpty: () => batch.length + waiting.length === 0,
    /** True if all events are about to be forgotten, which makes room. */
    isClearing: () => batch.some(isClear) || waiting.some(isClear),
    added: () => added,
    done: () => done,
  };
}

/**
 * Sends batches; resolves with the reason why the engine did not take one. It may have taken one whose answer was lost, so each
 * has a number by which it takes it once.
 */
function createBatches(parts: Parts): (batch: readonly LogEntry[]) => Promise<StoreUnavailable | undefined> {
  const { engine, keys, name, capacity, bytes, known, onTaken, onError } = parts;
  const replica = crypto.randomUUID();
  let number = 1;
  let again = '';
  const most = Math.min(bytes, Number.MAX_SAFE_INTEGER);
  return async batch => {
    const args: Argument[] = [...known(), replica, number, again, name, capacity, most];
    for (const { type, weight, wall = '', json } of batch) args.push(type, weight, wall, json);
    try {
      onTaken((await engine.run(appendScript, keys, args)) as LogEnd); // our own script made it
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        again = 'again';
        return error;
      }
      onError(error); // the engine would refuse the batch again
    }
    number++;
    again = '';
    return undefined;
  };
}
