import type { ClientEntry, CollectionEntry, ScopeEntry, UserEntry } from '../config/sandbox-config.ts';
import { clockOf } from '../control/clock-of.ts';
import type { Named } from '../control/library-entries.ts';
import type { Issuer } from '../extension.ts';
import { handlesOf } from '../running-extensions.ts';
import { createCalls } from './calls.ts';
import { libraryEntries } from './entries.ts';
import type { SandboxIssuer } from './sandbox-issuer.ts';

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
