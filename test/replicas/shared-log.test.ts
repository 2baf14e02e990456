import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EventFact, SandboxEvent } from '../../src/base/events/event.ts';
import { createEventLog, type EventLog } from '../../src/base/events/event-log.ts';
import { connectEngine, type Engine } from '../../src/extensions/replicas/engine.ts';
import { createSharedLog, type SharedLog, type SharedLogOptions } from '../../src/extensions/replicas/shared-log.ts';
import { StoreUnavailable } from '../../src/extensions/replicas/store-unavailable.ts';
import { describeEventLog } from '../base/events/event-log-contract.ts';
import { startEngine, type TestEngine } from './engine.ts';

let running: TestEngine;
const engines: Engine[] = [];
const logs: SharedLog[] = [];
let names = 0;
beforeAll(async () => {
  running = await startEngine();
});
afterEach(async () => {
  for (const log of logs.splice(0)) await log.close();
  for (const engine of engines.splice(0)) await engine.close();
});
afterAll(() => running[Symbol.asyncDispose]());

async function connect(): Promise<Engine> {
  const engine = await connectEngine({ url: running.url, prefix: 'sandbox' });
  engines.push(engine);
  return engine;
}

/** The part of one replica in a log. */
async function replica(name: string, options: Partial<SharedLogOptions> = {}): Promise<SharedLog> {
  const engine = options.engine ?? (await connect());
  const log = createSharedLog({ name, capacity: 1000, now: () => 1000, ...options, engine });
  logs.push(log);
  await engine.send('PING'); // by then it knows where the log stood when it began
  return log;
}

const replicas = (count: number, name = `log-${++names}`, options: Partial<SharedLogOptions> = {}) =>
  Promise.all(Array.from({ length: count }, () => replica(name, options)));

const ended = (sub: string): EventFact => ({ type: 'session.ended', sub, sid: `sid-${sub}` });
const served = (path: string, text = ''): EventFact => ({
  ...{ type: 'request.completed', endpoint: 'token', method: 'POST', path, status: 200, milliseconds: 1 },
  exchange: { url: path, ip: '::1', requestHeaders: '', responseHeaders: text },
});
const ids = (events: readonly SandboxEvent[] | undefined) => events?.map(({ id }) => id);
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index);

describeEventLog('the event log of one replica', options => replica(`contract-${++names}`, options));

describe('the event log of replicas', () => {
  it('has one order for what three replicas append, in which each keeps its own', async () => {
    const three = await replicas(3);
    for (let round = 0; round < 50; round++) {
      for (const [n, log] of three.entries()) log.append(served(`/${round}`), `req_${n}`);
      if (round % 10 === 0) await three[round % 3]?.sent();
    }
    for (const log of three) await log.sent();
    const seen = await Promise.all(
      three.map(async log => {
        await log.caughtUp();
        return log.keptSince(0);
      }),
    );
    expect(ids(seen[0])).toEqual(upTo(150));
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    const ofOne = seen[0]?.filter(({ requestId }) => requestId === 'req_1');
    expect(ofOne?.map(event => (event.type === 'request.completed' ? event.path : ''))).toEqual(
      upTo(49, 0).map(round => `/${round}`),
    );
  });

  it('is resumed by an id in any replica, of the same start', async () => {
    const [one, two] = (await replicas(2)) as [SharedLog, SharedLog];
    for (let count = 0; count < 5; count++) one.append(ended(`u${count}`), 'r');
    await one.caughtUp();
    two.append(ended('u5'), 'r');
    await two.caughtUp();
    expect(two.start).toBe(one.start);
    expect(ids(two.since(3))).toEqual([4, 5, 6]);
    expect([one.lastId, two.lastId]).toEqual([5, 6]);
  });

  it('keeps the events that a log in memory keeps', async () => {
    const bounds = { capacity: 60, bytes: 60_000 };
    const [one, two] = (await replicas(2, undefined, bounds)) as [SharedLog, SharedLog];
    const memory = createEventLog({ ...bounds, now: () => 1000 });
    let seed = 7;
    const below = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let count = 0; count < 2000; count++) {
      const fact = below(3) === 0 ? ended(`u${count}`) : served(`/${count}`, 'x'.repeat(below(3000)));
      for (const log of [one, memory]) log.append(fact, 'r');
      await one.sent(); // one event in a batch, because memory makes room after each
    }
    for (const log of [one, two]) {
      await log.caughtUp();
      expect(ids(log.keptSince(0))).toEqual(ids(memory.keptSince(0)));
      expect(log.newestForgotten).toBe(memory.newestForgotten);
      expect(log.count('request.completed')).toBe(memory.count('request.completed'));
    }
  });

  it('bounds a flood that comes in large batches', async () => {
    const [one, two] = (await replicas(2, undefined, { capacity: 100, bytes: 50_000 })) as [SharedLog, SharedLog];
    one.append(ended('first'), 'r');
    for (let count = 0; count < 5000; count++) one.append(served(`/${count}`), 'r');
    await two.caughtUp();
    await one.sent();
    await two.caughtUp();
    expect(two.kept('request.completed')).toBe(100);
    expect(two.kept('session.ended')).toBe(1);
    expect(two.count('request.completed')).toBe(5000);
    const engine = await connect();
    const key = engine.key('log', `log-${names}`);
    const inEngine = await engine.send('XLEN', `${key}:events:request.completed`);
    expect(inEngine).toBeLessThanOrEqual(110);
    expect(await engine.send('LLEN', `${key}:weights:request.completed`)).toBe(inEngine);
  });

  it('is read in order by a replica that comes late, in several answers of the engine', async () => {
    const [one, two] = (await replicas(2, undefined, { capacity: 3000 })) as [SharedLog, SharedLog];
    for (let count = 0; count < 900; count++) one.append(served(`/${count}`), 'r');
    for (let count = 0; count < 900; count++) one.append(count % 3 === 0 ? served('/') : ended(`u${count}`), 'r');
    await one.sent();
    const heard: SandboxEvent[] = [];
    two.overhear(event => heard.push(event));
    await two.caughtUp();
    expect(ids(two.keptSince(0))).toEqual(upTo(1800));
    expect(two.latest('session.ended', 1)).toMatchObject([{ sub: 'u899' }]);
  });

  it('does not mix two logs of one engine', async () => {
    const [one, other] = [await replica(`log-${++names}`), await replica(`log-${++names}`)];
    one.append(ended('a'), 'r');
    other.append(ended('b'), 'r');
    for (const log of [one, other]) await log.caughtUp();
    expect(one.keptSince(0)).toMatchObject([{ id: 1, sub: 'a' }]);
    expect(other.keptSince(0)).toMatchObject([{ id: 1, sub: 'b' }]);
    expect(one.start).not.toBe(other.start);
  });

  it('is cleared for all replicas, and a gap is told to those who read before', async () => {
    const [one, two] = (await replicas(2)) as [SharedLog, SharedLog];
    one.append(ended('a'), 'r');
    one.append(ended('b'), 'r');
    await one.sent();
    await two.caughtUp();
    two.clear();
    two.append({ type: 'sandbox.reset' }, 'sandbox');
    await two.sent();
    await one.caughtUp();
    expect(ids(one.keptSince(0))).toEqual([3]);
    expect(one.since(1)).toBeUndefined();
    expect(one.count('session.ended')).toBe(0);
    expect(one.newestForgotten).toBe(2);
  });

  it('does not tell a new replica of older events', async () => {
    const [one] = (await replicas(1)) as [SharedLog];
    one.append({ type: 'sandbox.reset' }, 'sandbox');
    await one.sent();
    const two = await replica(`log-${names}`);
    const heard: number[] = [];
    two.overhear(({ id }) => heard.push(id));
    two.subscribe(({ id }) => heard.push(-id));
    await two.caughtUp();
    expect(ids(two.keptSince(0))).toEqual([1]);
    expect(heard).toEqual([]);
    one.append(ended('a'), 'r');
    await one.sent();
    await two.caughtUp();
    expect(heard).toEqual([2, -2]);
  });

  it('costs a replica nothing that only appends, and one command for what it appends in a turn', async () => {
    const engine = await connect();
    let runs = 0;
    const run: Engine['run'] = (...call) => {
      runs++;
      return engine.run(...call);
    };
    const counted = { ...engine, run };
    const [one, two] = [await replica(`log-${++names}`, { engine: counted }), await replica(`log-${names}`)];
    one.overhear(() => {});
    for (let count = 0; count < 5; count++) one.append(ended(`u${count}`), 'r');
    await one.sent();
    for (let count = 0; count < 5; count++) two.append(ended(`u${count}`), 'r');
    await two.sent();
    await two.caughtUp();
    expect(runs).toBe(2); // the first one began the log
    expect(one.keptSince(0)).toEqual([]);
    expect(ids(two.keptSince(0))).toEqual(upTo(10));
  });

  it('is gone for all when it is removed, and is not made again by those who still append', async () => {
    const [one, two] = (await replicas(2)) as [SharedLog, SharedLog];
    one.append(ended('a'), 'r');
    await two.caughtUp();
    await one.sent();
    await one.remove();
    two.append(ended('late'), 'r');
    await two.caughtUp();
    expect(two.keptSince(0)).toEqual([]);
    const engine = await connect();
    const key = engine.key('log', `log-${names}`);
    expect(await engine.send('EXISTS', `${key}:counts`, `${key}:events:session.ended`)).toBe(0);
    expect(await engine.send('TTL', key)).toBeGreaterThan(0);
    const again = await replica(`log-${names}`);
    again.append(ended('new'), 'r');
    await again.caughtUp();
    expect(again.keptSince(0)).toMatchObject([{ id: 1, sub: 'new' }]);
    expect(again.start).not.toBe(one.start);
    await two.remove(); // it has not heard of the new one
    await again.caughtUp();
    expect(again.keptSince(0)).toHaveLength(1);
  });

  it('has everything that a replica appended before it ended', async () => {
    const [one, two] = (await replicas(2)) as [SharedLog, SharedLog];
    for (let count = 0; count < 1200; count++) one.append(ended(`u${count}`), 'r');
    await one.close();
    one.append(ended('late'), 'r');
    await two.caughtUp();
    expect(two.count('session.ended')).toBe(1200);
  });
});

describe('following a shared log', () => {
  const heardBy = (log: EventLog) => {
    const heard: string[] = [];
    const stop = log.subscribe(event => heard.push(event.type === 'session.ended' ? event.sub : event.type));
    return { heard, stop };
  };

  it('hears all replicas in order, without anybody who reads', async () => {
    const [one, two, three] = (await replicas(3)) as [SharedLog, SharedLog, SharedLog];
    const { heard, stop } = heardBy(one);
    for (let count = 0; count < 20; count++) {
      (count % 2 === 0 ? two : three).append(ended(`u${count}`), 'r');
      await (count % 2 === 0 ? two : three).sent();
    }
    await expect.poll(() => heard).toEqual(upTo(19, 0).map(count => `u${count}`));
    stop();
    two.append(ended('later'), 'r');
    await two.sent();
    await one.caughtUp();
    expect(heard).toHaveLength(20);
  });

  it('hears two logs over one connection, which ends with the last one', async () => {
    const engine = await connect();
    let connections = 0;
    const duplicate = () => {
      connections++;
      return engine.duplicate();
    };
    const counted = { ...engine, duplicate };
    const [one, other] = [
      await replica(`log-${++names}`, { engine: counted }),
      await replica(`log-${++names}`, { engine: counted }),
    ];
    const writers = [await replica(`log-${names - 1}`), await replica(`log-${names}`)];
    const [a, b] = [heardBy(one), heardBy(other)];
    for (const [n, log] of writers.entries()) {
      log.append(ended(`u${n}`), 'r');
      await log.sent();
    }
    await expect.poll(() => [a.heard, b.heard]).toEqual([['u0'], ['u1']]);
    expect(connections).toBe(1);
    const watching = await connect();
    const blocked = async () => /blocked_clients:(\d+)/.exec(String(await watching.send('INFO', 'clients')))?.[1];
    await expect.poll(blocked).toBe('1');
    a.stop();
    b.stop();
    await expect.poll(blocked).toBe('0');
  });

  it('goes on for a log that began again before the old one ended', async () => {
    const engine = await connect();
    const name = `log-${++names}`;
    const [old, two] = [await replica(name, { engine }), await replica(name, { engine })];
    heardBy(old);
    const { heard } = heardBy(two);
    await old.close();
    const writer = await replica(name);
    writer.append(ended('a'), 'r');
    await writer.sent();
    await expect.poll(() => heard).toEqual(['a']);
  });

  it('waits for an event of another replica', async () => {
    const [one, two] = (await replicas(2)) as [SharedLog, SharedLog];
    const waiting = one.waitFor('session.ended', ({ sub }) => sub === 'bob');
    await two.caughtUp();
    two.append(ended('alice'), 'r');
    two.append(ended('bob'), 'r');
    expect(await waiting).toMatchObject({ sub: 'bob', id: 2 });
  });

  it('hears every event of a flood, also of one that is longer than the bell', async () => {
    const [one, two] = (await replicas(2, undefined, { capacity: 10_000 })) as [SharedLog, SharedLog];
    const { heard } = heardBy(one);
    const wanted = upTo(1499, 0).map(count => `u${count}`);
    for (const sub of wanted) {
      two.append(ended(sub), 'r');
      await two.sent();
    }
    await expect.poll(() => heard.length).toBe(1500);
    expect(heard).toEqual(wanted);
  });

  it('passes an error of a listener on, and tells the others', async () => {
    const errors: unknown[] = [];
    const one = await replica(`log-${++names}`, { onError: error => errors.push(error) });
    one.subscribe(() => {
      throw new TypeError('a mistake');
    });
    const { heard } = heardBy(one);
    one.append(ended('a'), 'r');
    await expect.poll(() => heard).toEqual(['a']);
    expect(errors).toEqual([new TypeError('a mistake')]);
  });
});

describe('while the engine is away', () => {
  it('nothing is thrown when it appends, what was appended comes later, once, and who follows hears it', async () => {
    const [one, two] = (await replicas(2)) as [SharedLog, SharedLog];
    const heard: number[] = [];
    one.subscribe(({ id }) => heard.push(id));
    two.append(ended('before'), 'r');
    await expect.poll(() => heard).toEqual([1]);
    const { start } = one;
    await running.kill();
    two.append(ended('meanwhile'), 'r');
    await two.sent();
    await expect(one.caughtUp()).rejects.toThrow(StoreUnavailable);
    await running.start();
    two.append(ended('after'), 'r');
    await expect.poll(() => heard).toEqual([1, 2, 3]);
    await one.caughtUp();
    // the engine has lost what it had, and goes on with what the replicas know
    expect(one.start).toBe(start);
    expect(one.latest('session.ended', 2)).toMatchObject([
      { id: 3, sub: 'after' },
      { id: 2, sub: 'meanwhile' },
    ]);
  });

  it('says once that events are lost, and bounds what it keeps', async () => {
    const engine = await connect();
    let isAway = true;
    const run: Engine['run'] = async (...call) => {
      if (isAway) throw new StoreUnavailable('away');
      return engine.run(...call);
    };
    const said: string[] = [];
    const onLoss = (sentence: string) => void said.push(sentence);
    const one = await replica(`log-${++names}`, { engine: { ...engine, run }, onLoss });
    for (let count = 0; count < 100; count++) {
      one.append(served(`/${count}`, 'x'.repeat(100_000)), 'r');
      await one.sent();
    }
    expect(said).toEqual(['away: events of this replica are missing from the log']);
    isAway = false;
    const two = await replica(`log-${names}`);
    await expect.poll(() => two.caughtUp().then(() => two.lastId), { interval: 20 }).toBeGreaterThan(0);
    await one.caughtUp();
    expect(one.count('request.completed')).toBeGreaterThan(70);
    expect(one.count('request.completed')).toBeLessThan(80);
  });

  it('waits, and can be read, while the engine has no room', async () => {
    const [one, two] = (await replicas(2)) as [SharedLog, SharedLog];
    one.append(ended('a'), 'r');
    await one.sent();
    const engine = await connect();
    await engine.send('CONFIG', 'SET', 'maxmemory', 1);
    try {
      one.append(ended('b'), 'r');
      await one.sent();
      await two.caughtUp();
      expect(two.keptSince(0)).toMatchObject([{ sub: 'a' }]);
    } finally {
      await engine.send('CONFIG', 'SET', 'maxmemory', 0);
    }
    expect(await two.waitFor('session.ended', ({ sub }) => sub === 'b')).toMatchObject({ id: 2 });
  });

  it('does not append twice what the engine took without an answer', async () => {
    const engine = await connect();
    let lost = 1;
    const run: Engine['run'] = async (...call) => {
      const answer = await engine.run(...call);
      if (lost-- > 0) throw new StoreUnavailable('the answer was lost');
      return answer;
    };
    const one = await replica(`log-${++names}`, { engine: { ...engine, run } });
    one.append(ended('a'), 'r');
    await one.sent();
    one.append(ended('b'), 'r');
    await one.caughtUp();
    expect(one.keptSince(0)).toMatchObject([
      { id: 1, sub: 'a' },
      { id: 2, sub: 'b' },
    ]);
  });
});
