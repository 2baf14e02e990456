import { defined } from '../../base/defined.ts';
import type { Emit } from '../../base/events/event.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import type { Reason } from '../../protocol/reason.ts';
import type { FaultAnswer, FaultOrder } from './fault.ts';
import { plainAnswer } from './kinds/answers.ts';
import { inSeconds, type OrderProblem, orderProblems, parameterNames } from './read-order.ts';

/** The faults that a request orders for itself. */
export interface AskedFaults {
  readonly orders: readonly FaultOrder[];
  /** Invalid parts of the header. */
  readonly problems: readonly OrderProblem[];
}

const most = 5;
/** The most characters of a sent value in an error. */
const longest = 100;
const parameters = [...parameterNames, 'token'] as const;

/** Reads the header `Sandbox-Fault`: `slow;seconds=1, token_error;error=invalid_client`. */
export function readFaultHeader(header: string): AskedFaults {
  const parts = header
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  const read = parts.slice(0, most).map(readPart);
  const many = parts.length > most ? [{ member: '', sent: `${parts.length} faults`, expected: `at most ${most}` }] : [];
  return { orders: read.map(({ order }) => order), problems: [...many, ...read.flatMap(({ problems }) => problems)] };
}

function readPart(part: string): { readonly order: FaultOrder; readonly problems: readonly OrderProblem[] } {
  const [fault = '', ...pieces] = part.split(';').map(piece => piece.trim());
  const said = new Map(pieces.filter(piece => piece !== '').map(nameAndValue));
  const strange = [...said.keys()].filter(name => !parameters.some(each => each === name));
  const status = said.get('status');
  const asked = defined({
    seconds: said.get('seconds'),
    status: status === undefined ? undefined : Number(status),
    error: said.get('error'),
    member: said.get('member'),
    change: jsonIn(said.get('change')),
    header: jsonIn(said.get('header')),
    token: said.get('token') as 'access' | undefined, // orderFaults below checks the value
  });
  const own = inSeconds({ fault, ...asked });
  const expected = `one of ${parameters.join(', ')}`;
  return {
    order: { ...own, endpoint: 'any' }, // affects only its own request
    problems: [
      ...strange.map(member => ({ member, sent: '', expected })),
      ...orderProblems(own, { endpoints: [] }),
    ].map(({ member, sent, expected }) => ({
      member: member.slice(0, longest),
      sent: (said.get(member) ?? sent).slice(0, longest), // as it was sent, not as it was parsed
      expected,
    })),
  };
}

/** JSON in percent-encoding, because it has commas. What is no JSON stays text, which `orderProblems` refuses. */
function jsonIn(sent: string | undefined): ParsedObject | undefined {
  if (sent === undefined) return undefined;
  try {
    return JSON.parse(decodeURIComponent(sent));
  } catch {
    return sent as unknown as ParsedObject; // so that the refusal names it
  }
}

function nameAndValue(piece: string): readonly [string, string] {
  const [name = '', ...value] = piece.split('=');
  return [name.trim(), value.join('=').trim()];
}

/** Answers a request with an invalid header, so that no test passes because of a typo. */
export function refusedHeader(problems: readonly OrderProblem[], endpoint: string, emit: Emit): FaultAnswer {
  const told = problems.map(
    ({ member, sent, expected }) => `${member === '' ? '' : `${member}: `}found ${sent}, expected ${expected}`,
  );
  const description = `the header Sandbox-Fault is invalid: ${told.join('; ')}`;
  const error = 'invalid_request';
  const reason: Reason = 'fault_header_invalid';
  const { sent = '', expected = '' } = problems[0] ?? {};
  emit({ type: 'error.returned', endpoint, form: 'json', status: 400, error, reason, description, sent, expected });
  const body = { error, error_description: description.replace(/["\\]|[^\x20-\x7e]/g, ' ') };
  return plainAnswer(400, 'application/json', JSON.stringify(body));
}
