import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { sameSecret } from '../../../protocol/random.ts';
import { cookieSuffix, readCookie } from '../../../server/http/cookies.ts';
import type { OpenLesson } from '../run/lesson-runs.ts';
import { createControls } from './controls.ts';
import { createSeats, type SeatsParts } from './seats.ts';

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
  const path = new URL(parts.issuer).pathname.replace(/\/$/, '');
  const streams = createBoardStreams();
  const listeners = new Set([streams.tell]);
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const controls = createControls({ seats: () => seats.all(), now, room: path, changed });
  const room = {
    began: controls.began,
    mayOpenHints: () => !controls.keepsHints(),
    noticesFor: controls.noticesFor,
    at: `${path}/join/notices`,
  };
  const seats = createSeats({ ...parts, room, isTrainer: trainer.admits, changed });
  return {
    ...{ trainer, now, lessons, seats, controls, streams, join },
    /** Calls the listener after each change of the room. */
    hear: (listener: () => void) => void listeners.add(listener),
  };
}

const mostStreams = 20;

/** Live streams that tell a board that it changed: server-sent events (WHATWG HTML §9.2). */
function createBoardStreams() {
  const streams = new Set<Response>();
  return {
    /** Opens a stream, or answers 503 if too many are open. */
    serve(res: Response): void {
      if (streams.size >= mostStreams) {
        res.status(503).set('Retry-After', '5').json({ error: 'too_many_streams' });
        return;
      }
      res.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
      res.write('retry: 1000\n\n');
      streams.add(res);
      res.once('close', () => streams.delete(res));
    },
    tell(): void {
      // a slow reader does not get the same message twice in its queue
      for (const stream of streams) if (!stream.writableNeedDrain) stream.write('event: board\ndata:\n\n');
    },
    close(): void {
      for (const stream of streams) stream.end();
    },
  };
}

/** The trainer of a room, who has the key that was printed at the start. */
export type Trainer = ReturnType<typeof createTrainer>;

/** `secret` is the cookie, which ends with this start of the sandbox, unless the room is kept in a file. */
export function createTrainer(key: string, issuer: string, secret: string) {
  const cookie = `grantbox_trainer${cookieSuffix(issuer)}`;
  const flags = `Path=/; HttpOnly; SameSite=Lax${issuer.startsWith('https:') ? '; Secure' : ''}`;
  return {
    key,
    secret,
    /** True for a browser that has the cookie of `signIn`. */
    admits: (req: IncomingMessage) => sameSecret(readCookie(req, cookie) ?? '', secret),
    /** The `Set-Cookie` for a browser in which the key was typed. */
    signIn: `${cookie}=${secret}; Max-Age=86400; ${flags}`,
    signOut: `${cookie}=; Max-Age=0; ${flags}`,
  };
}
