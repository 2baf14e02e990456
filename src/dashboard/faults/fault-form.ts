import type { AskedFault } from '../../faults/fault.ts';

const members = [
  'fault',
  'endpoint',
  'client',
  'user',
  'token',
  'times',
  'probability',
  'for',
  'seconds',
  'error',
  'member',
  'status',
] as const;

export type FaultMember = (typeof members)[number];

/** An order as somebody filled it in, by the names of the API; empty for what is to be as usual. */
export type TypedFault = Readonly<Record<FaultMember, string>>;

const numbers: ReadonlySet<string> = new Set<FaultMember>(['probability', 'status']);

export function isFaultMember(name: string): name is FaultMember {
  return (members as readonly string[]).includes(name);
}

export function typedFault(form: URLSearchParams): TypedFault {
  const typed = members.map(name => [name, (form.get(name) ?? '').trim()]);
  return Object.fromEntries(typed) as TypedFault; // every member has its line
}

/** The order that was typed. What is no number is NaN where one is wanted, which the check of the order tells. */
export function orderOf(typed: TypedFault): AskedFault {
  const filled = members.filter(name => typed[name] !== '' || name === 'fault');
  const isNumber = (name: FaultMember) => numbers.has(name) || (name === 'times' && typed.times !== 'always');
  const order = Object.fromEntries(filled.map(name => [name, isNumber(name) ? Number(typed[name]) : typed[name]]));
  return order as unknown as AskedFault; // the check says what of it is none
}
