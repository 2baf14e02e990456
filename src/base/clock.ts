import { type Duration, durationWords, secondsIn } from './text/duration.ts';

/** Unix seconds, with a fraction. */
export const realTime = (): number => Date.now() / 1000;

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

interface ClockParts {
  readonly clock: MovedClock;
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
      const expected = `expected a code or token that stays valid for more than ${seconds} s, found none; sign in or mint one first`;
      if (found === undefined) throw new RangeError(`clock.toBeforeNextExpiry: ${expected}`);
      return move({ kind: 'advance', seconds: found.exp - seconds - clock.issuer() }, who);
    },
    next: async (limit = 10) => (await expiring()).slice(0, limit),
    state: clock.state,
  });
}

/** Somebody moved the time of the sandbox. */
export interface ClockChanged {
  readonly type: 'clock.changed';
  /** `api` is the sample backend; `all` is the issuer and that. */
  readonly who: 'all' | 'issuer' | 'api';
  readonly by: 'dashboard' | 'api' | 'library';
  /** Whole seconds from the real time to the moved time; negative if that is behind. */
  readonly offset: number;
  /** The clock is frozen. */
  readonly frozen?: true;
}

/** The clock to read or move: the issuer's, its sample backend's, or both. */
export type ClockOwner = 'all' | 'issuer' | 'api';

/** A move of a clock: by a duration, or to a time in Unix seconds. */
type ClockMove =
  | { readonly kind: 'advance'; readonly seconds: Duration }
  | { readonly kind: 'set'; readonly to: number }
  | { readonly kind: 'freeze' | 'resume' | 'reset' };

/** The reading of one clock. */
export interface ClockReading {
  /** Unix seconds, whole. */
  readonly now: number;
  /** Whole seconds ahead of the real time; negative if behind. */
  readonly offset: number;
  /** True if the clock is frozen. */
  readonly frozen: boolean;
}

/** The readings of both clocks of an issuer: its own, and that of its sample backend. */
export interface ClockState extends ClockReading {
  /** The real time, in Unix seconds, whole. */
  readonly wall: number;
  readonly api: ClockReading;
}

/** The clocks of an issuer and of its sample backend. They agree until one is moved alone. */
export interface MovedClock {
  /** Unix seconds, with a fraction. */
  issuer(): number;
  api(): number;
  /**
   * @throws TypeError for a value that is not a number, RangeError for a time outside 1970 to 9999; the clock has not
   * moved then
   */
  move(move: ClockMove, who?: ClockOwner): void;
  state(): ClockState;
  /** How both clocks stand, as JSON: the same hands show the same time at another replica. */
  hands(): BothHands;
  /** Sets the clocks by the hands of another replica. */
  put(hands: BothHands): void;
}

/** The hands of both clocks. */
export interface BothHands {
  readonly issuer: Hands;
  readonly api: Hands;
}

/** For a running clock, the seconds to add to the real time; for a frozen one, the time itself. */
interface Hands {
  readonly anchor: number;
  readonly runs: boolean;
}

const real: Hands = { anchor: 0, runs: true };

/** 9999-12-31T23:59:59Z: a later date would need a year of five digits. */
const latest = 253_402_300_799;

/** `wall` is the real time, in Unix seconds with a fraction. */
export function createMovedClock(wall: () => number): MovedClock {
  let issuer = real;
  let api = real;
  return {
    issuer: () => read(issuer, wall),
    api: () => read(api, wall),
    move(move, who = 'all') {
      const now = wall(); // read once, so that clocks that agree stay equal
      const next = (hands: Hands) => moved(hands, move, now);
      const both = { issuer: who === 'api' ? issuer : next(issuer), api: who === 'issuer' ? api : next(api) };
      ({ issuer, api } = both);
    },
    state() {
      const now = wall();
      const at = (hands: Hands): ClockReading => {
        const shown = read(hands, () => now);
        return { now: Math.floor(shown), offset: Math.round(shown - now), frozen: !hands.runs };
      };
      return { ...at(issuer), wall: Math.floor(now), api: at(api) };
    },
    hands: () => ({ issuer, api }),
    put(hands) {
      ({ issuer, api } = hands);
    },
  };
}

/** Rounds to milliseconds: a sum of fractions could fall short of the second that was set. */
function read({ anchor, runs }: Hands, wall: () => number): number {
  if (!runs) return anchor;
  return anchor === 0 ? wall() : Math.round((wall() + anchor) * 1000) / 1000;
}

function moved(hands: Hands, move: ClockMove, wall: number): Hands {
  const next = handsAfter(hands, move, wall);
  const time = next.runs ? wall + next.anchor : next.anchor;
  const expected = move.kind === 'advance' ? durationWords : 'a number of seconds';
  if (Number.isNaN(time)) throw new TypeError(`clock.${move.kind}: expected ${expected}, found ${saidIn(move)}`);
  if (time >= 0 && time <= latest) return next;
  throw new RangeError(`clock.${move.kind}: expected a time from 1970 to 9999, found ${saidIn(move)} s`);
}

function handsAfter({ anchor, runs }: Hands, move: ClockMove, wall: number): Hands {
  if (move.kind === 'advance') return { runs, anchor: anchor + (secondsIn(move.seconds) ?? Number.NaN) };
  // A time must be a number, because the format of a text would be ambiguous.
  if (move.kind === 'set')
    return { runs, anchor: (typeof move.to === 'number' ? move.to : Number.NaN) - (runs ? wall : 0) };
  if (move.kind === 'freeze') return { runs: false, anchor: read({ anchor, runs }, () => wall) };
  if (move.kind === 'resume') return { runs: true, anchor: runs ? anchor : anchor - wall };
  return real;
}

function saidIn(move: ClockMove): string {
  const said: unknown = move.kind === 'advance' ? move.seconds : move.kind === 'set' ? move.to : 'nothing';
  return typeof said === 'string' ? `the text "${said}"` : String(said);
}
