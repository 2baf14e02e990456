import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine } from '../../src/extensions/replicas/engine.ts';
import { script } from '../../src/extensions/replicas/script.ts';
import { StoreUnavailable } from '../../src/extensions/replicas/store-unavailable.ts';
import { startEngine, type TestEngine } from './engine.ts';

describe('the connection to the engine', () => {
  let running: TestEngine;
  beforeAll(async () => {
    running = await startEngine();
  });
  afterAll(() => running[Symbol.asyncDispose]());
  const connect = (prefix = 'sandbox') => connectEngine({ url: running.url, prefix });

  it('runs a script, also one that the engine has forgotten', async () => {
    const engine = await connect();
    const doubled = script('return tonumber(ARGV[1]) * 2');
    expect(await engine.run(doubled, [], [21])).toBe(42);
    await engine.send('SCRIPT', 'FLUSH');
    expect(await engine.run(doubled, [], [4])).toBe(8);
    await engine.close();
  });

  it('derives the same secret on each replica, and another one for another purpose or sandbox', async () => {
    const [one, two, other] = [await connect(), await connect(), await connect('other')];
    expect(one.secret('cookies')).toBe(two.secret('cookies'));
    expect(one.secret('cookies')).not.toBe(one.secret('nonces'));
    expect(one.secret('cookies')).not.toBe(other.secret('cookies'));
    for (const each of [one, two, other]) await each.close();
  });

  it('says 503 while the engine is away, and goes on when it is back', async () => {
    const states: string[] = [];
    const engine = await connectEngine({ url: running.url, prefix: 's', onState: state => void states.push(state) });
    await running.kill();
    const refused = await engine.send('PING').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect(refused).toMatchObject({ status: 503, code: 'temporarily_unavailable' });
    await running.start();
    await expect.poll(() => engine.state).toBe('UP');
    expect(await engine.send('PING')).toBe('PONG');
    expect(states).toEqual(['UP', 'DOWN', 'UP']);
    await engine.close();
  });

  it('names the address, and not the password, when nothing answers at the start', async () => {
    const url = `redis://user:hidden@127.0.0.1:1/0`;
    const refused = await connectEngine({ url, prefix: 's' }).catch((error: unknown) => error);
    expect(String(refused)).toContain('redis://127.0.0.1:1/0');
    expect(String(refused)).not.toContain('hidden');
  });
});
