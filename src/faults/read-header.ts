import { secondsIn } from '../clock/duration.ts';
import { defined } from '../defined.ts';
import type { Emit } from '../events/event.ts';
import type { Reason } from '../oauth/reason.ts';
import type { FaultAnswer, FaultOrder } from './fault.ts';
import { type OrderFault, orderFaults } from './read-order.ts';

/** What a request asks to happen to itself. */
export interface AskedFaults {
  readonly orders: readonly FaultOrder[];
  /** Invalid parts of the header. */
  readonly problems: readonly OrderFault[];
}

const most = 5;
/** Characters of what was sent that are told. */
const longest = 100;
const parameters = ['seconds', 'error', 'member', 'token', 'status'] as const;

/** `slow;seconds=1, token_error;error=invalid_client`: of the header `Sandbox-Fault`. */
export function readFaultHeader(header: string): AskedFaults {
  const parts = header
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  const read = parts.slice(0, most).map(readPart);
  const many = parts.length > most ? [{ member: '', sent: `${parts.length} faults`, expected: `at most ${most}` }] : [];
  return { orders: read.map(({ order }) => order), problems: [...many, ...read.flatMap(({ problems }) => problems)] };
}

function readPart(part: string): { readonly order: FaultOrder; readonly problems: readonly OrderFault[] } {
  const [fault = '', ...pieces] = part.split(';').map(piece => piece.trim());
  const said = new Map(pieces.filter(piece => piece !== '').map(nameAndValue));
  const strange = [...said.keys()].filter(name => !parameters.some(each => each === name));
  const [seconds, status, token] = [said.get('seconds'), said.get('status'), said.get('token')];
  const [error, member] = [said.get('error'), said.get('member')];
  const own = {
    fault,
    ...defined({
      seconds: seconds === undefined ? undefined : (secondsIn(seconds) ?? Number.NaN),
      status: status === undefined ? undefined : Number(status),
      error,
      member,
      token: token as 'access' | undefined, // checked as an order is, below
    }),
  };
  const expected = `one of ${parameters.join(', ')}`;
  return {
    order: { ...own, endpoint: 'any' }, // each meets the request it came with
    problems: [
      ...strange.map(name => ({
        member: name.slice(0, longest),
        sent: (said.get(name) ?? '').slice(0, longest),
        expected,
      })),
      // as it was written, not as it was read
      ...orderFaults(own, { endpoints: [] }).map(each => ({
        ...each,
        sent: (said.get(each.member) ?? each.sent).slice(0, longest),
      })),
    ],
  };
}

function nameAndValue(piece: string): readonly [string, string] {
  const [name = '', ...value] = piece.split('=');
  return [name.trim(), value.join('=').trim()];
}

/** In the place of what was asked for: a test must not pass because of a slip of the pen. */
export function refusedHeader(
  problems: readonly OrderFault[],
  { endpoint, emit }: { readonly endpoint: string; readonly emit: Emit },
): FaultAnswer {
  const told = problems.map(
    ({ member, sent, expected }) => `${member === '' ? '' : `${member}: `}found ${sent}, expected ${expected}`,
  );
  const description = `the header Sandbox-Fault asks for what cannot be: ${told.join('; ')}`;
  const error = 'invalid_request';
  const reason: Reason = 'fault_header_invalid';
  const { sent = '', expected = '' } = problems[0] ?? {};
  emit({ type: 'error.returned', endpoint, form: 'json', status: 400, error, reason, description, sent, expected });
  const body = { error, error_description: description.replace(/["\\]|[^\x20-\x7e]/g, ' ') };
  return {
    status: 400,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify(body),
  };
}
