import { catalogue } from './catalogue.ts';
import type { ArmedBy, ArmedFault, FaultOrder, SharedCharge } from './fault.ts';

interface ArmedFaultsOptions {
  /** Unix seconds of the real time, so that a moved clock does not end a fault. */
  readonly now: () => number;
  /** Charges a fault where its budget is kept for all replicas. Default: here. */
  readonly charge?: SharedCharge | undefined;
  /** Called for each armed and each disarmed fault. */
  readonly onChange: (change: { readonly what: 'armed' | 'disarmed'; readonly fault: ArmedFault }) => void;
}

/** The faults that are waiting for requests, with their budgets. */
export interface ArmedFaults {
  /** In the order in which they were armed. */
  list(): readonly ArmedFault[];
  /** Returns undefined if too many faults are armed. */
  arm(order: FaultOrder, by: ArmedBy): ArmedFault | undefined;
  disarm(id: string): boolean;
  /** Returns the number of disarmed faults. */
  disarmAll(): number;
  /** Lets all requests go that a fault holds. */
  release(): void;
  /** Charges one request to a fault; undefined if it is over. One that holds requests ends when it releases the last. */
  charge(fault: ArmedFault, isToHold: boolean): Promise<ArmedFault | undefined>;
  /** Puts a fault that another replica armed or charged; undefined for one that is over. Nobody is told. */
  put(id: string, fault: ArmedFault | undefined): void;
  /** Waits until the fault is disarmed or the client is gone. Without a fault, it waits until all are disarmed. */
  hold(fault: ArmedFault | undefined, gone: Promise<unknown>): Promise<void>;
}

export const mostArmed = 200;
/** Longest timer of Node, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** The armed faults, and how they come and go. */
function createFaultList({ now, onChange }: Pick<ArmedFaultsOptions, 'now' | 'onChange'>) {
  const armed = new Map<string, ArmedFault>();
  const holds = createHolds();
  let count = 0;

  function end(fault: ArmedFault): void {
    armed.delete(fault.id);
    holds.release(fault.id);
    onChange({ what: 'disarmed', fault });
  }
  function list(): readonly ArmedFault[] {
    if (armed.size === 0) return none;
    for (const fault of armed.values()) if ((fault.until ?? Number.POSITIVE_INFINITY) <= now()) end(fault);
    return [...armed.values()].map(fault => ({ ...fault, ...holds.of(fault.id) }));
  }
  function arm(order: FaultOrder, by: ArmedBy): ArmedFault | undefined {
    if (list().length >= mostArmed) return undefined;
    const fault = armedFault(order, { id: `flt_${(++count).toString(36)}`, armedAt: now(), by });
    armed.set(fault.id, fault);
    // tells observers of the end at once instead of with the next request
    if (order.for !== undefined) setTimeout(list, Math.min(order.for * 1000 + 50, longestTimer)).unref();
    onChange({ what: 'armed', fault });
    return fault;
  }
  function put(id: string, fault: ArmedFault | undefined): void {
    count = Math.max(count, Number.parseInt(id.replace('flt_', ''), 36) || 0); // so that the next id is a new one
    if (fault !== undefined) return void armed.set(id, fault);
    armed.delete(id);
    holds.release(id);
  }
  return { armed, holds, end, list, arm, put };
}

export function createArmedFaults({ charge, ...options }: ArmedFaultsOptions): ArmedFaults {
  const { armed, holds, end, list, arm, put } = createFaultList(options);

  function chargedHere({ id }: ArmedFault): ArmedFault | undefined {
    const fault = armed.get(id); // another request may have been first
    if (fault === undefined || fault.times === 0) return undefined;
    return { ...fault, times: fault.times === 'always' ? fault.times : fault.times - 1, met: fault.met + 1 };
  }
  return {
    list,
    arm,
    put,
    disarm(id) {
      const fault = armed.get(id);
      if (fault !== undefined) end(fault);
      return fault !== undefined;
    },
    release: holds.releaseAll,
    disarmAll() {
      const all = list();
      for (const fault of all) end(fault);
      holds.releaseAll();
      return all.length;
    },
    async charge(fault, isToHold) {
      const charged = charge === undefined ? chargedHere(fault) : await charge(fault, isToHold);
      if (charged === undefined) return undefined;
      if (charged.times === 0 && !isToHold) end(charged);
      else if (armed.has(fault.id)) armed.set(fault.id, charged); // another replica may have had the last of it
      return charged;
    },
    async hold(fault, gone) {
      const timer = fault?.until === undefined ? undefined : setTimeout(list, (fault.until - options.now()) * 1000 + 1);
      await holds.hold(fault?.id, gone);
      clearTimeout(timer);
      const met = armed.get(fault?.id ?? '');
      if (met?.times === 0 && holds.of(met.id).holds === undefined) end(met); // the last held request was released
    },
  };
}

const none: readonly never[] = [];

function armedFault(order: FaultOrder, stamp: Pick<ArmedFault, 'id' | 'armedAt' | 'by'>): ArmedFault {
  const { times = 1, for: seconds } = order;
  const endpoint = order.endpoint ?? catalogue.get(order.fault)?.endpoint ?? 'any';
  const until = seconds === undefined ? {} : { until: stamp.armedAt + seconds };
  return { ...order, ...stamp, endpoint, times, met: 0, ...until };
}

/** Makes the register of held requests. */
function createHolds() {
  const waiting = new Map<string, Set<() => void>>();

  function release(id: string): void {
    for (const go of waiting.get(id) ?? []) go();
    waiting.delete(id);
  }
  return {
    release,
    /** Waits until the request is released or the client is gone. */
    async hold(id = '', gone: Promise<unknown>): Promise<void> {
      const its = waiting.get(id) ?? new Set();
      waiting.set(id, its);
      await new Promise<void>(resolve => {
        its.add(resolve);
        gone.then(() => {
          its.delete(resolve);
          resolve();
        });
      });
    },
    /** Returns the number of requests that a fault holds. */
    of(id: string): { readonly holds?: number } {
      const count = waiting.get(id)?.size ?? 0;
      return count === 0 ? {} : { holds: count };
    },
    releaseAll(): void {
      for (const id of [...waiting.keys()]) release(id);
    },
  };
}
