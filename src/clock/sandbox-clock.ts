import type { ClockChanged } from '../events/clock-events.ts';
import { type Duration, durationWords, secondsIn } from './duration.ts';
import type { ClockMove, ClockOwner, ClockState, MovedClock } from './moved-clock.ts';

/** A code, a token or a login that is good now, and until when. */
export interface Expiring {
  /** `tok_…`; of a login its `sid`. */
  readonly tokenId: string;
  readonly tokenType: 'code' | 'access' | 'refresh' | 'id' | 'session';
  /** Unix seconds. */
  readonly exp: number;
  readonly client_id?: string;
  readonly sub?: string;
}

/**
 * The time of an issuer. `clock()` is in Unix seconds, whole. Each move is told to the log, takes effect at once, and answers
 * what the clocks show then. `who` is `all` where it is not said: the issuer, and its sample backend with it.
 */
export interface SandboxClock {
  (): number;
  /** By so much on, `3600` or `'1h'`, or back where it is negative: `'-5m'`. */
  advance(by: Duration, who?: ClockOwner): ClockState;
  /** To a moment, in Unix seconds; a clock that runs goes on from there. */
  set(to: number | Date, who?: ClockOwner): ClockState;
  /** It stands still until `resume`; it can be moved all the same. */
  freeze(who?: ClockOwner): ClockState;
  /** It goes on from where it stands. */
  resume(who?: ClockOwner): ClockState;
  /** Back to the real time. */
  reset(who?: ClockOwner): ClockState;
  /**
   * To so much (1 s) before the next code, token or login expires that is good now.
   * @throws RangeError where there is none, TypeError for what is no duration
   */
  toBeforeNextExpiry(options?: { readonly seconds?: Duration; readonly who?: ClockOwner }): Promise<ClockState>;
  /** Codes, tokens and logins that are good now and expire next, the first of them first; so many (10) at most. */
  next(limit?: number): Promise<readonly Expiring[]>;
  state(): ClockState;
}

/** The parts of an issuer that its clock reads. */
export interface ClockParts {
  readonly clock: MovedClock;
  /** Whom the log names. */
  readonly by: ClockChanged['by'];
  tell(fact: ClockChanged): void;
  /** All that are good now, the first to expire first. */
  expiring(): Promise<readonly Expiring[]>;
}

const usuallyShown = 10;

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
      if (found === undefined) throw new RangeError(`clock.toBeforeNextExpiry: ${nothingExpires(seconds)}`);
      return move({ kind: 'advance', seconds: found.exp - seconds - clock.issuer() }, who);
    },
    next: async (limit = usuallyShown) => (await expiring()).slice(0, limit),
    state: clock.state,
  });
}

function nothingExpires(seconds: number): string {
  return `expected a code or token that is good for more than ${seconds} s from now, found none; issue one first`;
}
