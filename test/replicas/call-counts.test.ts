import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngineCounts } from '../../src/extensions/replicas/call-counts.ts';
import { connectEngine, type Engine } from '../../src/extensions/replicas/engine.ts';
import { startEngine, type TestEngine } from './engine.ts';

let running: TestEngine;
let engine: Engine;
beforeAll(async () => {
  running = await startEngine();
  engine = await connectEngine({ url: running.url, prefix: 'sandbox' });
});
afterAll(async () => {
  await engine?.close();
  await running?.[Symbol.asyncDispose]();
});

let issuers = 0;
let issuer: string[];
beforeEach(() => {
  issuer = ['counts', `/${issuers++}`];
});
const countsOf = (name = 'token', milliseconds = 60_000) => createEngineCounts(engine, issuer)(name, milliseconds);

describe('counts of calls in the engine', () => {
  it('go on at the next replica, apart for each address, limit and issuer', async () => {
    const [one, two] = [countsOf(), countsOf()];
    const hits = async (store: ReturnType<typeof countsOf>, address = '::1') =>
      (await store.increment(address)).totalHits;
    expect([await hits(one), await hits(two), await hits(one)]).toEqual([1, 2, 3]);
    expect(await hits(one, '127.0.0.1')).toBe(1);
    expect(await hits(countsOf('login'))).toBe(1);
    issuer = ['counts', '/other'];
    expect(await hits(countsOf())).toBe(1);
  });

  it('begin again when their time is over, also after a count was taken back', async () => {
    const counts = countsOf('token', 60);
    await counts.increment('::1');
    const { resetTime } = await counts.increment('::1');
    expect(resetTime?.getTime()).toBeGreaterThan(0);
    await expect.poll(async () => await engine.send('EXISTS', engine.key(...issuer, 'token', '::1'))).toBe(0);
    await counts.decrement('::1');
    expect(await engine.send('EXISTS', engine.key(...issuer, 'token', '::1'))).toBe(0);
    expect((await counts.increment('::1')).totalHits).toBe(1);
  });

  it('take one back, and forget an address', async () => {
    const counts = countsOf();
    await counts.increment('::1');
    await counts.increment('::1');
    await counts.decrement('::1');
    expect((await counts.increment('::1')).totalHits).toBe(2);
    await counts.resetKey('::1');
    expect((await counts.increment('::1')).totalHits).toBe(1);
  });
});
