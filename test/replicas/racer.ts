import { connectEngine } from '../../src/replicas/engine.ts';
import { createEngineStore } from '../../src/replicas/engine-store.ts';
import type { Store } from '../../src/storage/store.ts';

// One of several processes that do the same at the same time, each with a connection of its own. It is started by `race.ts`.

/** One race: all racers do the same with the same entry. True for one that won it. */
const races: Readonly<Record<string, (store: Store, id: string) => Promise<boolean>>> = {
  take: async (store, id) => (await store.take(['code', id])) !== undefined,
  add: (store, id) => store.add(['jti', id], process.pid, 60),
};

const [url = '', kind = '', count = ''] = process.argv.slice(2);
const engine = await connectEngine({ url, prefix: 'sandbox' });
const store = createEngineStore({ engine, name: ['store', '/'], clock: () => 1_700_000_000 });
const race = races[kind];
process.once('message', async () => {
  const ids = Array.from({ length: Number(count) }, (_, index) => String(index));
  const won = await Promise.all(ids.map(id => race?.(store, id)));
  process.send?.(
    ids.filter((_, index) => won[index]),
    () => process.exit(),
  );
});
process.send?.('ready');
