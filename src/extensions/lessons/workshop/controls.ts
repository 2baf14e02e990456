import { type ClockState, createMovedClock } from '../../../base/clock.ts';
import type { TrainerActed } from '../lesson-events.ts';
import { createAnnouncements, type SavedAnnouncements } from './announcements.ts';
import type { Seat, SeatIssuer } from './seats.ts';

/** How a trainer moves the clocks of all seats. */
export type ClocksMove = 'freeze' | 'resume' | 'reset' | { readonly seconds: number };

/** The controls of a trainer. Each applies to every seat at once. */
export type Controls = ReturnType<typeof createControls>;

/** The choices of a trainer that a room file keeps. The flow shown at all seats is not kept, because events are not saved. */
export interface SavedControls extends SavedAnnouncements {
  readonly holding?: string | undefined;
  readonly keepsHints: boolean;
  readonly clock: Pick<ClockState, 'now' | 'offset' | 'frozen'>;
}

export interface ControlsParts {
  /** The seats that are taken now. */
  seats(): readonly Seat[];
  /** The real time, in Unix seconds with a fraction. */
  now(): number;
  /** The path of the first issuer. */
  readonly room: string;
  /** Called after each change that a board may show. */
  changed(): void;
}

export function createControls({ seats, now, room, changed }: ControlsParts) {
  /** Keeps the moves of the trainer for seats and lessons that begin later. */
  const roomClock = createMovedClock(now);
  let keepsHints = false;
  let shown: string | undefined;
  const issuers = () => seats().flatMap(({ place }) => place.issuers());
  const { began, ...holds } = createHolds(issuers);
  const announcements = createAnnouncements({ room, changed, others: () => ({ holding: holds.holding(), shown }) });
  const tell = (did: TrainerActed['did']) => {
    for (const issuer of issuers()) issuer.tell({ type: 'trainer.acted', did });
  };

  return {
    ...announcements,
    ...holds,
    saved: (): SavedControls => ({
      ...announcements.saved(),
      holding: holds.holding(),
      keepsHints,
      clock: roomClock.state(),
    }),
    /** To be called before there are seats. */
    restore(saved: SavedControls): void {
      announcements.restore(saved);
      ({ keepsHints } = saved);
      if (saved.holding !== undefined) void holds.hold(saved.holding);
      const { now: at, offset, frozen } = saved.clock;
      roomClock.move(frozen ? { kind: 'set', to: at } : { kind: 'advance', seconds: offset });
      if (frozen) roomClock.move({ kind: 'freeze' });
    },
    /** @throws RangeError for a time outside the years 1970 to 9999 */
    moveClocks(move: ClocksMove): void {
      roomClock.move(typeof move === 'string' ? { kind: move } : { kind: 'advance', ...move });
      for (const { clock } of issuers()) typeof move === 'string' ? clock[move]() : clock.advance(move.seconds);
    },
    /** Opens a hint, or the solution, of a task on the page of each learner. */
    async releaseHint(lesson: string, task: string, part: string): Promise<void> {
      for (const { name, place } of seats()) (await place.lessons()).runs.opened(name).add(`${lesson}/${task}/${part}`);
      tell('hint_released');
    },
    ...{ keepsHints: () => keepsHints, clock: () => roomClock.state() },
    keepHints(keeps: boolean): void {
      keepsHints = keeps;
      tell(keeps ? 'hints_kept' : 'hints_free');
    },
    /** The id of the flow of the trainer that all seats see. */
    shown: () => shown,
    show(flow: string | undefined): void {
      shown = flow;
      tell(flow === undefined ? 'flow_hidden' : 'flow_shown');
    },
    /** A seat has a new issuer: it starts at the time of the room, and its responses are held as those of the others. */
    began(issuer: SeatIssuer): void {
      startAt(roomClock.state(), issuer);
      began(issuer);
    },
  };
}

/** Holds the responses of an endpoint at all issuers. */
function createHolds(issuers: () => readonly SeatIssuer[]) {
  let holding: string | undefined;
  return {
    /** The endpoint whose responses are held. */
    holding: () => holding,
    /** Holds all responses of an endpoint, also in lessons that begin later. */
    async hold(endpoint: string): Promise<void> {
      holding = endpoint;
      await Promise.all(issuers().map(issuer => issuer.hold(endpoint)));
    },
    async held(): Promise<number> {
      const counts = await Promise.all(issuers().map(issuer => issuer.held()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async letGo(): Promise<void> {
      await Promise.all(issuers().map(issuer => issuer.letGo()));
    },
    async unhold(): Promise<void> {
      holding = undefined;
      await Promise.all(issuers().map(issuer => issuer.unhold()));
    },
    began(issuer: SeatIssuer): void {
      if (holding !== undefined) void issuer.hold(holding);
    },
  };
}

/** Leaves the clock of an issuer alone in a room with the real time, where its log needs no move. */
function startAt({ now, offset, frozen }: ClockState, { clock }: SeatIssuer): void {
  if (frozen) {
    clock.set(now);
    clock.freeze();
  } else if (offset !== 0) clock.advance(offset);
}
