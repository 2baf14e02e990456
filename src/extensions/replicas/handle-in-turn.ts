import type { SandboxClock } from '../../base/clock.ts';
import type { RunInTurn } from '../../sandbox/control/replica-turn.ts';
import type { SandboxIssuer } from '../../sandbox/library/calls.ts';

/** How a call in this process meets the other replicas. */
export interface CallTurns {
  readonly inTurn: RunInTurn;
  /** Tells the changes of a call that cannot wait. */
  tell(): void;
}

type Call = (...all: never[]) => unknown;

/**
 * The handle of an issuer for callers in this process: what a call changes is known to all replicas when it resolves. Moves of
 * the clock return at once, and are told right after.
 */
export function handleInTurn<T extends SandboxIssuer>(handle: T, turns: CallTurns): T {
  const inTurn = (call: Call): Call => {
    return (...all) => turns.inTurn(async () => call(...all));
  };
  const group = <G extends object>(calls: G): G => mapped(calls, inTurn);
  const { clients, users, scopes, resources, faults, tokenClaims, clock } = handle;
  const { issueToken, login, nextLogin, rotateKeys, reset } = handle;
  return {
    ...handle,
    ...group({ issueToken, login, nextLogin, rotateKeys }),
    reset: part => turns.inTurn(() => reset(part), 'makes room'),
    clients: group(clients),
    users: group(users),
    scopes: group(scopes),
    resources: group(resources),
    faults: group(faults),
    tokenClaims: group(tokenClaims),
    clock: toldClock(clock, turns),
  };
}

function toldClock(clock: SandboxClock, { inTurn, tell }: CallTurns): SandboxClock {
  const { toBeforeNextExpiry, next, ...moves } = clock;
  const told = (move: Call): Call => {
    return (...all) => {
      const state = move(...all);
      tell();
      return state;
    };
  };
  return Object.assign(
    () => clock(),
    mapped(moves, told),
    mapped({ toBeforeNextExpiry, next }, (call): Call => {
      return (...all) => inTurn(async () => call(...all));
    }),
  ) as SandboxClock; // the same members as the clock
}

/** Members that are no functions stay as they are. */
function mapped<G extends object>(calls: G, change: (call: Call) => Call): G {
  const members = Object.entries(calls).map(([name, member]) => [
    name,
    typeof member === 'function' ? change(member) : member,
  ]);
  return Object.fromEntries(members) as G; // the same members with the same types
}
