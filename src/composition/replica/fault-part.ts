import type { ArmedFault } from '../../faults/fault.ts';
import type { SharedPart } from '../../replicas/shared-part.ts';
import type { IssuerFaults } from '../faults.ts';

export const faultPartName = 'faults';

/** The armed faults. Their budgets are charged in the engine, so that no fault meets more requests than it should. */
export function faultPart(faults: IssuerFaults): SharedPart {
  let seen = new Map<string, string>();
  let told: ReadonlyMap<string, string> = seen;

  const now = () => new Map((faults.current()?.armed.list() ?? []).map(fault => [fault.id, written(fault)]));
  async function take(id: string, json: string | undefined): Promise<void> {
    const { armed } = await faults.get();
    armed.put(id, json === undefined ? undefined : JSON.parse(json));
    seen = now();
  }
  return {
    name: faultPartName,
    changes() {
      if (faults.armedCount() === 0 && seen.size === 0) return none;
      told = seen;
      seen = now();
      const changed = [...seen].filter(([id, json]) => told.get(id) !== json);
      const gone = [...told.keys()].filter(id => !seen.has(id));
      return new Map<string, unknown>([
        ...changed.map(([id, json]) => [id, JSON.parse(json)] as const),
        ...gone.map(id => [id, undefined] as const),
      ]);
    },
    apply: (id, value) => take(id, value === undefined ? undefined : written(value as ArmedFault)),
    undo: id => take(id, told.get(id)),
  };
}

/** Without the number of requests that it holds, which is that of this replica. */
function written({ holds: _, ...fault }: ArmedFault): string {
  return JSON.stringify(fault);
}

const none: ReadonlyMap<string, unknown> = new Map();
