import { durationWords, secondsIn } from '../clock/duration.ts';
import { expectedName } from '../text/nearest.ts';
import { catalogue } from './catalogue.ts';
import type { AskedFault, FaultKind, FaultOrder } from './fault.ts';

/** What is wrong with an order, by member. */
export interface OrderFault {
  readonly member: string;
  readonly sent: string;
  readonly expected: string;
}

const longestWait = 60;
const most = 1_000_000;

/** The order in seconds; NaN for what is no duration, which the checks below find. */
export function inSeconds({ seconds, for: lasts, ...order }: AskedFault): FaultOrder {
  return {
    ...order,
    ...(seconds === undefined ? {} : { seconds: secondsIn(seconds) ?? Number.NaN }),
    ...(lasts === undefined ? {} : { for: secondsIn(lasts) ?? Number.NaN }),
  };
}

/** All that the shape of an order cannot say: whether there is such a fault, and whether it can be had there. */
export function orderFaults(
  order: FaultOrder,
  known: { readonly endpoints: readonly string[] },
): readonly OrderFault[] {
  const kind = catalogue.get(order.fault);
  if (kind === undefined)
    return [{ member: 'fault', sent: order.fault, expected: expectedName(order.fault, [...catalogue.keys()]) }];
  return [...endpointFaults(kind, order, known.endpoints), ...parameterFaults(kind, order), ...budgetFaults(order)];
}

function endpointFaults(kind: FaultKind, { endpoint }: FaultOrder, known: readonly string[]): readonly OrderFault[] {
  if (endpoint === undefined) return [];
  const names = kind.endpoints.length > 0 ? kind.endpoints : ['any', ...known];
  return names.includes(endpoint)
    ? []
    : [{ member: 'endpoint', sent: endpoint, expected: expectedName(endpoint, names) }];
}

function parameterFaults(kind: FaultKind, order: FaultOrder): readonly OrderFault[] {
  const foreign = (['seconds', 'error', 'member', 'status'] as const).filter(
    name => order[name] !== undefined && !(name in kind.parameters),
  );
  const own = Object.keys(kind.parameters).join(', ');
  const expected = own === '' ? `nothing: ${kind.name} has no parameter` : `${own}: the parameters of ${kind.name}`;
  const odd = foreign.map(member => ({ member, sent: String(order[member]), expected }));
  const { seconds, error, token, status } = order;
  const long = seconds !== undefined && !(seconds >= 0 && seconds <= longestWait);
  const strange = error !== undefined && !/^[a-z_]{1,60}$/.test(error);
  return [
    ...odd,
    ...(long
      ? [{ member: 'seconds', sent: String(seconds), expected: `${durationWords}, ${longestWait} s at most` }]
      : []),
    ...(token !== undefined && kind.tokens?.includes(token === 'both' ? 'id' : token) !== true
      ? [
          {
            member: 'token',
            sent: token,
            expected: kind.tokens?.join(', ') ?? `nothing: ${kind.name} is not of a token`,
          },
        ]
      : []),
    ...(status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599)
      ? [{ member: 'status', sent: String(status), expected: '400 to 599' }]
      : []),
    ...(strange ? [{ member: 'error', sent: error, expected: 'an error code, such as invalid_grant' }] : []),
  ];
}

function budgetFaults({ times, probability, for: seconds }: FaultOrder): readonly OrderFault[] {
  const faults: OrderFault[] = [];
  const isTimes = times === undefined || times === 'always' || (Number.isInteger(times) && times >= 1 && times <= most);
  if (!isTimes) faults.push({ member: 'times', sent: String(times), expected: `1 to ${most}, or always` });
  const isLikely = probability === undefined || (probability > 0 && probability <= 1);
  if (!isLikely) faults.push({ member: 'probability', sent: String(probability), expected: 'more than 0, up to 1' });
  const isTime = seconds === undefined || seconds > 0;
  if (!isTime) faults.push({ member: 'for', sent: String(seconds), expected: `${durationWords}, more than 0` });
  return faults;
}
