import { expect, it } from 'vitest';
import { connectEngine } from '../../src/extensions/replicas/engine.ts';
import { mapPart } from '../../src/extensions/replicas/parts.ts';
import { createSharedState } from '../../src/extensions/replicas/shared-state.ts';
import { StoreUnavailable } from '../../src/extensions/replicas/store-unavailable.ts';
import { startEngine } from './engine.ts';

function usersPart(users: Map<string, string>) {
  const put = (sub: string, name: string) => void users.set(sub, name);
  return mapPart({ name: 'users', map: users, put, remove: sub => void users.delete(sub) });
}

it('refuses a change that another request has taken along, when that is refused', async () => {
  await using running = await startEngine();
  const engine = await connectEngine({ url: running.url, prefix: 'along' });
  const state = createSharedState(engine);
  const users = new Map<string, string>();
  await state.join('/', usersPart(users));
  await state.refresh();
  await engine.send('CONFIG', 'SET', 'maxmemory', 1);
  users.set('zoe', 'new');
  const told = await Promise.allSettled([state.publish(), state.publish('/')]);
  const refused = { status: 'rejected', reason: expect.any(StoreUnavailable) };
  expect(told).toEqual([refused, refused]);
  expect([...users.keys()]).toEqual([]);
  await engine.send('CONFIG', 'SET', 'maxmemory', 0);
  users.set('zoe', 'again');
  expect(await Promise.allSettled([state.publish(), state.publish('/')])).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: undefined },
  ]);
  await engine.close();
});

it('lets an answer that was made in a turn wait for its end, and refuses it with a turn that was lost', async () => {
  await using running = await startEngine();
  const engine = await connectEngine({ url: running.url, prefix: 'turn' });
  const state = createSharedState(engine);
  const users = new Map<string, string>();
  await state.join('/', usersPart(users));
  const said: string[] = [];
  const change = (sub: string, isLost: boolean) => {
    let answer = Promise.resolve();
    const turn = state.exclusively(async () => {
      users.set(sub, 'new');
      answer = state.publish('/').then(() => void said.push(`${sub} answered`));
      answer.catch(() => {}); // the test looks at it below
      if (isLost) await engine.send('DEL', engine.key('state', 'turn'));
      await state.refresh();
      said.push(`${sub} done`);
    });
    return Promise.allSettled([turn, turn.then(undefined, () => {}).then(() => answer)]);
  };
  expect((await change('kept', false)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  const lost = { status: 'rejected', reason: expect.any(StoreUnavailable) };
  expect(await change('lost', true)).toEqual([lost, lost]);
  expect(said).toEqual(['kept done', 'kept answered', 'lost done']);
  expect([...users.keys()]).toEqual(['kept']);
  await engine.close();
});
