import { lazily } from '../../base/lazily.ts';
import type { ControlParts } from '../control/create-control.ts';
import type { EntryKind } from '../control/entry.ts';
import type { SandboxEntries } from '../control/library-entries.ts';

/** Clients or users, for a caller in this process. The first call loads the code that changes them. */
export function libraryEntries<T extends object>(kind: EntryKind, parts: ControlParts): SandboxEntries<T> {
  const { get: entries } = lazily(async () => {
    const { createLibraryEntries } = await import('../control/library-entries.ts');
    return createLibraryEntries<T>(kind, parts);
  });
  return {
    list: async () => (await entries()).list(),
    get: async id => (await entries()).get(id),
    create: async entry => (await entries()).create(entry),
    replace: async (id, entry) => (await entries()).replace(id, entry),
    patch: async (id, members) => (await entries()).patch(id, members),
    delete: async id => (await entries()).delete(id),
    revert: async id => (await entries()).revert(id),
  };
}
