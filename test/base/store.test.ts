import { createMemoryStore, type MemoryStoreOptions } from '../../src/base/store.ts';
import { describeStore } from './store-contract.ts';

function create(options: Partial<MemoryStoreOptions> = {}) {
  let time = 1_700_000_000;
  const store = createMemoryStore({ clock: () => time, ...options });
  return {
    store,
    pass(seconds: number) {
      time += seconds;
    },
  };
}

describeStore('the memory store', create);
