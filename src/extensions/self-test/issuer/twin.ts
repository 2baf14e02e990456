import { createEventLog } from '../../../base/events/event-log.ts';
import { createMemoryStore } from '../../../base/storage/memory-store.ts';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import { earlierTime } from '../../../protocol/client-time.ts';
import { createClientDirectory } from '../../../protocol/clients/client-directory.ts';
import { createSigningKeys, type SigningKeys } from '../../../protocol/tokens/signing-keys.ts';
import { createUserDirectory, type TestUser } from '../../../protocol/users/user.ts';
import { createBreakpointsOf } from '../../../sandbox/composition/breakpoints.ts';
import type { Core } from '../../../sandbox/composition/core.ts';
import { createFront } from '../../../sandbox/composition/front.ts';
import { createCollections } from '../../../sandbox/control/collections.ts';

export type Twin = ReturnType<typeof createTwin>;

/**
 * A copy of an issuer with its own memory: registrations, storage, sessions and log are separate. Endpoints, grants,
 * features and keys are the very same objects, so it answers in the same way. `guest` is an additional user.
 */
export function createTwin(core: Omit<Core, 'events' | 'users' | 'operations' | 'fileState'>, guest: TestUser) {
  const { config, server: original } = core;
  const { clock } = original;
  const users = createUserDirectory(
    [...config.users, guest],
    config.clients.map(client => client.client_id),
  );
  const trustedIssuers = new Map(original.trustedIssuers);
  const server: AuthorizationServer = {
    ...original,
    users,
    trustedIssuers,
    autoLogin: { byHint: false, prompt: 'silent' }, // the test uses the login page
    ...(original.dropIns && { dropIns: { ...original.dropIns, metadataOverrides: {} } }), // nobody keeps those promises
    clients: createClientDirectory(config.clients),
    store: createMemoryStore({ clock }),
    fetched: createMemoryStore({ clock: original.elapsed }),
    usedJwts: createMemoryStore({ clock: () => earlierTime(original) }),
    keys: withKeysOfItsOwn(original.keys),
    lifetimes: longEnough(original.lifetimes),
  };
  const events = createEventLog({ capacity: 100, now: clock });
  // the test sends more requests at once than any limit allows
  const unlimited = { ...config, rateLimit: 0, loginRateLimit: 0 };
  const operations = { rotateKeys: async () => {}, reset: async () => {} }; // the test must not change the original
  const collections = createCollections(core.collections.all, () => {});
  const breakpoints = createBreakpointsOf(server, clock); // those of the original hold its own clients only
  const own = { server, users, events, collections, operations, breakpoints, fileState: () => ({}) };
  const front = createFront({ ...core, ...own, apiClock: clock, config: unlimited });
  return { server, trustedIssuers, listener: front.listener, close: front.closeStreams };
}

/** Lifetimes of at least 60 s. A shorter configured lifetime could expire during the self-test on a busy machine. */
function longEnough(lifetimes: AuthorizationServer['lifetimes']): AuthorizationServer['lifetimes'] {
  const atLeast = (seconds: number) => Math.max(seconds, 60);
  return {
    code: atLeast(lifetimes.code),
    accessToken: atLeast(lifetimes.accessToken),
    idToken: atLeast(lifetimes.idToken),
    refreshToken: atLeast(lifetimes.refreshToken),
    session: atLeast(lifetimes.session),
    pushedRequest: atLeast(lifetimes.pushedRequest),
    deviceCode: atLeast(lifetimes.deviceCode),
  };
}

/** The existing keys, and separate keys for algorithms without a key yet, which are dropped with the twin. */
function withKeysOfItsOwn(keys: SigningKeys): SigningKeys {
  const known = new Set(keys.algs);
  const others = createSigningKeys({ algs: [] });
  return {
    get algs() {
      return [...keys.algs, ...others.algs];
    },
    forAlg: (alg, use) => (known.has(alg) ? keys : others).forAlg(alg, use),
    prepare: others.prepare,
    find: async kid => (await keys.find(kid)) ?? others.find(kid),
    jwks: async () => ({ keys: [...(await keys.jwks()).keys, ...(await others.jwks()).keys] }),
    revision: () => `${keys.revision()} ${others.revision()}`,
    rotate: (alg, publishedUntil) => others.rotate(alg, publishedUntil),
    unpublish: others.unpublish,
    kept: others.kept,
    keep: others.keep,
    list: async () => [...(await keys.list()), ...(await others.list())],
  };
}
