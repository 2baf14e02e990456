import { type Lazy, lazily } from '../../base/lazily.ts';
import { type Outbound, OutboundError } from '../../protocol/outbound.ts';
import { randomSecret, systemRandom } from '../../protocol/random.ts';
import type { Config } from '../../sandbox/config/config.ts';
import { clockOf } from '../../sandbox/control/clock-of.ts';
import type { Issuer, OwnIssuers } from '../../sandbox/extension.ts';
import { pathOf } from '../state/operations.ts';
import { captureIssuer, restoreIssuer } from '../state/saved-entries.ts';
import { stateVersion } from '../state/saved-state.ts';
import { hasLessons, isRoom, keptFor, type Learning, type LearningHere, type Room } from './learning.ts';
import type { LessonFolder } from './lesson.ts';
import { lessonFoldersOf } from './lesson-folders.ts';
import type { Lessons } from './lessons.ts';
import { loadLessons } from './load-lessons.ts';
import { createPlaygroundIssuers } from './playground/playground-issuers.ts';
import { learningSettings, roomFileOf } from './settings.ts';
import { trainerIn } from './workshop/keep-room.ts';
import type { SeatIssuer, SeatPlace, SeatRoom } from './workshop/seats.ts';
import { createTrainer, createWorkshop, type Trainer, type Workshop } from './workshop/workshop.ts';

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
  const { key, cookie = randomSecret() } = knownTrainer(config);
  const { controlToken = key ?? randomSecret().slice(0, 16) } = config;
  const { workshop: seats = 0, workshopHosts: hosts, workshopSeatsPerAddress } = learningSettings(config);
  const { issuer } = sources.first.server;
  const trainer = createTrainer(controlToken, issuer, key === controlToken ? cookie : randomSecret());
  const { key: token, admits } = trainer;
  const elsewhere = `${new URL(issuer).pathname.replace(/\/$/, '')}/room`;
  const seatsPerAddress = workshopSeatsPerAddress ?? Math.ceil(seats / 2);
  const workshop = lazily(() => loadWorkshop({ ...sources, trainer, seats, hosts, seatsPerAddress }));
  const told = { join: `${issuer}/join`, room: `${issuer}/room`, key: token };
  return { ...workshop, told, guard: { token, admits, elsewhere, home: '/join' } };
}

/** Reads the key and the cookie of the trainer from the file of the room: after a restart, the browser of the board is still let in. */
function knownTrainer(config: Config): { readonly key?: string; readonly cookie?: string } {
  const file = roomFileOf(config);
  return (file === undefined ? undefined : trainerIn(file)) ?? {};
}

async function packOf(config: Config): Promise<readonly LessonFolder[]> {
  const folders = lessonFoldersOf(config);
  if (folders.length === 0) return [];
  return (await import('./pack/read-pack.ts')).readPack(folders, config.derive);
}

export interface WorkshopSources {
  readonly seats: number;
  readonly seatsPerAddress: number;
  /** Hosts that the seats may call. */
  readonly hosts: readonly string[];
  readonly trainer: Trainer;
  readonly first: Issuer;
  readonly shortLived: Lazy<OwnIssuers>;
  /** The lessons of the first issuer, which in a workshop is the issuer of the trainer. */
  readonly lessons: Lazy<Lessons>;
  /** The lessons of the user. */
  readonly pack: readonly LessonFolder[];
}

/** The room of a workshop. The issuer of a seat has lessons and a playground of its own, and lets in nobody else. */
async function loadWorkshop(sources: WorkshopSources): Promise<Workshop> {
  const { seats, trainer, first, lessons } = sources;
  return createWorkshop({
    most: seats,
    mostPerAddress: sources.seatsPerAddress,
    issuer: first.server.issuer,
    trainer,
    now: first.events.wall,
    lessons: async () => (await lessons.get()).runs.all(),
    newSecret: () => randomSecret().slice(0, 20),
    below: systemRandom.below,
    createPlace: (name, room) => createPlace(sources, name, room),
  });
}

/** A day, the longest lifetime of an issuer. */
const lifetime = 86_400;

/** Enough for the requests of an exercise; the issuers of the lessons have their own. */
const history = { historySize: 200, historyBytes: 1_000_000 };

/** Lessons of a seat whose issuers run at a time: a learner does one, and may look back at another. */
const mostRunning = 3;

async function createPlace(
  { trainer, first, shortLived, pack, hosts }: WorkshopSources,
  name: string,
  room: SeatRoom,
): Promise<SeatPlace> {
  const base = new URL(first.server.issuer).pathname.replace(/\/$/, '');
  const outbound = onlyTo(hosts, first.server.outbound);
  const issuers = await shortLived.get();
  const home = new URL(issuers.addressOf(name)).pathname;
  const ofSeatItself = {
    guard: { token: trainer.key, admits: room.admits, elsewhere: `${base}/join`, home: '/lessons' },
    notices: { script: 'seat.js', at: room.at, list: () => room.noticesFor(name, home) },
    outbound,
  };
  const extras = { ...ofSeatItself, keysOf: () => own };
  const isLiving = ({ issuer }: SeatIssuer) => issuers.list().some(each => each.issuer === issuer);
  let ofLessons: readonly (SeatIssuer & { readonly parts: Issuer })[] = [];

  function watch(own: Issuer): void {
    const issuer = { ...seatIssuerOf(own), parts: own };
    ofLessons = [...ofLessons.filter(each => each.issuer !== issuer.issuer && isLiving(each)), issuer];
    own.events.subscribe(({ type }) => watched.has(type) && room.changed());
    room.began(issuer);
    room.changed();
  }

  const seat = { ...lessonsIn(room, first), learner: name, mostRunning, extras, watch };
  // the issuer answers pages of its learner before its keys are there
  const lessons = lazily(async () => loadLessons({ home: (await making).issuer, shortLived, pack, seat }));
  const visitors = createPlaygroundIssuers({
    shortLived: lazily(() => making.then(() => issuers)),
    home: () => `${issuers.addressOf(name)}/playground`,
    most: 1,
    extras,
  });
  const kept: Learning = { lessons, playground: { visitors } };
  // a learner can export the keys of the seat, and sign with them
  const making = issuers.createHere(
    { label: name, ...history },
    { id: name, lifetime, keys: 'own' },
    { ...ofSeatItself, kept },
  );
  const { issuer: own, stop } = await making;
  own.events.subscribe(({ type }) => type === 'task.done' && room.changed());
  const ofSeat = seatIssuerOf(own);
  room.began(ofSeat);
  return {
    issuer: own.server.issuer,
    lessons: lessons.get,
    issuers: () => [ofSeat, ...ofLessons].filter(isLiving),
    ...remembering(() => [own, ...ofLessons.map(({ parts }) => parts)]),
    stop() {
      lessons.current()?.runs.forget(name);
      visitors.close();
      stop();
    },
  };
}

/**
 * The commands of a learner have the key of the seat, without which the control API refuses them. With SEED, all seats get the same
 * mysteries.
 */
function lessonsIn({ mayOpenHints, key }: SeatRoom, { config: { seed } }: Issuer) {
  return { mayOpenHints, controlKey: key, seed };
}

/** The state of a lab is its defence and two issuers, which begin anew. */
function remembering(issuers: () => readonly Issuer[]): Pick<SeatPlace, 'save' | 'restore'> {
  const kept = () => issuers().filter(each => keptFor(each).lab === undefined);
  return {
    async save() {
      const all = kept().map(async each => [pathOf(each), await captureIssuer(each)] as const);
      return { grantbox_state: stateVersion, issuers: Object.fromEntries(await Promise.all(all)) };
    },
    async restore(saved) {
      for (const each of kept()) {
        const state = saved.issuers[pathOf(each)];
        if (state !== undefined) await restoreIssuer(each, state);
      }
    },
  };
}

/** After these a board may look different. */
const watched: ReadonlySet<string> = new Set(['request.completed', 'error.returned', 'clock.changed']);

function seatIssuerOf(own: Issuer): SeatIssuer {
  const { server, breakpoints, events } = own;
  let ours: string | undefined; // the learner may have set others

  async function unhold(): Promise<void> {
    if (ours !== undefined) (await breakpoints.get()).remove(ours);
    ours = undefined;
  }
  return {
    issuer: server.issuer,
    clock: clockOf(own, 'library'),
    async hold(endpoint) {
      await unhold();
      ours = (await breakpoints.get()).set({ endpoint, times: 'always', seconds: 3600 })?.id;
    },
    held: async () => (ours === undefined ? 0 : (await breakpoints.get()).held().length),
    async letGo() {
      if (ours !== undefined) (await breakpoints.get()).continue();
    },
    unhold,
    tell: fact => void events.append(fact, 'sandbox'),
  };
}

/** Calls only these hosts. */
function onlyTo(hosts: readonly string[], outbound: Outbound): Outbound {
  function checked(url: string): void {
    const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : url;
    const isAllowed = hosts.some(each => each.toLowerCase() === host);
    if (!isAllowed) {
      const why = `${host} is not called: the seats of a workshop call only hosts that the trainer allows in WORKSHOP_HOSTS`;
      throw new OutboundError('address_forbidden', why);
    }
  }
  return {
    async get(url, options) {
      checked(url);
      return outbound.get(url, options);
    },
    async post(url, body, options) {
      checked(url);
      return outbound.post(url, body, options);
    },
  };
}
