import type { EventLog } from '../../../events/event-log.ts';

type Entry = Readonly<Record<string, unknown>>;

/** `STAGED`, `SUSPENDED` and `DEPROVISIONED` users cannot log in, because the sandbox does not have them. */
export type LifecycleStatus = 'STAGED' | 'PROVISIONED' | 'ACTIVE' | 'RECOVERY' | 'SUSPENDED' | 'DEPROVISIONED';

/** The facts about a user that only the API keeps. Times are ISO 8601. */
export interface OrgUserFacts {
  readonly status: LifecycleStatus;
  readonly created: string;
  readonly activated: string | null;
  readonly statusChanged: string | null;
  readonly lastUpdated: string;
  readonly passwordChanged: string | null;
}

/** A group that was created, or of which more is known than its name. */
export interface OrgGroupFacts {
  /** Kept when the group gets another name. */
  readonly id: string;
  readonly description?: string | undefined;
  readonly created: string;
  readonly lastUpdated: string;
}

/** All that the API keeps, because an entry of the configuration has no place for it. */
export interface OrgState {
  /** By `sub`. */
  readonly users: Map<string, OrgUserFacts>;
  /** Entries of users who cannot log in, by `sub`. */
  readonly inactive: Map<string, Entry>;
  /** By name. */
  readonly groups: Map<string, OrgGroupFacts>;
  /** Entries of apps that are not active, by `client_id`. */
  readonly apps: Map<string, Entry>;
  /** Claims that were added to the authorization server, by id. */
  readonly claims: Map<string, Entry>;
  /** For entries of the configuration. */
  readonly since: string;
}

/** An empty state that a reset of the configuration empties again. */
export function createState(events: EventLog, since: number): OrgState {
  const maps = { users: new Map(), inactive: new Map(), groups: new Map(), apps: new Map(), claims: new Map() };
  events.overhear(event => {
    const isReset = event.type === 'sandbox.reset' && (event.part === undefined || event.part === 'configuration');
    if (isReset) for (const each of Object.values(maps)) each.clear();
  });
  return { ...maps, since: new Date(since * 1000).toISOString() };
}
