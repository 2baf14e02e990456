import type { ClockChanged } from './clock-events.ts';
import { type Duration, durationWords, secondsIn } from './duration.ts';
import type { ClockMove, ClockOwner, ClockState, MovedClock } from './moved-clock.ts';

/** A valid code, token or login, and its expiry. */
export interface Expiring {
  /** `tok_…`; for a login, its `sid`. */
  readonly tokenId: string;
  /** The type; `session` is a login. */
  readonly tokenType: 'code' | 'access' | 'refresh' | 'id' | 'session';
  /** Unix seconds. */
  readonly exp: number;
  /** The client that it was issued to. */
  readonly client_id?: string;
  /** The user; absent if a client acts for itself. */
  readonly sub?: string;
}

/**
 * The clock of an issuer. `clock()` returns whole Unix seconds. Each move is logged, takes effect at once, and returns
 * the new readings. `who` selects the issuer, its sample backend, or both (`all`, the default).
 */
export interface SandboxClock {
  (): number;
  /** Moves the clock by a duration: `3600`, `'1h'`, or back with `'-5m'`. */
  advance(by: Duration, who?: ClockOwner): ClockState;
  /** Sets the clock to a time in Unix seconds. A running clock continues from there. */
  set(to: number | Date, who?: ClockOwner): ClockState;
  /** Freezes the clock until `resume`. It can still be moved. */
  freeze(who?: ClockOwner): ClockState;
  /** Lets a frozen clock run again from its current time. */
  resume(who?: ClockOwner): ClockState;
  /** Returns to the real time. */
  reset(who?: ClockOwner): ClockState;
  /**
   * Moves the clock to this long (default 1 s) before the next valid code, token or login expires.
   * @throws RangeError if none expires, TypeError for an invalid duration
   */
  toBeforeNextExpiry(options?: { readonly seconds?: Duration; readonly who?: ClockOwner }): Promise<ClockState>;
  /** Valid codes, tokens and logins in the order of their expiry; at most `limit` (default 10). */
  next(limit?: number): Promise<readonly Expiring[]>;
  /** The readings of both clocks. */
  state(): ClockState;
}

/** The parts of an issuer that its clock uses. */
interface ClockParts {
  readonly clock: MovedClock;
  /** The caller that the log names. */
  readonly by: ClockChanged['by'];
  tell(fact: ClockChanged): void;
  /** All valid codes, tokens and logins, the first to expire first. */
  expiring(): Promise<readonly Expiring[]>;
}

/** Creates the clock of one issuer. Each of its moves is logged. */
export function createSandboxClock({ clock, by, tell, expiring }: ClockParts): SandboxClock {
  function move(what: ClockMove, who: ClockOwner = 'all'): ClockState {
    clock.move(what, who);
    const state = clock.state();
    const { offset, frozen } = who === 'api' ? state.api : state;
    tell({ type: 'clock.changed', who, by, offset, ...(frozen ? { frozen: true } : {}) });
    return state;
  }
  return Object.assign(() => Math.floor(clock.issuer()), {
    advance: (seconds: Duration, who?: ClockOwner) => move({ kind: 'advance', seconds }, who),
    set: (to: number | Date, who?: ClockOwner) =>
      move({ kind: 'set', to: to instanceof Date ? to.getTime() / 1000 : to }, who),
    freeze: (who?: ClockOwner) => move({ kind: 'freeze' }, who),
    resume: (who?: ClockOwner) => move({ kind: 'resume' }, who),
    reset: (who?: ClockOwner) => move({ kind: 'reset' }, who),
    async toBeforeNextExpiry({ seconds: before = 1, who }: { seconds?: Duration; who?: ClockOwner } = {}) {
      const seconds = secondsIn(before);
      if (seconds === undefined)
        throw new TypeError(`clock.toBeforeNextExpiry: expected ${durationWords}, found ${before}`);
      const found = (await expiring()).find(({ exp }) => exp - seconds > clock.issuer());
      const expected = `expected a code or token that stays valid for more than ${seconds} s, found none; issue one first`;
      if (found === undefined) throw new RangeError(`clock.toBeforeNextExpiry: ${expected}`);
      return move({ kind: 'advance', seconds: found.exp - seconds - clock.issuer() }, who);
    },
    next: async (limit = 10) => (await expiring()).slice(0, limit),
    state: clock.state,
  });
}
