import type { Desk } from '../desk.ts';

type Entry = Readonly<Record<string, unknown>>;

/** What was deleted here, so that a wrong click costs nothing: configured entries, and the last ones that were not. */
export interface Removed {
  remember(id: string, entry: Entry | undefined): void;
  /** The entry to create again; undefined for one that is of the configuration, or forgotten. */
  entryOf(id: string): Entry | undefined;
  /** All that can come back. */
  ids(): readonly string[];
}

const mostRemembered = 20;

/** `configured` are the ids of the start, `present` those that are there now. */
export function createRemoved(configured: readonly string[], present: () => Iterable<string>): Removed {
  const remembered = new Map<string, Entry>();
  return {
    remember(id, entry) {
      if (entry === undefined || configured.includes(id)) return;
      remembered.delete(id);
      remembered.set(id, entry);
      for (const oldest of [...remembered.keys()].slice(0, -mostRemembered)) remembered.delete(oldest);
    },
    entryOf: id => remembered.get(id),
    ids() {
      const there = new Set(present());
      return [...configured, ...remembered.keys()].filter(id => !there.has(id));
    },
  };
}

export function removedClients({ clients, registered }: Desk): Removed {
  return createRemoved(
    clients.map(({ client_id }) => client_id),
    () => [...registered()].map(({ client_id }) => client_id),
  );
}

export function removedUsers({ users, accounts }: Desk): Removed {
  return createRemoved(
    users.map(({ sub }) => sub),
    () => [...accounts()].map(({ sub }) => sub),
  );
}
