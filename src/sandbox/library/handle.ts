import type { ClientEntry, CollectionEntry, ScopeEntry, UserEntry } from '../config/sandbox-config.ts';
import { clockOf } from '../control/clock-of.ts';
import type { Named } from '../control/library-entries.ts';
import { inTurnHere, type RunInTurn } from '../control/replica-turn.ts';
import type { ShortLivedConfig, ShortLivedOptions } from '../control/short-lived.ts';
import type { Issuer, OwnIssuers } from '../extension.ts';
import { handlesOf } from '../running-extensions.ts';
import { createCalls } from './calls.ts';
import { libraryEntries } from './entries.ts';
import type { SandboxIssuer, ShortLivedIssuer } from './sandbox-issuer.ts';

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

/** Makes the handles of a sandbox, and runs calls that change several issuers. */
export interface HandleMaker {
  handle(issuer: Issuer): SandboxIssuer;
  readonly inTurn: RunInTurn;
  /** Runs work that one replica does for all, or leaves it to the one that is at it, or to a later call while the engine is away. */
  alone(work: () => Promise<void>): Promise<void>;
}

/** Those of a process without replicas, where each call is at once known everywhere. */
export const handlesHere: HandleMaker = {
  handle: handleOf,
  inTurn: inTurnHere,
  alone: work => work(),
};

/** Makes one more, as a caller in this process sees it. */
export function shortLivedHandle(
  issuers: () => Promise<OwnIssuers>,
  { handle, inTurn }: Pick<HandleMaker, 'handle' | 'inTurn'>,
  config: ShortLivedConfig = {},
  options: ShortLivedOptions = {},
): Promise<ShortLivedIssuer> {
  return inTurn(async () => {
    const { issuer, told, stop: end } = await (await issuers()).createHere(config, options);
    const stop = () => inTurn(async () => end());
    return { ...handle(issuer), ...told, stop, [Symbol.asyncDispose]: stop };
  });
}
