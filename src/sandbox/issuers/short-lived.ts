import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defined } from '../../base/defined.ts';
import type { IssuerCreated, IssuerEnded } from '../../base/events/configuration-events.ts';
import { problemType } from '../../base/text/problem-type.ts';
import { isRecord } from '../../base/text/record.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { randomId } from '../../protocol/random.ts';
import type { SigningKey } from '../../protocol/tokens/signing-key.ts';
import type { Config, IssuerConfig } from '../config/config.ts';
import { ConfigError } from '../config/problem.ts';
import { checked } from '../control/api/checked.ts';
import { sentence } from '../control/library-entries.ts';
import { refusedInput, takenEntry, tooManyIssuers } from '../control/refusal.ts';
import { mostShortLived, type ShortLived, type ShortLivedOptions } from '../control/short-lived.ts';
import { type CheckedOptions, shortLivedOptions } from '../control/short-lived-options.ts';
import { createIssuer } from '../create-issuer.ts';
import type { Issuer, OwnExtras, OwnIssuers, SandboxParts } from '../extension.ts';
import type { FollowedIssuers, IssuerOrder } from '../replica.ts';

/** Parts to create issuers from at run time. */
export interface ShortLivedParts {
  /** Makes the configuration of a new issuer. */
  readonly derive: Config['derive'];
  /** The issuer whose configuration and keys are the defaults. */
  readonly first: Issuer;
  readonly shared: SandboxParts;
  /** The listeners by path. A listener added here gets requests at once. */
  readonly paths: Map<string, RequestListener>;
}

export interface RunningShortLived extends OwnIssuers, FollowedIssuers {
  /** Ends all of them. */
  close(): void;
}

interface Entry {
  readonly told: ShortLived;
  readonly issuer: Issuer;
  readonly timer: NodeJS.Timeout;
}

const defaultLifetime = 3600;

/** History limits (events of each type, bytes) unless the configuration of the new issuer sets them. */
const history = { size: 200, bytes: 4 * 1024 * 1024 };

/** Issuers created and ended at run time. Each has its own state, and nothing is left when it ends. */
export function createShortLived(parts: ShortLivedParts): RunningShortLived {
  const shelf = createShelf(parts);
  const { origin } = new URL(parts.first.server.issuer);
  const addressOf = (id: string) => origin + pathOf(id);
  const make = createMaker(parts, shelf.requireRoom, addressOf);

  async function create(
    content: unknown,
    options: ShortLivedOptions,
    by: IssuerCreated['by'],
    extras?: OwnExtras,
  ): Promise<Entry> {
    const known = checked(shortLivedOptions, options) as CheckedOptions; // the schema has checked the type
    const { id = newId(), lifetime = defaultLifetime, ...said } = known;
    const order = { content, ...said };
    const issuer = await make(id, order, extras);
    const told = toldOf(id, issuer, lifetime, parts.shared);
    const entry = shelf.put(told, issuer, by);
    if (extras === undefined) shelf.orders.set(id, { ...order, told }); // nobody else has what an extension gives it
    await issuer.server.keys.jwks(); // the keys exist before the caller learns of the issuer
    return entry;
  }
  return {
    create: async (content, options) => (await create(content, options, 'api')).told,
    async createHere(content, options, extras) {
      const entry = await inOneSentence(() => create(content, options, 'library', extras));
      const { id } = entry.told;
      // by then a new issuer may have the same id
      return { ...entry, stop: () => void (shelf.get(id) === entry && shelf.end(id, 'library')) };
    },
    orders: shelf.orders,
    async follow(order) {
      const { id, createdAt } = order.told;
      const there = shelf.get(id);
      if (there?.told.createdAt === createdAt) return;
      shelf.end(id); // one that has ended elsewhere, and was made again
      shelf.put(order.told, await make(id, order));
      shelf.orders.set(id, order);
    },
    forget: id => shelf.end(id),
    delete: shelf.end,
    addressOf,
    list: () => shelf.all().map(({ told }) => told),
    close: shelf.close,
  };
}

/** Makes issuers. It throws an OAuthError for an invalid configuration, or where no room is left. */
function createMaker(
  { derive, first, shared }: ShortLivedParts,
  requireRoom: (id: string) => void,
  addressOf: (id: string) => string,
) {
  const keys = createKeyPool(first);
  return async (
    id: string,
    { content, keys: whose }: Pick<IssuerOrder, 'content' | 'keys'>,
    owner: OwnExtras = {},
  ): Promise<Issuer> => {
    const { keysOf, outbound, hasOwnQuota = false } = owner;
    const own = await derived(derive, content, owner.isAlone);
    requireRoom(id);
    const isOwn = whose === 'own' || (whose === undefined && isRecord(content) && content.seed !== undefined);
    const pool = keysOf === undefined ? keys : createKeyPool(keysOf());
    const preset =
      own.preset && (await (await import('../presets.ts')).loadPreset(own.preset, shared.modules.providers));
    const address = addressOf(id);
    const quota = hasOwnQuota ? { outbound: { ...shared.outbound } } : {}; // fetches are counted for each such object
    const ways = { ...shared, ...quota, ...(outbound === undefined ? {} : { outbound, strangersOutbound: outbound }) };
    const issuer = createIssuer(own, preset?.issuerAt(address) ?? address, ways, {
      givenKeys: isOwn ? undefined : pool.all(),
      relaxations: owner.relaxations,
      preset,
      owner,
    });
    // replicas derive a further key from a shared secret, whatever they have seen before
    if (!isOwn && pool === keys && shared.stateOf === undefined) keys.learn(issuer);
    return issuer;
  };
}

/** The living issuers by path, and the listener for paths of ended ones. */
function createShelf({ first, paths, shared }: ShortLivedParts) {
  const entries = new Map<string, Entry>();
  const orders = new Map<string, IssuerOrder>();
  const ended = createEnded();
  const tell = (fact: IssuerCreated | IssuerEnded) => void first.events.append(fact, 'sandbox');
  paths.set(folder, ended.listener);

  function take(id: string, why: string): Entry | undefined {
    const entry = entries.get(id);
    if (entry === undefined) return undefined;
    clearTimeout(entry.timer);
    entries.delete(id);
    orders.delete(id);
    paths.delete(pathOf(id));
    ended.add(id, why);
    entry.issuer.close();
    void entry.issuer.extensions.end();
    shared.whole.ended(entry.issuer, pathOf(id).slice(1));
    return entry;
  }
  /** Nobody is told where `by` is missing: then it was another replica. */
  function end(id: string, by?: IssuerEnded['by'], why = 'it was deleted'): boolean {
    const taken = take(id, why);
    if (taken !== undefined && by !== undefined) tell({ type: 'issuer.ended', issuer: taken.told.issuer, by });
    return taken !== undefined;
  }
  return {
    end,
    orders,
    get: (id: string) => entries.get(id),
    all: () => [...entries.values()],
    /** @throws OAuthError where one has this id, or there are too many */
    requireRoom(id: string): void {
      if (entries.size >= mostShortLived) throw tooManyIssuers(mostShortLived);
      if (entries.has(id)) throw takenEntry([{ member: 'id', sent: id, expected: 'an id that no other issuer has' }]);
    },
    put(told: ShortLived, issuer: Issuer, by?: IssuerCreated['by']): Entry {
      const { id, expiresAt, createdAt } = told;
      const over = () => end(id, 'lifetime', `its lifetime of ${expiresAt - createdAt} s was over`);
      const timer = setTimeout(over, (expiresAt - (by === undefined ? realTime(shared) : createdAt)) * 1000).unref();
      const entry = { told, issuer, timer };
      entries.set(id, entry);
      paths.set(pathOf(id), issuer.listener);
      if (by !== undefined) tell({ type: 'issuer.created', issuer: told.issuer, expiresAt, by });
      return entry;
    },
    close(): void {
      for (const id of [...entries.keys()]) take(id, 'the sandbox stopped'); // the stop of the sandbox is logged already
    },
  };
}

function toldOf(
  id: string,
  { config, server: { issuer } }: Issuer,
  lifetime: number,
  shared: SandboxParts,
): ShortLived {
  const createdAt = Math.floor(realTime(shared));
  const dashboard = config.dashboard === 'off' ? {} : { dashboard: `${issuer}/dashboard` };
  return { id, issuer, createdAt, expiresAt: createdAt + lifetime, ...dashboard };
}

/** Unix seconds of the real time. Replicas agree on the clock of the engine. */
function realTime({ stateOf, now }: SandboxParts): number {
  return stateOf === undefined ? Date.now() / 1000 : now();
}

const folder = '/i';

function pathOf(id: string): string {
  return `${folder}/${id}`;
}

function newId(): string {
  return randomId().replaceAll('-', '').slice(0, 12);
}

/** @throws invalid_request that names every invalid member */
async function derived(derive: Config['derive'], content: unknown, isAlone?: boolean): Promise<IssuerConfig> {
  if (!isRecord(content)) throw refusedInput([{ member: 'config', expected: 'an object' }]);
  try {
    const own = await derive('config', content, isAlone);
    return {
      ...own,
      ...(content.historySize === undefined ? { historySize: Math.min(own.historySize, history.size) } : {}),
      ...(content.historyBytes === undefined ? { historyBytes: Math.min(own.historyBytes, history.bytes) } : {}),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw refusedInput(
      error.problems.map(({ source, value, ...rest }) => ({
        member: source.replace(/^config: /, 'config.'),
        ...rest,
        ...defined({ sent: value }),
      })),
    );
  }
}

/**
 * RSA keys take a second to create, so an issuer starts with the keys of the first issuer and of others that had to
 * create more.
 */
function createKeyPool({ server }: Issuer) {
  const learnt = new Map<string, Promise<SigningKey>>();
  return {
    all(): ReadonlyMap<string, Promise<SigningKey>> {
      return new Map([...learnt, ...server.keys.algs.map(alg => [alg, server.keys.forAlg(alg)] as const)]);
    },
    learn(issuer: Issuer): void {
      const { keys } = issuer.server;
      for (const alg of keys.algs) if (!learnt.has(alg)) learnt.set(alg, keys.forAlg(alg));
    },
  };
}

const mostEnded = 1000;

/** Keeps the reasons why the most recent issuers ended. */
function createEnded() {
  const reasons = new Map<string, string>();
  return {
    add(id: string, why: string): void {
      reasons.delete(id);
      reasons.set(id, why);
      const [oldest] = reasons.keys();
      if (reasons.size > mostEnded && oldest !== undefined) reasons.delete(oldest);
    },
    /** Answers at the path of an ended or unknown issuer (RFC 9457, RFC 9110 §15.5.11). */
    listener(req: IncomingMessage, res: ServerResponse): void {
      const why = reasons.get(/\/i\/([^/?]+)/.exec(req.url ?? '')?.[1] ?? '');
      const status = why === undefined ? 404 : 410;
      const detail =
        why === undefined ? 'there is no issuer at this path' : `the issuer at this path has ended: ${why}`;
      const expected = 'the path of a running issuer; POST /_sandbox/issuers creates a new one';
      const body = { type: 'about:blank', title: 'invalid_request', status, detail, expected };
      res.writeHead(status, { 'Content-Type': problemType(req.headers.accept), 'Cache-Control': 'no-store' });
      res.end(JSON.stringify(body));
    },
  };
}

/** Turns an OAuthError into a TypeError that names every invalid member. */
async function inOneSentence<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { sent, expected = '', problems = [{ member: '', expected, sent }] } = error.details;
    throw new TypeError(`createIssuer: ${problems.map(sentence).join('; ')}`, { cause: error });
  }
}
