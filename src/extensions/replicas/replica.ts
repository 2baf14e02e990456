import type { IncomingMessage, RequestListener } from 'node:http';
import type { Config } from '../../sandbox/config/config.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { RunInTurn } from '../../sandbox/control/replica-turn.ts';
import type { WholeSandbox } from '../../sandbox/extension.ts';
import type { IssuerState, Replica, SharedIssuer, StateOptions } from '../../sandbox/replica.ts';
import type { ArmedFault } from '../../server/faults/fault.ts';
import type { RequestLog } from '../../server/http/log/request-log.ts';
import { completeRequest } from '../../server/http/request-context.ts';
import { createEngineCounts } from './call-counts.ts';
import { createDoor } from './door.ts';
import type { Engine } from './engine.ts';
import { createEngineRows } from './engine-rows.ts';
import { createEngineStore } from './engine-store.ts';
import { handleInTurn } from './handle-in-turn.ts';
import { faultPartName, issuersPart, partsOf, reloadPart } from './parts.ts';
import { engineOf } from './same-sandbox.ts';
import { script } from './script.ts';
import type { replicaSettings } from './settings.ts';
import { createSharedLog, type SharedLog } from './shared-log.ts';
import type { SharedPart } from './shared-part.ts';
import { createSharedState, type SharedState } from './shared-state.ts';
import { createQuiet, type Quiet, watchEngine } from './watched.ts';

/**
 * Connects this process to the others.
 * @throws StoreUnavailable if the engine does not answer
 * @throws ConfigError if the engine has another sandbox at this prefix
 */
export async function startReplica({ config, log, readiness }: WholeSandbox, issuer: string): Promise<Replica> {
  const { engine, checkSame } = await engineOf(issuer, config, log);
  const state = createSharedState(engine);
  const quiet = createQuiet(engine);
  const owners = new WeakMap<IncomingMessage, string>();
  const logs = new Map<string, SharedLog>();
  const checks: Parts['checks'] = new Map();
  const firstId = (await numberOf(engine)) % 36 ** 4;
  const known = { config, engine, state, quiet, owners, logs, checks, log, firstId };
  const parts = { ...known, joining: new Set<Promise<void>>(), isStopping: false };
  const stopLooking = watchEngine({ engine, state, log, readiness, checks: [checkSame, inTheirTurns(checks)] });
  const inTurn = turnsOf(state, logs);
  const tell = () => void state.publish().catch(error => log.error(error, 'sandbox'));

  return {
    ...{ inTurn, alone: state.alone },
    handle: calls => handleInTurn(calls, { inTurn, tell }),
    now: engine.now,
    stateOf: (issuer, options) => stateInEngine(parts, issuer, options),
    async join(issuers, reloading) {
      await state.join(wholeSandbox, quiet.applied(issuersPart(issuers)));
      await state.refresh();
      // after the first look: reloads of the past are in the file that was just read
      state.joinLater(wholeSandbox, quiet.applied(reloadPart(reloading)));
      await state.refresh();
      await Promise.all(parts.joining);
    },
    door: listener => doorOf(parts, listener),
    leave() {
      parts.isStopping = true;
      stopLooking();
    },
    async close() {
      await Promise.all([...logs.values()].map(each => each.close()));
      await engine.close();
    },
  };
}

/** How many replicas have started before: a full engine lets one start, which may make room in it. */
async function numberOf(engine: Engine): Promise<number> {
  return Number(await engine.makingRoom(() => engine.run(countScript, [engine.key('replicas')], [])));
}

const countScript = script("return redis.call('INCR', KEYS[1])");

/** After a call, its caller reads in the logs what it has done. */
function turnsOf(state: SharedState, logs: ReadonlyMap<string, SharedLog>): RunInTurn {
  return async (call, effect) => {
    const result = await state.exclusively(call, effect);
    await Promise.all([...logs.values()].map(each => each.caughtUp()));
    return result;
  };
}

/** The checks of one issuer after the other, one at each call: again the same until it is well. */
function inTheirTurns(checks: Parts['checks']): () => Promise<void> {
  let place = 0;
  return async () => {
    const all = [...checks.values()];
    if (all.length > 0) await all[place % all.length]?.();
    place++;
  };
}

function doorOf({ state, owners, logs, log }: Parts, listener: RequestListener): RequestListener {
  return createDoor({
    state,
    listener,
    ownerOf: req => owners.get(req),
    complete: completeRequest,
    sent: async owner => void (await logs.get(owner)?.sent()),
    onError: error => log.error(error, 'sandbox'),
  });
}

/** The owner of what belongs to no issuer: no path begins like it. */
const wholeSandbox = '*';

interface Parts {
  readonly config: Config;
  readonly engine: Engine;
  readonly state: SharedState;
  readonly quiet: Quiet;
  /** The issuer that a request has reached. */
  readonly owners: WeakMap<IncomingMessage, string>;
  readonly logs: Map<string, SharedLog>;
  /** Look at the places of an issuer in the engine. */
  readonly checks: Map<string, () => Promise<void>>;
  readonly log: RequestLog;
  /** The first number in the ids of requests. */
  readonly firstId: number;
  /** Parts that are joining. */
  readonly joining: Set<Promise<void>>;
  isStopping: boolean;
}

function stateInEngine(parts: Parts, issuer: string, options: StateOptions): IssuerState {
  const { engine, state, logs } = parts;
  const owner = new URL(issuer).pathname.replace(/\/$/, '') || '/';
  const kept = keptInEngine(parts, owner, options);
  return {
    ...kept,
    secret: purpose => engine.secret(`${owner} ${purpose}`),
    sandboxSecret: engine.secret,
    inTurn: (work, effect) =>
      state.exclusively(async () => {
        await kept.events.caughtUp();
        const done = await work();
        // before the next turn, and in all logs: a reload tells each issuer
        await Promise.all([...logs.values()].map(each => each.sent()));
        return done;
      }, effect),
    async charge(fault, stays) {
      return (await state.charge(owner, faultPartName, fault.id, stays)) as ArmedFault | undefined; // as it was written
    },
    share: issuer => share(parts, owner, issuer),
    around: listener => (req, res) => {
      parts.owners.set(req, owner);
      listener(req, res);
    },
    rows: createEngineRows(engine, ['rows', owner]),
    counts: createEngineCounts(engine, ['calls', owner]),
    firstId: parts.firstId,
    close: where => end(parts, owner, kept, where),
  };
}

/** The log and the stores of an issuer. */
interface Kept extends Pick<IssuerState, 'store' | 'usedJwts'> {
  readonly events: SharedLog;
}

function keptInEngine(
  { engine, config, quiet, log, logs, checks }: Parts,
  owner: string,
  { config: { historySize, historyBytes, storeSize }, moved, now, clock, earlier }: StateOptions,
): Kept {
  const { storeWait } = ownSettings<typeof replicaSettings>(config);
  const wait = storeWait === 0 ? undefined : { replicas: storeWait, milliseconds: 1_000 };
  const times = { now: moved.issuer, wall: now };
  const told = {
    onLoss: (sentence: string) => log.failure({}, sentence),
    onError: (error: unknown) => log.error(error, 'sandbox'),
  };
  const bounds = { capacity: historySize, bytes: historyBytes };
  const events = createSharedLog({ ...bounds, ...times, ...told, engine, name: owner });
  logs.set(owner, events);
  quiet.log(events, owner);
  const store = createEngineStore({ engine, name: ['store', owner], clock, wait, maxEntriesPerKind: storeSize });
  const usedJwts = createEngineStore({ engine, name: ['jwts', owner], clock: earlier, wait });
  checks.set(owner, async () => void (await Promise.all([events, store, usedJwts].map(each => each.check()))));
  return { events, store, usedJwts };
}

/** The replica that ends an issuer clears up for all; the others let go of it. */
function end(
  { state, quiet, logs, checks, isStopping }: Parts,
  owner: string,
  { events, store, usedJwts }: Kept,
  where: 'this process' | undefined,
): void {
  if (isStopping) return; // requests that are still open belong into the log
  logs.delete(owner);
  checks.delete(owner);
  const isForAll = where === undefined && !quiet.isTakingOver();
  const removed = events.close().then(() => (isForAll ? events.remove() : undefined));
  const cleared = isForAll ? [store.clear(), usedJwts.clear()] : [];
  Promise.all([state.leave(owner, isForAll), removed, ...cleared]).catch(() => {}); // what is left in the engine expires
}

function share({ state, quiet, joining, log }: Parts, owner: string, issuer: SharedIssuer): void {
  const joins = partsOf(issuer).map((part: SharedPart) => state.join(owner, quiet.applied(part)));
  const joined = Promise.all(joins)
    .then(() => {})
    .catch(error => log.error(error, 'sandbox'))
    .finally(() => void joining.delete(joined));
  joining.add(joined);
}
