import type { EventFact, SandboxEvent } from '../../base/events/event.ts';
import {
  type EventLog,
  type EventLogOptions,
  firstOf,
  readingFrom,
  sameTimeSeconds,
} from '../../base/events/event-log.ts';
import { weightOfEvent } from '../../base/events/event-memory.ts';
import type { Engine } from './engine.ts';
import { createLogListeners, followingOf } from './log-following.ts';
import { createLogMirror, type LogMirror } from './log-mirror.ts';
import { beginScript, removeScript } from './log-scripts.ts';
import { createLogSender, type LogEntry } from './log-sender.ts';
import { damagedAt, refusedBy } from './store-unavailable.ts';

export interface SharedLogOptions extends EventLogOptions {
  readonly engine: Engine;
  /** Distinguishes the log from the others in the engine. */
  readonly name: string;
  /** Called with a sentence when events are lost because the engine is away: once for each absence. */
  readonly onLoss?: (sentence: string) => void;
  /** Called with an error that is a bug, such as that of a listener. */
  readonly onError?: (error: unknown) => void;
}

/** A log that all replicas append to and that each reads on demand: a replica in which nobody looks at the log reads nothing. */
export interface SharedLog extends EventLog {
  /** @throws StoreUnavailable if the engine has something else in its place */
  check(): Promise<void>;
  /** Resolves when everything appended so far is in the engine, or the engine did not take it. */
  sent(): Promise<void>;
  /** Ends the subscriptions, sends what this process has appended, and appends no more. */
  close(): Promise<void>;
  /** Deletes the log for all replicas. One that creates a log of this name begins a new one. */
  remove(): Promise<void>;
}

/** Creates the part that this process has in a log of the engine. */
export function createSharedLog(options: SharedLogOptions): SharedLog {
  const { engine, name, capacity, bytes = Number.POSITIVE_INFINITY, now, wall = now, onLoss, onError } = options;
  const key = engine.key('log', name);
  const isNew = newHere(engine, key);
  const mirror = createLogMirror(engine, key, { capacity, bytes }, event => isNew(event) && listeners.tellRead(event));
  const listeners = createLogListeners(engine, { name, read: mirror.read }, onError);
  const sender = createLogSender({
    ...{ engine, keys: [key, followingOf(engine).bell], name, capacity, bytes },
    known: mirror.known,
    onTaken: mirror.learn,
    onLoss: ({ description }) => onLoss?.(`${description}: events of this replica are missing from the log`),
    onError: error => onError?.(error),
  });
  async function caughtUp(): Promise<void> {
    await sender.sent();
    await mirror.read();
  }
  const log: SharedLog = Object.assign(readingOf(mirror), {
    append(fact: EventFact, requestId: string) {
      requireRoom(engine, fact);
      const event = { id: 0, at: now(), requestId, ...fact } as SandboxEvent;
      sender.add(entryOf(event, wall()));
      listeners.tellOwn(event);
      return event;
    },
    wall,
    caughtUp,
    subscribe: listeners.subscribe,
    hearOwn: listeners.hearOwn,
    overhear: listeners.overhear,
    waitFor: ((type, matches, seconds) =>
      caughtUp().then(() => firstOf(log, type, matches, seconds))) as EventLog['waitFor'],
    clear: () => sender.add({ type: 'clear', weight: 0, json: '' }),
    sent: sender.sent,
    async check() {
      const last = await engine.send('HGET', key, 'last');
      if (last !== null && !Number.isInteger(Number(last))) throw damagedAt(key, `${last} in place of an id`);
    },
    close() {
      listeners.close();
      return sender.close();
    },
    remove: async () => void (await engine.run(removeScript, [key], [mirror.known()[0]])),
  });
  return log;
}

/**
 * A token that its events alone remember is not given out while the engine keeps no events: other replicas would not know it.
 * @throws StoreUnavailable
 */
function requireRoom({ refusal }: Engine, { type }: EventFact): void {
  if (type === 'token.issued' && refusal !== undefined) throw refusedBy(refusal);
}

/** Tells events since the start of this process from older ones, which its listeners do not hear. */
function newHere(engine: Engine, key: string): (event: SandboxEvent) => boolean {
  let before = 0; // if the engine is away, the listeners hear what it has kept
  engine.run(beginScript, [key], []).then(
    last => {
      before = Number(last);
    },
    () => {},
  );
  return ({ id }) => id > before;
}

function entryOf(event: SandboxEvent, wall: number): LogEntry {
  const isApart = Math.abs(wall - event.at) > sameTimeSeconds;
  const json = JSON.stringify(event);
  return { type: event.type, weight: weightOfEvent(event), wall: isApart ? wall : undefined, json };
}

type ReadMembers =
  | keyof ReturnType<typeof readingFrom>
  | 'start'
  | 'lastId'
  | 'newestForgotten'
  | 'count'
  | 'keptBytes'
  | 'wallOf';

function readingOf(mirror: LogMirror): Pick<EventLog, ReadMembers> {
  return {
    ...readingFrom(mirror.memory),
    get start() {
      return mirror.known()[0];
    },
    get lastId() {
      return mirror.lastId();
    },
    get newestForgotten() {
      return mirror.newestForgotten();
    },
    count: mirror.count,
    keptBytes: () => mirror.memory().bytes(),
    wallOf: event => mirror.wallOf(event) ?? event.at,
    since: id => (id < mirror.newestForgotten() ? undefined : mirror.memory().newer(id)),
  };
}
