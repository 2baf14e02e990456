import type { Change } from '../../../src/base/events/change.ts';
import type { SandboxEvent } from '../../../src/base/events/event.ts';
import { createEventLog, type EventLog } from '../../../src/base/events/event-log.ts';
import { rotateKeys } from '../../../src/protocol/tokens/rotate-keys.ts';
import type { ControlParts } from '../../../src/sandbox/control/control-parts.ts';
import type { Control } from '../../../src/sandbox/control/create-control.ts';
import { createControl } from '../../../src/sandbox/control/create-control.ts';
import { forgetChanges } from '../../../src/sandbox/control/forget-changes.ts';
import {
  createTestServer,
  frontend,
  sensor,
  type TestServer,
  type TestServerOptions,
  users,
  web,
} from '../../support/server.ts';

export const defaults = {
  scope: 'openid',
  accessTokenLifetime: 300,
  requirePkce: false,
  idTokenAlg: 'RS256',
  consent: false,
};

export interface ControlledServer {
  readonly sandbox: TestServer;
  readonly control: Control;
  readonly parts: ControlParts;
  readonly log: EventLog;
  /** What was told since this was last asked. */
  told(): SandboxEvent[];
  /** Applied, or what was wrong, by member. */
  apply(change: Change): Promise<Readonly<Record<string, string>>>;
}

/** An authorization server whose log has what happened in it, and what can be changed of it. */
export function controlledServer(options: TestServerOptions = {}): ControlledServer {
  const sandbox = createTestServer(options);
  const { server, events } = sandbox;
  const log = createEventLog({ capacity: 1000, now: server.clock });
  const append = events.push.bind(events);
  events.push = (...facts) => {
    for (const fact of facts) log.append(fact, 'req_1');
    return append(...facts);
  };
  const scopes = [...server.scopes.values()];
  const clientDefaults = { ...defaults, scope: [...server.scopes.keys()].join(' ') };
  const entries = { clients: [frontend, sensor, web], users, scopes, collections: [], tokenClaims: [] };
  const config = { ...entries, clientDefaults, userLimit: 1000 };
  const collections = createCollections(config.collections, () => {});
  const parts: ControlParts = {
    config,
    server,
    collections,
    events: log,
    rotateKeys: options => rotateKeys(server, fact => void log.append(fact, 'sandbox'), options),
    reset: async () => forgetChanges({ server, config, collections }),
  };
  const control = createControl(parts);
  let seen = 0;
  return {
    sandbox,
    control,
    parts,
    log,
    told() {
      const news = log.since(seen) ?? [];
      seen = log.lastId;
      return news;
    },
    async apply(change) {
      const changed = await control.apply(change, 'api');
      if (changed.ok) return {};
      return Object.fromEntries(changed.problems.map(({ member, expected }) => [member, expected]));
    },
  };
}

import { createCollections } from '../../../src/sandbox/control/collections.ts';
