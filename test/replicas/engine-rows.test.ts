import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine, type Engine } from '../../src/extensions/replicas/engine.ts';
import { createEngineRows } from '../../src/extensions/replicas/engine-rows.ts';
import type { Row } from '../../src/server/resources/rows.ts';
import { describeRows } from '../server/resources/rows-contract.ts';
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
const seed = new Map<number, Row>([[1, { id: 1, name: 'Saddle' }]]);
const rowsOf = (issuer: string, name = 'bikes', definition: object = {}, rows: ReadonlyMap<number, Row> = seed) =>
  createEngineRows(engine, ['rows', issuer])({ name, definition, seed: rows, mostCreated: 1000 });

describeRows('rows in the engine', rows => rowsOf(`/${issuers++}`, 'bikes', {}, rows));

describe('rows in the engine', () => {
  const values = new Map([['name', 'Pump']]);

  it('are the same for all replicas, each with an id of its own', async () => {
    const issuer = `/${issuers++}`;
    const [one, two] = [rowsOf(issuer), rowsOf(issuer)];
    const created = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).create(values)));
    expect(new Set(created.map(({ id }) => id)).size).toBe(20);
    expect(await one.all()).toEqual(await two.all());
    expect(await one.all()).toHaveLength(21);
    await two.reset();
    expect(await one.all()).toEqual([...seed.values()]);
  });

  it('are others for another issuer, collection, or definition', async () => {
    const issuer = `/${issuers++}`;
    await rowsOf(issuer).create(values);
    const others = [rowsOf(`${issuer}-other`), rowsOf(issuer, 'products'), rowsOf(issuer, 'bikes', { fields: {} })];
    for (const rows of others) expect(await rows.all()).toEqual([...seed.values()]);
  });

  it('let one of two replicas delete a row, and none replace it afterwards', async () => {
    const issuer = `/${issuers++}`;
    const [one, two] = [rowsOf(issuer), rowsOf(issuer)];
    expect((await Promise.all([one.delete(1), two.delete(1)])).sort()).toEqual([false, true]);
    expect(await one.replace(1, values)).toBeUndefined();
    expect(await two.all()).toEqual([]);
  });
});
