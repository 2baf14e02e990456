import type { FaultControl } from '../control/faults.ts';
import type { Emit } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Faults } from '../faults/faults.ts';
import { magicOf, namesOf } from '../faults/standing.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { Tampering } from '../oauth/tampering.ts';
import type { IssuerState } from './issuer-state.ts';

export interface FaultParts {
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  readonly emit: Emit;
  /** Real time in Unix seconds. */
  readonly now: () => number;
  /** Charges a fault whose budget all replicas share. */
  readonly charge?: IssuerState['charge'] | undefined;
}

/** Fault injection of one issuer: for its requests, and for the callers that arm faults. */
export interface IssuerFaults {
  /** The faults for a request; undefined if none can apply. `asked` is the fault header of the request. */
  open(asked: string | undefined): Promise<Faults> | undefined;
  readonly tampering: Tampering;
  control(): Promise<FaultControl>;
  /** Number of armed faults; loads no module. */
  armedCount(): number;
  /** Disarms all faults. */
  disarmAll(): void;
  /** The faults, once a fault was armed or asked for. */
  current(): Faults | undefined;
  /** The faults; loads them. */
  get(): Promise<Faults>;
}

/** Decides for each request, at almost no cost, whether a fault could apply. The faults are loaded when one could. */
export function createFaultsOf({ server, events, emit, now, charge }: FaultParts): IssuerFaults {
  const isStanding = createStandingCheck(server, events);
  let loading: Promise<Faults> | undefined;
  let loaded: Faults | undefined;

  async function load(): Promise<Faults> {
    const { createIssuerFaults } = await import('./issuer-faults.ts');
    loaded = createIssuerFaults({ server, emit, now, charge });
    return loaded;
  }
  function get(): Promise<Faults> {
    loading ??= load();
    return loading;
  }
  function open(asked: string | undefined): Promise<Faults> | undefined {
    const isArmed = loaded !== undefined && loaded.armed.list().length > 0;
    return isArmed || asked !== undefined || isStanding() ? get() : undefined;
  }
  return {
    open,
    tampering: {
      jwt(draft) {
        const isUnderway = loaded?.isUnderway(draft.emit) === true; // its last use has already been counted
        return (isUnderway ? get() : open(undefined))?.then(faults => faults.tampering.jwt(draft));
      },
    },
    armedCount: () => loaded?.armed.list().length ?? 0,
    disarmAll: () => void loaded?.armed.disarmAll(),
    current: () => loaded,
    get,
    async control() {
      const { faultControlOf } = await import('./issuer-faults.ts');
      return faultControlOf(server, await get());
    },
  };
}

/** Events after which a client or user may have gained or lost a fault. */
const changing = ['configuration.changed', 'configuration.reloaded', 'sandbox.reset', 'client.updated'] as const;

/**
 * True if a client has configured faults, or a user's name selects one. Computed again only after one of the events
 * above.
 */
function createStandingCheck({ clients, users }: AuthorizationServer, events: EventLog): () => boolean {
  let seen = '';
  let isStanding = false;
  return () => {
    const changes = changing.reduce((sum, type) => sum + events.count(type), 0);
    const now = `${clients.size} ${users.size} ${changes}`;
    if (now === seen) return isStanding;
    seen = now;
    isStanding =
      [...clients.values()].some(({ faults = [] }) => faults.length > 0) ||
      [...users.values()].some(user => magicOf(namesOf(user)) !== undefined);
    return isStanding;
  };
}
