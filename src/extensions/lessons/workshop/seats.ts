import type { IncomingMessage } from 'node:http';
import type { SandboxClock } from '../../../base/clock.ts';
import { sameSecret } from '../../../protocol/random.ts';
import type { PageNotice } from '../../../sandbox/extension.ts';
import { cookieSuffix, readCookie } from '../../../server/http/cookies.ts';
import type { SavedState } from '../../state/saved-state.ts';
import type { TrainerActed } from '../lesson-events.ts';
import type { Lessons } from '../lessons.ts';

export interface SeatsParts {
  readonly most: number;
  /** The most seats that are taken from one address of the network. */
  readonly mostPerAddress: number;
  /** The first issuer, whose cookies these are. */
  readonly issuer: string;
  createPlace(name: string, room: SeatRoom): Promise<SeatPlace>;
  readonly room: Pick<SeatRoom, 'began' | 'mayOpenHints' | 'noticesFor' | 'at'>;
  /** True for the trainer, who may look at each seat. */
  isTrainer(req: IncomingMessage): boolean;
  newSecret(): string;
  /** A random number from 0 up to but not including this one. */
  below(end: number): number;
  /** Called after each change that a board may show. */
  changed(): void;
}

export type Seats = ReturnType<typeof createSeats>;

/** The seats that are taken, in the order in which they were. */
export function createSeats(parts: SeatsParts) {
  const { most, mostPerAddress, room, createPlace, isTrainer, newSecret, below, changed } = parts;
  const seats = new Map<string, Seat>();
  /** Seats whose issuer is being made. */
  const begun = new Set<string>();
  const addresses = createAddresses(mostPerAddress, isTrainer);
  const { keyOf, setCookie } = createKeys(parts.issuer);
  const names = () => new Set([...seats.keys(), ...begun]);

  function byKey(key: string): Seat | undefined {
    const seat = seats.get(nameIn(key));
    return seat !== undefined && sameSecret(seat.key, key) ? seat : undefined;
  }

  const of = (req: IncomingMessage) => byKey(keyOf(req));

  /** Begins a seat anew where there is one with its name: nothing else of it is left. */
  async function put(key: string): Promise<Seat> {
    const name = nameIn(key);
    seats.get(name)?.place.stop();
    begun.add(name);
    try {
      const admits = (req: IncomingMessage) => of(req)?.name === name || isTrainer(req);
      const seat = { name, key, place: await createPlace(name, { ...room, key, admits, changed }) };
      seats.set(name, seat);
      changed();
      return seat;
    } finally {
      begun.delete(name);
    }
  }

  return {
    most,
    all: (): readonly Seat[] => [...seats.values()],
    get: (name: string) => seats.get(name),
    free: () => most - names().size,
    byKey,
    /** The seat whose cookie or key a request has. */
    of,
    /** Takes a free seat for the sender of a request, or says why not. */
    async take(req: IncomingMessage): Promise<Seat | 'none is free' | 'too many for one address'> {
      if (names().size >= most) return 'none is free';
      const name = freeName(names(), below);
      if (!addresses.admit(req, name, names())) return 'too many for one address';
      return put(`${name}.${newSecret()}`);
    },
    mostPerAddress,
    put,
    /** Takes a seat away from its learner, so that it is free. */
    end(name: string): void {
      seats.get(name)?.place.stop();
      seats.delete(name);
      changed();
    },
    setCookie,
  };
}

/** Counts the seats that each address of the network took, so that one address cannot take all. */
function createAddresses(most: number, isTrainer: SeatsParts['isTrainer']) {
  /** The address by the name of the seat. Seats of this machine and of the trainer are not counted. */
  const takenFrom = new Map<string, string>();
  return {
    /** Notes that the sender of a request takes a seat; false if this address has the most already. */
    admit(req: IncomingMessage, name: string, names: ReadonlySet<string>): boolean {
      const address = req.socket.remoteAddress ?? '';
      takenFrom.delete(name);
      if (isTrainer(req) || /^(?:::1$|(?:::ffff:)?127\.)/.test(address)) return true;
      if ([...names].filter(each => takenFrom.get(each) === address).length >= most) return false;
      takenFrom.set(name, address);
      return true;
    },
  };
}

/** The key of a seat begins with its name. */
function nameIn(key: string): string {
  return key.split('.', 1)[0] ?? '';
}

const sevenDays = 604_800;

/** Reads and writes the key of a seat: a cookie of a browser, or the `Authorization` header of a program. */
function createKeys(issuer: string) {
  const cookie = `grantbox_seat${cookieSuffix(issuer)}`;
  const flags = `Path=/; HttpOnly; SameSite=Lax${issuer.startsWith('https:') ? '; Secure' : ''}`;
  return {
    keyOf(req: IncomingMessage): string {
      const bearer = /^bearer +(.+)$/i.exec(req.headers.authorization?.trim() ?? '')?.[1];
      return bearer ?? readCookie(req, cookie) ?? '';
    },
    /** `Set-Cookie` for the browser of the learner. */
    setCookie: ({ key }: Seat) => `${cookie}=${key}; Max-Age=${sevenDays}; ${flags}`,
  };
}

const qualities = (
  'brave bright calm clever cosy curious daring eager early fair fancy gentle glad happy jolly keen kind ' +
  'lively lucky merry mighty nimble noble patient polite proud quick quiet ready shiny smart steady sunny swift tidy warm'
).split(' ');
const animals = (
  'badger bear beaver bison cat crane deer dolphin duck eagle falcon ferret finch fox frog gecko goose hare hawk heron ' +
  'ibex koala lark lemur lion lynx magpie marten mole moose newt otter owl panda puffin rabbit raven robin salmon seal ' +
  'sparrow swan tiger toad trout turtle walrus whale wolf wren'
).split(' ');

/** A name of two words that nobody has yet, easy to say across a room: `brave-otter`. `below` draws a random number. */
function freeName(taken: ReadonlySet<string>, below: (end: number) => number): string {
  const free = qualities.flatMap(quality =>
    animals.map(animal => `${quality}-${animal}`).filter(name => !taken.has(name)),
  );
  return free[below(free.length)] ?? 'guest';
}

/** The issuer of a seat, with the lessons that its learner does in further issuers. */
export interface SeatPlace {
  readonly issuer: string;
  lessons(): Promise<Lessons>;
  /** The living issuers: that of the seat first, then those of its lessons. */
  issuers(): readonly SeatIssuer[];
  /** Returns the keys, changed clients, sessions and tokens of the issuers, without their events. */
  save(): Promise<SavedState>;
  /** Gives each living issuer what was saved of it. */
  restore(saved: SavedState): Promise<void>;
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
  /** The key of the seat. */
  readonly key: string;
  /** Decides who gets into the pages and the control API of the seat. */
  admits(req: IncomingMessage): boolean;
  /** To be called after each event that a board may show. */
  changed(): void;
  /** To be called with each new issuer of the seat. */
  began(issuer: SeatIssuer): void;
  mayOpenHints(): boolean;
  /** The lines above each page of the seat with this name. `home`: the path of its issuer. */
  noticesFor(seat: string, home: string): readonly PageNotice[];
  /** The path at which a script of these pages asks for the lines. */
  readonly at: string;
}

export interface Seat {
  /** Two words: `brave-otter`. */
  readonly name: string;
  /** Lets its holder in: a cookie of the browser, or `Authorization: Bearer` of a program. Begins with the name. */
  readonly key: string;
  readonly place: SeatPlace;
}
