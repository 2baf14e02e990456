import type { ClockOwner, ClockState, Expiring } from '../../base/clock.ts';
import type { Duration } from '../../base/text/duration.ts';
import type { ControlCalls } from './control-calls.ts';

/** `SandboxClock` of a sandbox that runs elsewhere: each move is a call of the control API. */
export interface ConnectedClock {
  /** Unix seconds, whole. */
  now(): Promise<number>;
  /** The readings of both clocks. */
  state(): Promise<ClockState>;
  /** Moves the clock by a duration: `3600`, `'1h'`, or back with `'-5m'`. */
  advance(by: Duration, who?: ClockOwner): Promise<ClockState>;
  /** Sets the clock to a time in Unix seconds. A running clock continues from there. */
  set(to: number | Date, who?: ClockOwner): Promise<ClockState>;
  /** Freezes the clock until `resume`. It can still be moved. */
  freeze(who?: ClockOwner): Promise<ClockState>;
  /** Lets a frozen clock run again from its current time. */
  resume(who?: ClockOwner): Promise<ClockState>;
  /** Returns to the real time. */
  reset(who?: ClockOwner): Promise<ClockState>;
  /** Moves the clock to this long (default 1 s) before the next valid code, token or login expires. */
  toBeforeNextExpiry(options?: { readonly seconds?: Duration; readonly who?: ClockOwner }): Promise<ClockState>;
  /** Valid codes, tokens and logins in the order of their expiry; at most ten. */
  next(): Promise<readonly Expiring[]>;
}

type Shown = ClockState & { readonly next: readonly Expiring[] };

/** Creates the clock of an issuer that runs elsewhere; each move is a call of the control API. */
export function createConnectedClock(calls: ControlCalls): ConnectedClock {
  async function read(name: string): Promise<Shown> {
    return (await calls({ name: `clock.${name}`, method: 'GET', path: '/clock' })).content as Shown;
  }
  async function move(name: string, what: object, who: ClockOwner | undefined): Promise<ClockState> {
    const { content } = await calls({ name: `clock.${name}`, method: 'POST', path: '/clock', body: { ...what, who } });
    return stateOf(content as Shown);
  }
  return {
    now: async () => (await read('now')).now,
    state: async () => stateOf(await read('state')),
    advance: (by, who) => move('advance', { advance: by }, who),
    set: (to, who) => move('set', { set: to instanceof Date ? to.getTime() / 1000 : to }, who),
    freeze: who => move('freeze', { freeze: true }, who),
    resume: who => move('resume', { freeze: false }, who),
    reset: who => move('reset', { reset: true }, who),
    toBeforeNextExpiry: ({ seconds = 1, who } = {}) => move('toBeforeNextExpiry', { beforeNextExpiry: seconds }, who),
    next: async () => (await read('next')).next,
  };
}

function stateOf({ next: _, ...state }: Shown): ClockState {
  return state;
}
