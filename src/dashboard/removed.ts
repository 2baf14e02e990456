import type { PageContext } from './page.ts';

type Entry = Readonly<Record<string, unknown>>;

export type Removed = ReturnType<typeof createRemoved>;

const mostRemembered = 20;

/**
 * Deleted entries that can be restored: all configured ones, and the last 20 others. `configured` are the ids at the start, `present`
 * the current ones.
 */
export function createRemoved(configured: readonly string[], present: () => Iterable<string>) {
  const remembered = new Map<string, Entry>();
  return {
    remember(id: string, entry: Entry | undefined): void {
      if (entry === undefined || configured.includes(id)) return;
      remembered.delete(id);
      remembered.set(id, entry);
      for (const oldest of [...remembered.keys()].slice(0, -mostRemembered)) remembered.delete(oldest);
    },
    entryOf: (id: string) => remembered.get(id),
    ids(): readonly string[] {
      const there = new Set(present());
      return [...configured, ...remembered.keys()].filter(id => !there.has(id));
    },
  };
}

export function removedClients({ clients, registered }: PageContext): Removed {
  return createRemoved(
    clients.map(({ client_id }) => client_id),
    () => [...registered()].map(({ client_id }) => client_id),
  );
}

export function removedUsers({ users, accounts }: PageContext): Removed {
  return createRemoved(
    users.map(({ sub }) => sub),
    () => [...accounts()].map(({ sub }) => sub),
  );
}
