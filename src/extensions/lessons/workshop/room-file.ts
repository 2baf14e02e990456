import * as v from 'valibot';
import { defined } from '../../../base/defined.ts';
import { readSavedState, SavedStateError } from '../../state/saved-state.ts';
import { runsOf } from './board.ts';
import type { Workshop } from './workshop.ts';

const attempts = v.object({
  requests: v.number(),
  refusals: v.number(),
  lastAt: v.number(),
  refused: v.exactOptional(v.object({ reason: v.string(), title: v.string(), requestId: v.string() })),
});

const progress = v.object({
  lessons: v.record(
    v.string(),
    v.object({
      done: v.record(v.string(), v.number()),
      answers: v.record(v.string(), v.string()),
      attempts: v.exactOptional(v.record(v.string(), attempts)),
      begunAt: v.exactOptional(v.number()),
      drawn: v.exactOptional(v.object({ missing: v.string(), times: v.number() })),
    }),
  ),
  opened: v.array(v.string()),
  recalls: v.optional(
    v.record(
      v.string(),
      v.object({ step: v.number(), due: v.exactOptional(v.number()), chosen: v.exactOptional(v.string()) }),
    ),
  ),
});

const room = v.object({
  message: v.string(),
  lesson: v.optional(v.object({ id: v.string(), title: v.string() })),
  hands: v.array(v.string()),
  holding: v.optional(v.string()),
  keepsHints: v.boolean(),
  clock: v.object({ now: v.number(), offset: v.number(), frozen: v.boolean() }),
});

const seat = v.object({
  key: v.pipe(v.string(), v.regex(/^[a-z]+-[a-z]+\.[\w-]{16,64}$/)),
  progress,
  /** Lessons that have an issuer. */
  running: v.optional(v.array(v.string())),
  /** In the form of a state file. */
  state: v.optional(v.unknown()),
});

const roomFile = v.object({
  grantbox: v.literal('workshop'),
  exportedAt: v.string(),
  room: v.optional(room),
  seats: v.array(seat),
});

/** All seats with their keys and their progress, as one file. Somebody who has the file can enter each seat. */
export type RoomFile = v.InferOutput<typeof roomFile>;

/** `how`: also the private keys, changed clients, sessions and tokens of the issuers of the seats. */
export async function exportRoom(
  { seats, now, controls }: Workshop,
  how?: 'with what its issuers remember',
): Promise<RoomFile> {
  const all = await runsOf(seats.all());
  const saved = all.map(async ({ seat: { name, key, place }, runs }) => {
    const { opened, ...progress } = runs.save(name);
    const state = how === undefined ? undefined : await place.save();
    const running = [...runs.running(name)];
    return { key, progress: { ...progress, opened: [...opened] }, running, ...defined({ state }) };
  });
  const { clock, ...decided } = controls.saved();
  const { now: at, offset, frozen } = clock;
  return {
    grantbox: 'workshop',
    exportedAt: new Date(now() * 1000).toISOString(),
    room: { ...decided, hands: [...decided.hands], clock: { now: at, offset, frozen } },
    seats: await Promise.all(saved),
  };
}

/** Says in a sentence why a file cannot be imported, or puts its seats into the room. A seat of the same name begins anew. */
export async function importRoom({ seats, controls }: Workshop, text: string): Promise<string | undefined> {
  const file = read(text);
  if (typeof file === 'string') return file;
  const names = new Set([...seats.all().map(({ name }) => name), ...file.seats.map(({ key }) => key.split('.', 1)[0])]);
  if (names.size > seats.most) {
    return `The file has ${file.seats.length} seats, so that there would be ${names.size}. This room has ${seats.most}: start it with more.`;
  }
  if (file.room !== undefined && seats.all().length === 0) controls.restore(file.room);
  for (const { key, progress, running = [], state } of file.seats) {
    const { name, place } = await seats.put(key);
    const saved = state === undefined ? undefined : readSavedState(state);
    if (saved !== undefined) await place.restore(saved); // its lessons take its keys
    const { runs } = await place.lessons();
    runs.restore(name, progress);
    for (const lesson of running) await runs.start(lesson, name);
    if (saved !== undefined) await place.restore(saved);
  }
  return undefined;
}

function read(text: string): RoomFile | string {
  try {
    const { success, output, issues } = v.safeParse(roomFile, JSON.parse(text));
    if (!success) {
      return `This is not the export of a room: ${v.getDotPath(issues[0]) ?? 'the file'}: ${issues[0].message}.`;
    }
    for (const { state } of output.seats) if (state !== undefined) readSavedState(state);
    return output;
  } catch (error) {
    if (error instanceof SavedStateError) return 'This is not the export of a room: the state of a seat is damaged.';
    return 'This is not the export of a room: the file is not JSON.';
  }
}
