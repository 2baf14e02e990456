import type { EventLog } from '../../base/events/event-log.ts';
import { type Lazy, lazily } from '../../base/lazily.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { Tampering } from '../../protocol/tokens/signing-key.ts';
import type { Faults } from '../../server/faults/faults.ts';
import { magicOf, namesOf } from '../../server/faults/standing.ts';
import type { FaultControl } from '../control/faults.ts';
import type { createIssuerFaults } from './issuer-faults.ts';

type FaultParts = Parameters<typeof createIssuerFaults>[0] & { readonly events: EventLog };

/** Fault injection of one issuer: for its requests, and for the callers that arm faults. */
export interface IssuerFaults extends Lazy<Faults> {
  /** The faults for a request; undefined if none can apply. `asked` is the fault header of the request. */
  open(asked: string | undefined): Promise<Faults> | undefined;
  readonly tampering: Tampering;
  control(): Promise<FaultControl>;
  /** Number of armed faults; loads no module. */
  armedCount(): number;
  /** Must be called after clients or users have changed without an event of this process. */
  checkAgain(): void;
}

/** Decides for each request, at almost no cost, whether a fault could apply. The faults are loaded when one could. */
export function createFaultsOf({ events, ...parts }: FaultParts): IssuerFaults {
  const { server } = parts;
  const { isStanding, checkAgain } = createStandingCheck(server, events);
  let loaded: Faults | undefined; // each request asks for it
  const { get } = lazily(async () => {
    loaded = (await import('./issuer-faults.ts')).createIssuerFaults(parts);
    return loaded;
  });
  const armedCount = () => loaded?.armed.list().length ?? 0;

  function open(asked: string | undefined): Promise<Faults> | undefined {
    return armedCount() > 0 || asked !== undefined || isStanding() ? get() : undefined;
  }
  return {
    get,
    current: () => loaded,
    open,
    checkAgain,
    armedCount,
    tampering: {
      jwt(draft) {
        const isUnderway = loaded?.isUnderway(draft.emit) === true; // its last use has already been counted
        return (isUnderway ? get() : open(undefined))?.then(faults => faults.tampering.jwt(draft));
      },
    },
    async control() {
      const { faultControlOf } = await import('./issuer-faults.ts');
      return faultControlOf(server, await get());
    },
  };
}

/** Events after which a client or user may have gained or lost a fault. */
const changing = new Set<string>([
  ...['configuration.changed', 'configuration.reloaded', 'sandbox.reset', 'client.updated'],
]);

/** Looks through all clients and users again only after one of the events above, or when it is told to. */
function createStandingCheck({ clients, users }: AuthorizationServer, events: EventLog) {
  let seen = '';
  let isStanding = false;
  const checkAgain = () => {
    seen = '';
  };
  events.hearOwn(({ type }) => changing.has(type) && checkAgain());
  return {
    checkAgain,
    /** True if a client has configured faults, or a user's name selects one. */
    isStanding(): boolean {
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
