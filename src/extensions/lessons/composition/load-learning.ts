import { type Lazy, lazily } from '../../../base/lazily.ts';
import { randomSecret } from '../../../protocol/random.ts';
import type { Config } from '../../../sandbox/config/config.ts';
import type { Issuer, OwnIssuers } from '../../../sandbox/extension.ts';
import { hasLessons, isRoom, keptFor, type LearningHere, type Room } from '../learning.ts';
import type { LessonFolder } from '../lesson.ts';
import { lessonFoldersOf } from '../lesson-folders.ts';
import type { Lessons } from '../lessons.ts';
import { learningSettings } from '../settings.ts';
import { createTrainer } from '../workshop/trainer.ts';
import { loadLessons } from './lessons.ts';
import { createPlaygroundIssuers } from './playground-issuers.ts';
import { loadWorkshop } from './workshop.ts';

/**
 * Makes the lessons, the playground and the room of an issuer. The user's own lessons are read at once, so that a mistake in them stops the
 * start like any other mistake in the configuration.
 * @throws ConfigError
 */
export async function loadLearning(issuer: Issuer): Promise<LearningHere> {
  const { first } = issuer;
  if (first === undefined || !hasLessons(issuer)) return { issuer, ...keptFor(issuer) };
  const shortLived = lazily(first.issuers);
  const pack = await packOf(first.config);
  const lessons = lazily(() => loadLessons({ home: issuer, shortLived, pack }));
  const visitors = createPlaygroundIssuers({ shortLived, home: () => `${issuer.server.issuer}/playground` });
  const sources = { first: issuer, shortLived, lessons, pack };
  const room = isRoom(issuer) ? { workshop: roomOf(first.config, sources) } : {};
  return { issuer, lessons, playground: { visitors }, ...room };
}

interface RoomSources {
  readonly first: Issuer;
  readonly shortLived: Lazy<OwnIssuers>;
  readonly lessons: Lazy<Lessons>;
  readonly pack: readonly LessonFolder[];
}

/**
 * Somebody without the key is led to the page that asks for it, and from there to a seat. The key is that of the control API, so that
 * a script of the trainer can use both.
 */
function roomOf(config: Config, sources: RoomSources): Room {
  const { controlToken = randomSecret().slice(0, 16) } = config;
  const { workshop: seats = 0, workshopHosts: hosts, workshopSeatsPerAddress } = learningSettings(config);
  const { issuer } = sources.first.server;
  const trainer = createTrainer(controlToken, issuer, randomSecret());
  const { key: token, admits } = trainer;
  const elsewhere = `${new URL(issuer).pathname.replace(/\/$/, '')}/room`;
  const seatsPerAddress = workshopSeatsPerAddress ?? Math.ceil(seats / 2);
  const workshop = lazily(() => loadWorkshop({ ...sources, trainer, seats, hosts, seatsPerAddress }));
  const told = { join: `${issuer}/join`, room: `${issuer}/room`, key: token };
  return { ...workshop, told, guard: { token, admits, elsewhere, home: '/join' } };
}

async function packOf(config: Config): Promise<readonly LessonFolder[]> {
  const folders = lessonFoldersOf(config);
  if (folders.length === 0) return [];
  return (await import('../pack/read-pack.ts')).readPack(folders, config.derive);
}
