import { catalogue } from './catalogue.ts';
import type { ArmedBy, ArmedFault, FaultOrder } from './fault.ts';

export interface ArmedFaultsOptions {
  /** Unix seconds, of the wall: a budget in time must not end because somebody moved the clock. */
  readonly now: () => number;
  /** Told of each that comes and goes. */
  readonly onChange: (change: { readonly what: 'armed' | 'disarmed'; readonly fault: ArmedFault }) => void;
}

/** The faults that wait for requests, with their budgets. */
export interface ArmedFaults {
  /** In the order in which they were armed. */
  list(): readonly ArmedFault[];
  /** Undefined where too many are armed. */
  arm(order: FaultOrder, by: ArmedBy): ArmedFault | undefined;
  disarm(id: string): boolean;
  /** How many there were. */
  disarmAll(): number;
  /** One of its requests has come. */
  charge(fault: ArmedFault): ArmedFault;
}

const mostArmed = 200;

export function createArmedFaults({ now, onChange }: ArmedFaultsOptions): ArmedFaults {
  const armed = new Map<string, ArmedFault>();
  let count = 0;

  function end(fault: ArmedFault): void {
    armed.delete(fault.id);
    onChange({ what: 'disarmed', fault });
  }
  function list(): readonly ArmedFault[] {
    if (armed.size === 0) return none;
    for (const fault of armed.values()) if ((fault.until ?? Number.POSITIVE_INFINITY) <= now()) end(fault);
    return [...armed.values()];
  }

  return {
    list,
    arm(order, by) {
      if (list().length >= mostArmed) return undefined;
      const fault = armedFault(order, { id: `flt_${(++count).toString(36)}`, armedAt: now(), by });
      armed.set(fault.id, fault);
      onChange({ what: 'armed', fault });
      return fault;
    },
    disarm(id) {
      const fault = armed.get(id);
      if (fault !== undefined) end(fault);
      return fault !== undefined;
    },
    disarmAll() {
      const all = list();
      for (const fault of all) end(fault);
      return all.length;
    },
    charge(fault) {
      const times = fault.times === 'always' ? fault.times : fault.times - 1;
      const charged = { ...fault, times, met: fault.met + 1 };
      if (times === 0) end(charged);
      else armed.set(fault.id, charged);
      return charged;
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
