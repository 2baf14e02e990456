import type { AskedFault } from '../../server/faults/fault.ts';

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

type FaultMember = (typeof members)[number];

/** A fault as it was typed, by the names of the API; empty for the default. */
export type TypedFault = Readonly<Record<FaultMember, string>>;

const numbers: ReadonlySet<string> = new Set<FaultMember>(['probability', 'status']);

export function isFaultMember(name: string): name is FaultMember {
  return (members as readonly string[]).includes(name);
}

export function typedFault(form: URLSearchParams): TypedFault {
  const typed = members.map(name => [name, (form.get(name) ?? '').trim()]);
  return Object.fromEntries(typed) as TypedFault; // has every member
}

/** The typed order. Text in a number field becomes NaN, which the check of the order refuses. */
export function orderOf(typed: TypedFault): AskedFault {
  const filled = members.filter(name => typed[name] !== '' || name === 'fault');
  const isNumber = (name: FaultMember) => numbers.has(name) || (name === 'times' && typed.times !== 'always');
  const order = Object.fromEntries(filled.map(name => [name, isNumber(name) ? Number(typed[name]) : typed[name]]));
  return order as unknown as AskedFault; // checked by `FaultControl.check`
}
