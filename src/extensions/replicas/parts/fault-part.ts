import type { IssuerFaults } from '../../../sandbox/issuer/faults.ts';
import type { ArmedFault } from '../../../server/faults/fault.ts';
import type { SharedPart } from '../shared-part.ts';
import { comparedPart } from './compared-part.ts';

export const faultPartName = 'faults';

/** The armed faults. Their budgets are charged in the engine, so that no fault meets more requests than it should. */
export function faultPart(faults: IssuerFaults): SharedPart {
  return comparedPart<ArmedFault>({
    name: faultPartName,
    list: () => (faults.current()?.armed.list() ?? none).map(shared),
    idOf: ({ id }) => id,
    told: ({ times: _, met: __, ...fault }) => fault, // a charge has told its budget already
    taker: async () => (await faults.get()).armed,
  });
}

const none: readonly never[] = [];

/** Without the number of requests that it holds, which is that of this replica. */
function shared({ holds: _, ...fault }: ArmedFault): ArmedFault {
  return fault;
}
