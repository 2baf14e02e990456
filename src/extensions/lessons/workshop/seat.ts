import type { IncomingMessage } from 'node:http';
import type { SandboxClock } from '../../../base/clock.ts';
import type { TrainerActed } from '../../../base/events/lesson-events.ts';
import type { Lessons } from '../lessons.ts';

/** The issuer of a seat, with the lessons that its learner does in further issuers. */
export interface SeatPlace {
  readonly issuer: string;
  lessons(): Promise<Lessons>;
  /** The living issuers: that of the seat first, then those of its lessons. */
  issuers(): readonly SeatIssuer[];
  /** Ends all of them. */
  stop(): void;
}

/** An issuer of a seat, as far as a trainer controls it. */
export interface SeatIssuer {
  readonly issuer: string;
  readonly clock: SandboxClock;
  /** Holds all responses of an endpoint from now on, in place of those it held before. */
  hold(endpoint: string): Promise<void>;
  held(): Promise<number>;
  /** Lets those go that wait. */
  letGo(): Promise<void>;
  /** Holds nothing any more, but for breakpoints of the learner. */
  unhold(): Promise<void>;
  tell(fact: TrainerActed): void;
}

/** The room around a seat. */
export interface SeatRoom {
  /** Decides who gets into the pages and the control API of the seat. */
  admits(req: IncomingMessage): boolean;
  /** To be called after each event that a board may show. */
  changed(): void;
  /** To be called with each new issuer of the seat. */
  began(issuer: SeatIssuer): void;
  mayOpenHints(): boolean;
  /** The address of the flow that the trainer shows, empty for none. */
  shown(): string;
}

export interface Seat {
  /** Two words: `brave-otter`. */
  readonly name: string;
  /** Lets its holder in: a cookie of the browser, or `Authorization: Bearer` of a program. Begins with the name. */
  readonly key: string;
  readonly place: SeatPlace;
}
