import type { OpenLesson } from '../run/lesson-runs.ts';
import { createControls } from './controls.ts';
import { createSeats, type SeatsParts } from './seats.ts';
import { createBoardStreams } from './streams.ts';
import type { Trainer } from './trainer.ts';

/** A room: its seats, and the trainer. */
export type Workshop = ReturnType<typeof createWorkshop>;

export interface WorkshopParts extends Omit<SeatsParts, 'isTrainer' | 'room' | 'changed'> {
  readonly trainer: Trainer;
  /** The lessons, in their order. */
  lessons(): Promise<readonly OpenLesson[]>;
  /** Unix seconds of real time. */
  readonly now: () => number;
}

export function createWorkshop({ trainer, now, lessons, ...parts }: WorkshopParts) {
  /** The address that learners open. */
  const join = `${parts.issuer}/join`;
  const controls = createControls(() => seats.all(), now);
  const room = {
    began: controls.began,
    mayOpenHints: () => !controls.keepsHints(),
    shown: () => (controls.shown() === undefined ? '' : `${new URL(join).pathname}/flow`),
  };
  const streams = createBoardStreams();
  const seats = createSeats({ ...parts, room, isTrainer: trainer.admits, changed: streams.tell });
  return { trainer, now, lessons, seats, controls, streams, join };
}
