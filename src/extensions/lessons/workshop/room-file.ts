import * as v from 'valibot';
import { runsOf } from './board.ts';
import type { Workshop } from './workshop.ts';

const progress = v.object({
  lessons: v.record(
    v.string(),
    v.object({ done: v.record(v.string(), v.number()), answers: v.record(v.string(), v.string()) }),
  ),
  opened: v.array(v.string()),
});

const roomFile = v.object({
  grantbox: v.literal('workshop'),
  exportedAt: v.string(),
  seats: v.array(v.object({ key: v.pipe(v.string(), v.regex(/^[a-z]+-[a-z]+\.[\w-]{16,64}$/)), progress })),
});

/** All seats with their keys and their progress, as one file. Somebody who has the file can enter each seat. */
export type RoomFile = v.InferOutput<typeof roomFile>;

export async function exportRoom({ seats, now }: Workshop): Promise<RoomFile> {
  const all = await runsOf(seats.all());
  return {
    grantbox: 'workshop',
    exportedAt: new Date(now() * 1000).toISOString(),
    seats: all.map(({ seat: { name, key }, runs }) => {
      const { lessons, opened } = runs.save(name);
      return { key, progress: { lessons, opened: [...opened] } };
    }),
  };
}

/** Says in a sentence why a file cannot be imported, or puts its seats into the room. A seat of the same name begins anew. */
export async function importRoom({ seats }: Workshop, text: string): Promise<string | undefined> {
  const file = read(text);
  if (typeof file === 'string') return file;
  const names = new Set([...seats.all().map(({ name }) => name), ...file.seats.map(({ key }) => key.split('.', 1)[0])]);
  if (names.size > seats.most) {
    return `The file has ${file.seats.length} seats, so that there would be ${names.size}. This room has ${seats.most}: start it with more.`;
  }
  for (const { key, progress } of file.seats) {
    const { name, place } = await seats.put(key);
    (await place.lessons()).runs.restore(name, progress);
  }
  return undefined;
}

function read(text: string): RoomFile | string {
  try {
    const { success, output, issues } = v.safeParse(roomFile, JSON.parse(text));
    if (success) return output;
    return `This is not the export of a room: ${v.getDotPath(issues[0]) ?? 'the file'}: ${issues[0].message}.`;
  } catch {
    return 'This is not the export of a room: the file is not JSON.';
  }
}
