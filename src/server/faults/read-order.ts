import { defined } from '../../base/defined.ts';
import { type Duration, durationWords, secondsIn } from '../../base/text/duration.ts';
import { expectedName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import type { InputProblem } from '../../protocol/errors.ts';
import type { TokenOfServer } from '../../protocol/tokens/signing-key.ts';
import { catalogue } from './catalogue.ts';
import type { AskedFault, FaultKind, FaultOrder } from './fault.ts';

/** An invalid member of an order. */
export type OrderProblem = Required<Pick<InputProblem, 'member' | 'sent' | 'expected'>>;

/** The parameters that a fault may have. */
export const parameterNames = ['seconds', 'error', 'member', 'status', 'change', 'header'] as const;

const longestWait = 60;
const most = 1_000_000;

/** Converts durations to seconds. A malformed duration becomes NaN, which `orderFaults` reports. */
export function inSeconds({ seconds, for: lasts, ...order }: AskedFault): FaultOrder {
  const read = (said: Duration | undefined) => (said === undefined ? undefined : (secondsIn(said) ?? Number.NaN));
  return { ...order, ...defined({ seconds: read(seconds), for: read(lasts) }) };
}

/** Checks the parts of an order that its schema cannot: the fault, its endpoint, parameters and budget. */
export function orderProblems(
  order: FaultOrder,
  known: { readonly endpoints: readonly string[] },
): readonly OrderProblem[] {
  const kind = catalogue.get(order.fault);
  if (kind === undefined)
    return [{ member: 'fault', sent: order.fault, expected: expectedName(order.fault, [...catalogue.keys()]) }];
  return [
    ...endpointProblems(kind, order, known.endpoints),
    ...parameterProblems(kind, order),
    ...budgetProblems(order),
  ];
}

function endpointProblems(
  kind: FaultKind,
  { endpoint }: FaultOrder,
  known: readonly string[],
): readonly OrderProblem[] {
  if (endpoint === undefined) return [];
  const names = kind.endpoints.length > 0 ? kind.endpoints : ['any', ...known];
  return names.includes(endpoint)
    ? []
    : [{ member: 'endpoint', sent: endpoint, expected: expectedName(endpoint, names) }];
}

function parameterProblems(kind: FaultKind, order: FaultOrder): readonly OrderProblem[] {
  const foreign = parameterNames.filter(name => order[name] !== undefined && !(name in kind.parameters));
  const own = Object.keys(kind.parameters).join(', ');
  const expected = own === '' ? `nothing: ${kind.name} has no parameter` : `${own}: the parameters of ${kind.name}`;
  const { seconds, error, token, status, change, header } = order;
  const isEmpty = 'change' in kind.parameters && change === undefined && header === undefined;
  const isShort = (each: number) => each >= 0 && each <= longestWait;
  const isStatus = (each: number) => Number.isInteger(each) && each >= 400 && each <= 599;
  const isBent = (each: TokenOfServer | 'both') => kind.tokens?.includes(each === 'both' ? 'id' : each) === true;
  const tokens = kind.tokens?.join(', ') ?? `nothing: ${kind.name} does not change a token`;
  return [
    ...foreign.map(member => ({ member, sent: shownText(order[member]), expected })),
    ...(isEmpty ? [{ member: 'change', sent: 'nothing', expected: objectWords }] : []),
    ...unless('change', change, isRecord, objectWords),
    ...unless('header', header, isRecord, objectWords),
    ...unless('seconds', seconds, isShort, `${durationWords}, ${longestWait} s at most`),
    ...unless('token', token, isBent, tokens),
    ...unless('status', status, isStatus, '400 to 599'),
    ...unless('error', error, each => /^[a-z_]{1,60}$/.test(each), 'an error code, such as invalid_grant'),
  ];
}

const objectWords = 'a JSON object, such as {"iss": "https://other.example"}; null removes a member';

/** An object as JSON, anything else as text. */
function shownText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function budgetProblems({ times, probability, for: seconds }: FaultOrder): readonly OrderProblem[] {
  const isTimes = (each: number | 'always') =>
    each === 'always' || (Number.isInteger(each) && each >= 1 && each <= most);
  return [
    ...unless('times', times, isTimes, `1 to ${most}, or always`),
    ...unless('probability', probability, each => each > 0 && each <= 1, 'more than 0, up to 1'),
    ...unless('for', seconds, each => each > 0, `${durationWords}, more than 0`),
  ];
}

/** Reports a present member with an invalid value. */
function unless<T>(
  member: string,
  value: T | undefined,
  isRight: (value: T) => boolean,
  expected: string,
): readonly OrderProblem[] {
  return value === undefined || isRight(value) ? [] : [{ member, sent: shownText(value), expected }];
}
