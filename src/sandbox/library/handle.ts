import { lazily } from '../../base/lazily.ts';
import type { ClientEntry, CollectionEntry, ScopeEntry, UserEntry } from '../config/sandbox-config.ts';
import { clockOf } from '../control/clock-of.ts';
import type { ControlParts } from '../control/create-control.ts';
import type { EntryKind } from '../control/entry.ts';
import type { Named, SandboxEntries } from '../control/library-entries.ts';
import type { Issuer } from '../extension.ts';
import { handlesOf } from '../running-extensions.ts';
import type { SandboxIssuer } from './calls.ts';
import { createCalls } from './calls.ts';

/** The handle of one issuer for callers in this process. */
export function handleOf(issuer: Issuer): SandboxIssuer {
  const { server, events, rotateKeys, reset } = issuer;
  return {
    issuer: server.issuer,
    events,
    clock: clockOf(issuer, 'library'),
    clients: libraryEntries<ClientEntry>('client', issuer),
    users: libraryEntries<UserEntry>('user', issuer),
    scopes: libraryEntries<Named<ScopeEntry>>('scope', issuer),
    resources: libraryEntries<Named<CollectionEntry>>('collection', issuer),
    ...createCalls(server, events, issuer.faults.control),
    ...handlesOf(issuer),
    rotateKeys,
    reset,
    async nextLogin(login) {
      const { expectNextLogin } = await import('../control/next-login.ts');
      await expectNextLogin(server, login);
    },
  };
}

/** Clients or users, for a caller in this process. The first call loads the code that changes them. */
function libraryEntries<T extends object>(kind: EntryKind, parts: ControlParts): SandboxEntries<T> {
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
