import { expectedName } from '../../base/text/nearest.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { shorten } from '../../protocol/parameters.ts';
import { catalogue } from '../../server/faults/catalogue.ts';
import type { ArmedBy, ArmedFault, AskedFault, FaultKind, FaultOrder } from '../../server/faults/fault.ts';
import type { Faults } from '../../server/faults/faults.ts';
import { inSeconds, type OrderProblem, orderProblems } from '../../server/faults/read-order.ts';

/** Result of arming a fault. */
export type Armed =
  | { readonly ok: true; readonly fault: ArmedFault }
  | { readonly ok: false; readonly problems: readonly OrderProblem[] };

/** Fault injection of one issuer: one implementation for dashboard, API and library. */
export interface FaultControl {
  catalogue(): readonly FaultKind[];
  /** Names that a fault of any endpoint can be armed for, beside `any`. */
  endpoints(): readonly string[];
  /** Errors of an order; empty where it could be armed. */
  check(order: AskedFault): readonly OrderProblem[];
  list(): readonly ArmedFault[];
  /** Checks, and arms; the next request may meet it already. */
  arm(order: AskedFault, by: ArmedBy): Armed;
  disarm(id: string): boolean;
  /** Returns the number of disarmed faults. */
  disarmAll(): number;
}

export function createFaultControl(
  { clients, users }: Pick<AuthorizationServer, 'clients' | 'users'>,
  { armed }: Faults,
  endpoints: readonly string[],
): FaultControl {
  const check = (order: FaultOrder, asked: AskedFault): readonly OrderProblem[] => [
    ...orderProblems(order, { endpoints }).map(problem => asWritten(problem, asked)),
    ...unknownName('client', order.client, clients),
    ...unknownName('user', order.user, users),
  ];
  return {
    catalogue: () => [...catalogue.values()],
    endpoints: () => endpoints,
    check: asked => check(inSeconds(asked), asked),
    list: () => armed.list(),
    arm(asked, by) {
      const order = inSeconds(asked);
      const problems = check(order, asked);
      if (problems.length > 0) return { ok: false, problems };
      const fault = armed.arm(order, by);
      if (fault !== undefined) return { ok: true, fault };
      const expected = 'at most 200 at a time; disarm some (DELETE /_sandbox/faults)';
      return { ok: false, problems: [{ member: 'fault', sent: order.fault, expected }] };
    },
    disarm: id => armed.disarm(id),
    disarmAll: () => armed.disarmAll(),
  };
}

/** Fault injection by a test in the same process. */
export interface SandboxFaults {
  /**
   * Has the next requests go wrong: one, unless `times` says how many.
   * @throws TypeError that names every member that is wrong
   */
  arm(order: AskedFault): Promise<ArmedFault>;
  /** Armed faults, oldest first. */
  list(): Promise<readonly ArmedFault[]>;
  /** False for one that is over already. */
  disarm(id: string): Promise<boolean>;
  /** Disarms all faults. Returns their number. */
  clear(): Promise<number>;
}

/** The same implementation as the API's; loaded by the first call. */
export function armHere(control: FaultControl, order: AskedFault): ArmedFault {
  const outcome = control.arm(order, 'library');
  if (outcome.ok) return outcome.fault;
  const problems = outcome.problems.map(
    ({ member, sent, expected }) => `${member}: found ${sent}, expected ${expected}`,
  );
  throw new TypeError(`faults.arm: ${problems.join('; ')}`);
}

/** Shows a duration as it was sent, not as it was parsed. */
function asWritten(problem: OrderProblem, { seconds, for: lasts }: AskedFault): OrderProblem {
  if (problem.member === 'seconds') return { ...problem, sent: String(seconds) };
  return problem.member === 'for' ? { ...problem, sent: String(lasts) } : problem;
}

/** A slip of the pen would wait for ever for somebody who never comes. */
function unknownName(
  member: string,
  sent: string | undefined,
  known: ReadonlyMap<string, unknown>,
): readonly OrderProblem[] {
  if (sent === undefined || known.has(sent)) return [];
  return [{ member, sent, expected: shorten(expectedName(sent, known.keys())) }];
}
