import type { FaultControl } from '../control/faults.ts';
import type { Emit } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { SharedCharge } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { magicOf, namesOf } from '../faults/standing.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { Tampering } from '../oauth/tampering.ts';

export interface FaultParts {
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  readonly emit: Emit;
  /** Real time in Unix seconds. */
  readonly now: () => number;
  /** Charges a fault whose budget all replicas share. */
  readonly charge?: SharedCharge | undefined;
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
  /** Lets requests go that a fault holds. */
  release(): void;
  /** The faults, once a fault was armed or asked for. */
  current(): Faults | undefined;
  /** The faults; loads them. */
  get(): Promise<Faults>;
  /** Must be called after clients or users have changed without an event of this process. */
  checkAgain(): void;
}

/** Decides for each request, at almost no cost, whether a fault could apply. The faults are loaded when one could. */
export function createFaultsOf({ server, events, emit, now, charge }: FaultParts): IssuerFaults {
  const { isStanding, checkAgain } = createStandingCheck(server, events);
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
    checkAgain,
    tampering: {
      jwt(draft) {
        const isUnderway = loaded?.isUnderway(draft.emit) === true; // its last use has already been counted
        return (isUnderway ? get() : open(undefined))?.then(faults => faults.tampering.jwt(draft));
      },
    },
    armedCount: () => loaded?.armed.list().length ?? 0,
    disarmAll: () => void loaded?.armed.disarmAll(),
    release: () => void loaded?.armed.release(),
    current: () => loaded,
    get,
    async control() {
      const { faultControlOf } = await import('./issuer-faults.ts');
      return faultControlOf(server, await get());
    },
  };
}

/** Events after which a client or user may have gained or lost a fault. */
const changing: ReadonlySet<string> = new Set([
  ...['configuration.changed', 'configuration.reloaded', 'sandbox.reset', 'client.updated'],
]);

interface StandingCheck {
  /** True if a client has configured faults, or a user's name selects one. */
  isStanding(): boolean;
  checkAgain(): void;
}

/** Looks through all clients and users again only after one of the events above, or when it is told to. */
function createStandingCheck({ clients, users }: AuthorizationServer, events: EventLog): StandingCheck {
  let seen = '';
  let isStanding = false;
  const checkAgain = () => {
    seen = '';
  };
  events.hearOwn(({ type }) => changing.has(type) && checkAgain());
  return {
    checkAgain,
    isStanding() {
      const now = `${clients.size} ${users.size}`;
      if (now === seen) return isStanding;
      seen = now;
      isStanding =
        [...clients.values()].some(({ faults = [] }) => faults.length > 0) ||
        [...users.values()].some(user => magicOf(namesOf(user)) !== undefined);
      return isStanding;
    },
  };
}
