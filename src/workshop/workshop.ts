import type { OpenLesson } from '../lessons/run/lesson-runs.ts';
import { type Controls, createControls } from './controls.ts';
import { createSeats, type Seats, type SeatsParts } from './seats.ts';
import { type BoardStreams, createBoardStreams } from './streams.ts';
import type { Trainer } from './trainer.ts';

/** A room: its seats, and the trainer. */
export interface Workshop {
  readonly seats: Seats;
  readonly trainer: Trainer;
  /** The address that learners open. */
  readonly join: string;
  readonly controls: Controls;
  readonly streams: BoardStreams;
  /** The lessons, in their order. */
  lessons(): Promise<readonly OpenLesson[]>;
  /** Unix seconds of real time. */
  readonly now: () => number;
}

export interface WorkshopParts extends Omit<SeatsParts, 'isTrainer' | 'room'>, Pick<Workshop, 'lessons'> {
  readonly trainer: Trainer;
  /** Unix seconds of real time. */
  readonly now: () => number;
}

export function createWorkshop({ trainer, now, lessons, ...parts }: WorkshopParts): Workshop {
  const join = `${parts.issuer}/join`;
  const controls = createControls(() => seats.all(), now);
  const room = {
    began: controls.began,
    mayOpenHints: () => !controls.keepsHints(),
    shown: () => (controls.shown() === undefined ? '' : `${new URL(join).pathname}/flow`),
  };
  const seats = createSeats({ ...parts, room, isTrainer: trainer.admits });
  const streams = createBoardStreams(seats.subscribe);
  return { trainer, now, lessons, seats, controls, streams, join };
}
