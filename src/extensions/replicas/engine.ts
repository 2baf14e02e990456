import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createClient, ErrorReply, type RedisClientType } from '@redis/client';
import { evenIfFull, type Script } from './script.ts';
import { damagedAt, refusedBy, StoreUnavailable } from './store-unavailable.ts';

/** A value for the engine. */
export type Argument = string | number;

/** How to reach the engine, and what belongs to this sandbox there. */
export interface EngineOptions {
  /** `redis://`, `rediss://`, `valkey://` or `valkeys://`, with user, password and number of the database. */
  readonly url: string;
  /** Begins each key, so that several sandboxes can share an engine. */
  readonly prefix: string;
  /** PEM of the CA that signed the certificate of the engine; absent: the CAs of Node. */
  readonly ca?: string;
  /** Called when the connection is lost, and when it is there again. */
  readonly onState?: (state: EngineState, error?: unknown) => void;
}

/** `DOWN` while there is no connection. */
export type EngineState = 'UP' | 'DOWN';

/** The engine (Valkey or Redis) that all replicas of a sandbox share. */
export interface Engine {
  readonly state: EngineState;
  /** The URL without its password, for words. */
  readonly address: string;
  /** Each part of a key separated by a colon, after the prefix of the sandbox. */
  key(...parts: readonly string[]): string;
  /**
   * Runs a script as one step.
   * @throws StoreUnavailable if the engine is away or does not answer in time
   */
  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown>;
  /** Has the scripts of this work write even if the engine is full: for work that makes room. */
  makingRoom<T>(work: () => Promise<T>): Promise<T>;
  /** Why the engine takes no writes, by its last answer; undefined if it takes them. */
  refusal: string | undefined;
  /** Sends one command, with the same errors. */
  send(...command: readonly Argument[]): Promise<unknown>;
  /** The clock of the engine, in Unix seconds with a fraction: it is the same for all replicas. */
  now(): number;
  /** Tells the clock what the engine read (`TIME`) in an answer to a question that was sent at `sentAt` of this clock. */
  readClock(seconds: number, microseconds: number, sentAt: number): void;
  /** Tells an engine that has lost its memory the secret of this sandbox: a replica that joins would make another one. */
  remember(): Promise<void>;
  /** A secret for one purpose, the same on each replica and never sent. */
  secret(purpose: string): string;
  /** A further connection, for a command that blocks. */
  duplicate(): Promise<BlockingConnection>;
  close(): Promise<void>;
}

/** A connection of its own. */
export interface BlockingConnection {
  /** Its id, for `CLIENT UNBLOCK`. */
  readonly id: number;
  /** Without a limit of time: the command says how long it blocks. */
  send(...command: readonly Argument[]): Promise<unknown>;
  close(): void;
}

/** Silence after which a connection counts as lost: longer than a busy engine takes, shorter than a client waits. */
const silenceMilliseconds = 3_000;
/** A ping for each third of it keeps a good connection from being silent. */
const pingMilliseconds = silenceMilliseconds / 3;
/** Longest pause between two attempts to connect. */
const longestPause = 500;

/**
 * Connects to the engine. Resolves when the engine answers.
 * @throws StoreUnavailable that names the address, if it does not
 */
export async function connectEngine(options: EngineOptions): Promise<Engine> {
  const client = clientOf(options);
  const clock = createEngineClock();
  const isMakingRoom = new AsyncLocalStorage<true>();
  let state: EngineState = 'DOWN';
  function become(next: EngineState, error?: unknown): void {
    if (next === state) return;
    state = next;
    options.onState?.(next, error);
  }
  client.on('ready', () => become('UP'));
  client.on('error', error => become('DOWN', error)); // without a listener the process would end
  const address = addressOf(options.url);
  const key = (...parts: readonly string[]) => [options.prefix, ...parts].join(':');
  const send = (...command: readonly Argument[]) =>
    answered(client.sendCommand(command.map(String)), String(command[1]));

  await firstConnection(client, address);
  const secret = await sharedSecret(send, key('secret')).catch(error => {
    client.destroy();
    throw error;
  });
  return {
    get state() {
      return state;
    },
    address,
    key,
    send,
    run: (script, keys, args) =>
      answered(evaluated(client, isMakingRoom.getStore() ? evenIfFull(script) : script, keys, args), keys.join(' or ')),
    makingRoom: work => isMakingRoom.run(true, work),
    refusal: undefined,
    now: clock.now,
    readClock: clock.read,
    remember: async () => void (await send('SET', key('secret'), secret, 'NX')),
    secret: purpose => createHmac('sha256', secret).update(purpose).digest('base64url'),
    duplicate: () => blockingConnection(client),
    async close() {
      client.removeAllListeners('ready');
      if (client.isOpen) client.destroy();
    },
  };
}

type Client = RedisClientType;

function clientOf({ url, ca }: EngineOptions): Client {
  const secure = /^(?:rediss|valkeys):/.test(url);
  return createClient({
    url: url.replace(/^valkey(s?):/, 'redis$1:'),
    RESP: 2,
    disableOfflineQueue: true, // a caller gets an answer now, not when the engine is back
    pingInterval: pingMilliseconds,
    socket: {
      connectTimeout: silenceMilliseconds,
      socketTimeout: silenceMilliseconds,
      reconnectStrategy: retries => Math.min(20 * 2 ** Math.min(retries, 10), longestPause),
      ...(secure ? { tls: true as const, ...(ca === undefined ? {} : { ca }) } : {}),
    },
  }) as unknown as Client; // the type of the defaults: the options above only narrow it
}

/** A wrong address, password or certificate ends the start; later the client connects again by itself. */
async function firstConnection(client: Client, address: string): Promise<void> {
  try {
    await Promise.race([client.connect(), once(client, 'error').then(([error]) => Promise.reject(error))]);
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw new StoreUnavailable(`the shared store at ${address} does not answer: ${messageOf(error)}`, { cause: error });
  }
}

/** The first replica makes the secret, and all take that one. */
async function sharedSecret(send: Engine['send'], key: string): Promise<string> {
  const there = await send('GET', key); // a full engine refuses to set it, also where it is
  if (there === null) await send('SET', key, randomBytes(32).toString('base64url'), 'NX');
  return String(there ?? (await send('GET', key)));
}

async function evaluated(
  client: Client,
  { sha, text }: Script,
  keys: readonly string[],
  args: readonly Argument[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...args.map(String)];
  try {
    return await client.sendCommand(['EVALSHA', sha, ...rest]);
  } catch (error) {
    if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
    return client.sendCommand(['EVAL', text, ...rest]); // the engine is new, or has forgotten its scripts
  }
}

/** Errors of an engine that has no room, or is not ready. An older one puts the name behind that of the script. */
const isAbsence = /(?:^|[\s-])(?:OOM|LOADING|READONLY|MISCONF|MASTERDOWN|CLUSTERDOWN|BUSY|NOREPLICAS|NOAUTH)\b/;

/** Errors about a value of another type, or of another form, than the one that replicas write. */
const isDamage =
  /WRONGTYPE|is not an integer|is not a valid float|attempt to (?:compare|perform|concatenate|index)|bad argument|Expected .* but found/;

/** An error that the engine itself says is a bug of ours, unless it has no room or damage; every other one is its absence. */
async function answered(reply: Promise<unknown>, place: string): Promise<unknown> {
  try {
    return await reply;
  } catch (error) {
    const said = messageOf(error);
    if (error instanceof ErrorReply && isAbsence.test(said)) throw refusedBy(said, error);
    if (error instanceof ErrorReply) throw isDamage.test(said) ? damagedAt(place, said, error) : error;
    throw new StoreUnavailable(`the shared store does not answer: ${said}`, { cause: error });
  }
}

async function blockingConnection(client: Client): Promise<BlockingConnection> {
  const waiting = { socketTimeout: undefined, reconnectStrategy: false };
  const own = client.duplicate({ socket: { ...client.options.socket, ...waiting } } as never);
  own.on('error', () => {}); // its reader sees the rejected command
  await own.connect();
  const id = Number(await own.sendCommand(['CLIENT', 'ID']));
  return {
    id,
    send: (...command) => answered(own.sendCommand(command.map(String)), 'the bell'),
    close: () => own.isOpen && own.destroy(),
  };
}

/** Without user and password. */
function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Seconds after which a reading with a shorter way is forgotten: clocks drift apart. */
const goodFor = 10;

/**
 * The clock of the engine, as this process knows it from the answers of the engine: Unix seconds, with a fraction.
 * The engine reads its clock somewhere between question and answer: the shorter the way, the nearer the middle. Of the last
 * readings the one with the shortest way counts.
 * @param local the clock of this process, in Unix seconds
 */
function createEngineClock(local: () => number = () => Date.now() / 1000) {
  let ahead = 0;
  let way = Number.POSITIVE_INFINITY;
  let readAt = Number.NEGATIVE_INFINITY;
  const now = () => local() + ahead;
  return {
    now,
    /** Takes a reading of the engine in the answer to a question that was sent at `sentAt` of `now`. */
    read(seconds: number, microseconds: number, sentAt: number): void {
      const at = now();
      const took = at - sentAt;
      const isBetter = took <= way || at - readAt > goodFor;
      if (!isBetter) return;
      ahead += seconds + microseconds / 1e6 - (sentAt + took / 2);
      way = took;
      readAt = now();
    },
  };
}
