import type { BothHands } from '../../base/clock.ts';
import { putRules } from '../../sandbox/control/token-claims.ts';
import type { IssuerFaults } from '../../sandbox/issuer/faults.ts';
import type { FollowedIssuers, FollowedReloads, SharedEntries, SharedIssuer } from '../../sandbox/replica.ts';
import type { ArmedFault } from '../../server/faults/fault.ts';
import { noChanges, type SharedPart } from './shared-part.ts';

/** Everything that changes in one issuer while it runs, beside its store and its log. */
export function partsOf({ server, collections, clock, faults, extensions }: SharedIssuer): readonly SharedPart[] {
  const { clients, users, scopes, keys } = server;
  return [
    valuePart<BothHands>('clock', clock.hands, clock.put),
    mapPart({
      name: 'scopes',
      map: scopes,
      put: (name, scope) => void (scopes as Map<string, typeof scope>).set(name, scope),
      remove: name => void (scopes as Map<string, unknown>).delete(name),
    }),
    mapPart({
      name: 'clients',
      map: clients,
      put: (_id, client) => {
        clients.replace(client);
        faults.checkAgain();
      },
      remove: id => void clients.discard(id),
    }),
    mapPart({
      name: 'users',
      map: users,
      put: (sub, user) => {
        (users as unknown as Map<string, typeof user>).set(sub, user); // as it is: a visitor stays one
        faults.checkAgain();
      },
      remove: sub => void users.remove(sub),
    }),
    valuePart('collections', () => collections.all, collections.replaceAll),
    valuePart(
      'rules',
      () => server.tokenRules?.templates ?? [],
      rules => putRules(server, rules),
    ),
    slowPart('keys', keys.revision, keys.kept, keys.keep),
    faultPart(faults),
    ...extensions.shared().map(comparedPart),
  ];
}

/** A part of few entries, which its owner lists. */
function comparedPart<T extends object>(options: SharedEntries<T> & { readonly name: string }): SharedPart {
  const { name, list, idOf, told = entry => entry, taker } = options;
  const seen = new Map<string, string>();
  // sorted, because the engine writes members in an order of its own
  const seenOf = (entry: T) =>
    JSON.stringify(Object.entries(told(entry)).sort(([one], [other]) => (one < other ? -1 : 1)));

  async function take(id: string, entry: T | undefined): Promise<void> {
    const { put } = await taker();
    // both at once, or it would look like a change of this process; and only this entry, because another one may have changed here
    put(id, entry);
    if (entry === undefined) seen.delete(id);
    else seen.set(id, seenOf(entry));
  }
  return {
    name,
    changes() {
      const now = list();
      if (seen.size === 0 && now.length === 0) return noChanges;
      const changed = now.filter(entry => seen.get(idOf(entry)) !== seenOf(entry));
      const ids = new Set(now.map(idOf));
      const gone = [...seen.keys()].filter(id => !ids.has(id));
      for (const entry of changed) seen.set(idOf(entry), seenOf(entry));
      for (const id of gone) seen.delete(id);
      return new Map<string, unknown>([
        ...changed.map(entry => [idOf(entry), entry] as const),
        ...gone.map(id => [id, undefined] as const),
      ]);
    },
    apply: (id, value) => take(id, value as T | undefined), // as it was written
    undo: id => take(id, undefined),
  };
}

/**
 * A list or record that is told as one value, such as the hands of a clock. Its members are never changed in place, so a
 * look at each tells whether anything is new: that is asked at every request.
 */
function valuePart<T extends object>(name: string, read: () => T, write: (value: T) => void): SharedPart {
  let seen: readonly unknown[] = Object.values(read());
  const first = JSON.stringify(read());
  const isSame = (now: readonly unknown[]) => now.length === seen.length && now.every((each, at) => each === seen[at]);
  function take(json: string): void {
    write(JSON.parse(json));
    seen = Object.values(read());
  }
  return {
    name,
    changes() {
      const now = Object.values(read());
      if (isSame(now)) return noChanges;
      seen = now;
      return new Map([['', read()]]);
    },
    apply(_id, value) {
      if (value !== undefined) take(JSON.stringify(value));
    },
    undo: () => take(first),
  };
}

/** A value that takes time to read; `revision` tells at once whether it has changed. */
function slowPart<T>(
  name: string,
  revision: () => string,
  read: () => Promise<T>,
  write: (value: T) => Promise<void>,
): SharedPart {
  let seen = revision();
  const first = read();
  first.catch(() => {}); // a caller that asks for the value gets the error
  async function take(value: T): Promise<void> {
    await write(value);
    seen = revision();
  }
  async function changed(): Promise<ReadonlyMap<string, unknown>> {
    const value = await read();
    return new Map([['', value]]);
  }
  return {
    name,
    changes() {
      if (revision() === seen) return noChanges;
      seen = revision();
      return changed();
    },
    async apply(_id, value) {
      if (value !== undefined) await take(value as T); // as it was written
    },
    undo: async () => take(await first),
  };
}

/** How a map is read and changed when another replica changed an entry. */
interface MapPartOptions<T> {
  readonly name: string;
  readonly map: ReadonlyMap<string, T>;
  readonly put: (id: string, value: T) => void | Promise<void>;
  readonly remove: (id: string) => void;
}

/** The methods of a map that change it. */
type Changing<T> = Pick<Map<string, T>, 'set' | 'delete' | 'clear'>;

/**
 * The entries of a map. The part watches the methods of the map: much code changes clients, users and scopes, and a change
 * that the code had to announce would be forgotten somewhere.
 */
export function mapPart<T>({ name, map, put, remove }: MapPartOptions<T>): SharedPart {
  const watched = map as Map<string, T>; // the directories are maps that only their own methods change
  let changed = new Set<string>();
  /** The configured entries: one that was added has nothing to go back to. */
  const first: ReadonlyMap<string, T> = new Map(map);
  const taking = new Set<string>();

  const { set, delete: drop, clear }: Changing<T> = watched;
  const note = (id: string) => {
    if (!taking.has(id)) changed.add(id);
  };
  watched.set = (id, value) => {
    note(id);
    return set.call(watched, id, value);
  };
  watched.delete = id => {
    note(id);
    return drop.call(watched, id);
  };
  watched.clear = () => {
    for (const id of watched.keys()) note(id);
    clear.call(watched);
  };
  async function take(id: string, value: T | undefined): Promise<void> {
    taking.add(id);
    try {
      if (value === undefined) remove(id);
      else await put(id, value);
    } finally {
      taking.delete(id);
    }
  }
  return {
    name,
    changes() {
      if (changed.size === 0) return noChanges;
      const ids = [...changed];
      changed = new Set();
      return new Map(ids.map(id => [id, watched.get(id)]));
    },
    apply: (id, value) => take(id, value as T | undefined), // as it was written
    undo: id => take(id, first.get(id)),
  };
}

export const faultPartName = 'faults';

/** The armed faults. Their budgets are charged in the engine, so that no fault meets more requests than it should. */
function faultPart(faults: IssuerFaults): SharedPart {
  return comparedPart<ArmedFault>({
    name: faultPartName,
    list: () => (faults.current()?.armed.list() ?? none).map(shared),
    idOf: ({ id }) => id,
    told: ({ times: _, met: __, ...fault }) => fault, // a charge has told its budget already
    taker: async () => (await faults.get()).armed,
  });
}

const none: readonly never[] = [];

/** Without the number of requests that it holds, which is that of this replica. */
function shared({ holds: _, ...fault }: ArmedFault): ArmedFault {
  return fault;
}

/** The issuers made at run time: each replica makes them from the same order. */
export function issuersPart({ orders, follow, forget }: FollowedIssuers): SharedPart {
  return mapPart({ name: 'issuers', map: orders, put: (_id, order) => follow(order), remove: forget });
}

/**
 * The reloads that somebody asked for: each replica reads its own file then. One whose file cannot be used has logged that,
 * and keeps its configuration.
 */
export function reloadPart({ count, follow }: FollowedReloads): SharedPart {
  let seen = count();
  return {
    name: 'reloads',
    changes() {
      if (count() === seen) return noChanges;
      seen = count();
      return new Map([['', { count: seen }]]);
    },
    apply: () => follow(),
    undo: () => {},
  };
}
