import { nearestName } from '../oauth/nearest.ts';
import { catalogue } from './catalogue.ts';
import type { FaultKind, FaultOrder } from './fault.ts';

/** What is wrong with an order, by member. */
export interface OrderFault {
  readonly member: string;
  readonly sent: string;
  readonly expected: string;
}

const longestWait = 60;
const most = 1_000_000;

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
  const foreign = (['seconds', 'error', 'member'] as const).filter(
    name => order[name] !== undefined && !(name in kind.parameters),
  );
  const own = Object.keys(kind.parameters).join(', ');
  const expected = own === '' ? `nothing: ${kind.name} has no parameter` : `${own}: the parameters of ${kind.name}`;
  const odd = foreign.map(member => ({ member, sent: String(order[member]), expected }));
  const { seconds, error, token } = order;
  const long = seconds !== undefined && !(seconds >= 0 && seconds <= longestWait);
  const strange = error !== undefined && !/^[a-z_]{1,60}$/.test(error);
  return [
    ...odd,
    ...(long ? [{ member: 'seconds', sent: String(seconds), expected: `0 to ${longestWait}` }] : []),
    ...(token !== undefined && kind.tokens?.includes(token === 'both' ? 'id' : token) !== true
      ? [
          {
            member: 'token',
            sent: token,
            expected: kind.tokens?.join(', ') ?? `nothing: ${kind.name} is not of a token`,
          },
        ]
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
  if (!isTime) faults.push({ member: 'for', sent: String(seconds), expected: 'seconds, more than 0' });
  return faults;
}

function expectedName(sent: string, names: readonly string[]): string {
  const nearest = nearestName(sent, names);
  return nearest === undefined ? `one of ${names.join(', ')}` : `did you mean ${nearest}?`;
}

/** `slow;seconds=1, token_error;error=invalid_client`: what a request asks to happen to itself. Unknown names are left out. */
export function readFaultHeader(header: string): readonly FaultOrder[] {
  return header
    .split(',')
    .slice(0, 5)
    .map(part => part.split(';').map(piece => piece.trim()))
    .flatMap(([fault = '', ...pieces]) => {
      const said = Object.fromEntries(pieces.map(piece => piece.split('=', 2)));
      const { seconds, error, member, token } = said as Record<string, string | undefined>;
      const order = {
        ...{ fault, endpoint: 'any' },
        ...(seconds === undefined ? {} : { seconds: Number(seconds) }),
        ...(error === undefined ? {} : { error }),
        ...(member === undefined ? {} : { member }),
        ...(token === 'id' || token === 'both' ? ({ token } as const) : {}),
      };
      const isKnown =
        orderFaults({ ...order, endpoint: undefined } as unknown as FaultOrder, { endpoints: [] }).length === 0;
      return isKnown ? [order] : [];
    });
}
