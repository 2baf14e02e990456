import type { SandboxEvent } from '../../base/events/event.ts';
import type { LogListener } from '../../base/events/event-log.ts';
import type { BlockingConnection, Engine } from './engine.ts';

/** A log that is read as soon as its bell rings. */
export interface FollowedLog {
  readonly name: string;
  read(): Promise<void>;
}

/** The bell keeps at least so many rings: who gets as many at once may have missed some. */
const mostRings = 1000;
/** Without a ring for so long the logs are read anyway, in case that the engine has lost the bell. */
const quietMilliseconds = 10_000;
/** An answer that is late by as much does not come any more. */
const lateMilliseconds = 5_000;
/** In a busy sandbox each round takes as many rings as come meanwhile. */
const roundMilliseconds = 5;
const retryMilliseconds = 200;

const followings = new WeakMap<Engine, ReturnType<typeof createFollowing>>();

/** The one following of an engine. */
export function followingOf(engine: Engine) {
  const known = followings.get(engine) ?? createFollowing(engine);
  followings.set(engine, known);
  return known;
}

/** Follows the logs of one engine live. It has a connection while somebody follows, and connects again by itself. */
function createFollowing(engine: Engine) {
  const bell = engine.key('bell');
  const logs = new Map<string, FollowedLog>();
  let isRunning = false;
  let connection: BlockingConnection | undefined;

  async function readAll(): Promise<void> {
    await Promise.all([...logs.values()].map(log => log.read()));
  }

  async function listen(own: BlockingConnection): Promise<void> {
    let place = await newestRing(own, bell);
    await readAll(); // what was appended while nobody listened
    while (logs.size > 0) {
      const rings = await nextRings(own, bell, place);
      place = rings.at(-1)?.id ?? place;
      if (rings.length === 0 || rings.length >= mostRings) await readAll();
      else await Promise.all([...new Set(rings.map(({ log }) => log))].map(name => logs.get(name)?.read()));
      await pause(roundMilliseconds);
    }
  }

  async function run(): Promise<void> {
    while (logs.size > 0) {
      try {
        connection = await engine.duplicate();
        await listen(connection);
      } catch {
        if (logs.size > 0) await pause(retryMilliseconds); // the engine is away
      } finally {
        connection?.close();
        connection = undefined;
      }
    }
    isRunning = false;
  }

  return {
    /** The stream on which every append rings: one for all logs, so that one connection hears all. */
    bell,
    follow(log: FollowedLog): void {
      logs.set(log.name, log);
      if (isRunning)
        log.read().catch(() => {}); // read again when the engine is back
      else {
        isRunning = true;
        void run();
      }
    },
    leave(log: FollowedLog): void {
      if (logs.get(log.name) !== log) return; // another one of its name may have begun
      logs.delete(log.name);
      if (logs.size === 0) connection?.close();
    },
  };
}

interface Ring {
  readonly id: string;
  readonly log: string;
}

type StreamEntries = readonly (readonly [id: string, members: readonly string[]])[];

async function newestRing(connection: BlockingConnection, bell: string): Promise<string> {
  const [newest] = (await connection.send('XREVRANGE', bell, '+', '-', 'COUNT', 1)) as StreamEntries;
  return newest?.[0] ?? '0-0';
}

/** The rings after a place; none after a long silence. */
async function nextRings(connection: BlockingConnection, bell: string, place: string): Promise<readonly Ring[]> {
  const late = setTimeout(() => connection.close(), quietMilliseconds + lateMilliseconds).unref();
  try {
    const wait = ['BLOCK', quietMilliseconds, 'COUNT', mostRings] as const;
    const answer = await connection.send('XREAD', ...wait, 'STREAMS', bell, place);
    const [[, entries] = ['', []]] = (answer ?? []) as readonly (readonly [string, StreamEntries])[];
    return entries.map(([id, [, log = '']]) => ({ id, log }));
  } finally {
    clearTimeout(late);
  }
}

const pause = (milliseconds: number) => new Promise(resolve => void setTimeout(resolve, milliseconds).unref());

/** The listeners of a log in this process. The log is followed as long as somebody subscribes. An error of a listener is its own. */
export function createLogListeners(
  engine: Engine,
  followed: FollowedLog,
  onError: (error: unknown) => void = () => {},
) {
  const following = followingOf(engine);
  const own = new Set<LogListener>();
  const overhearing = new Set<LogListener>();
  const subscribed = new Set<LogListener>();

  function tell(listeners: Iterable<LogListener>, event: SandboxEvent): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        onError(error);
      }
    }
  }

  return {
    subscribe(listener: LogListener) {
      subscribed.add(listener);
      if (subscribed.size === 1) following.follow(followed);
      return () => {
        if (subscribed.delete(listener) && subscribed.size === 0) following.leave(followed);
      };
    },
    hearOwn: (listener: LogListener) => listenIn(own, listener),
    overhear: (listener: LogListener) => listenIn(overhearing, listener),
    /** Tells those who hear what this process appends. */
    tellOwn: (event: SandboxEvent) => tell(own, event),
    /** Tells all others of an event that has been read. */
    tellRead(event: SandboxEvent) {
      tell(overhearing, event);
      tell(subscribed, event);
    },
    /** Ends the subscriptions. */
    close() {
      subscribed.clear();
      following.leave(followed);
    },
  };
}

function listenIn(listeners: Set<LogListener>, listener: LogListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
