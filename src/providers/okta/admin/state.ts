import type { EventLog } from '../../../base/events/event-log.ts';
import type { AnyMembers } from '../../../base/text/record.ts';
import { emptiedByReset } from '../../management/kept.ts';

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
  readonly away: Map<string, AnyMembers>;
  /** By name. */
  readonly groups: Map<string, OrgGroupFacts>;
  /** Entries of apps that are not active, by `client_id`. */
  readonly apps: Map<string, AnyMembers>;
  /** Claims that were added to the authorization server, by id. */
  readonly claims: Map<string, AnyMembers>;
  /** For entries of the configuration. */
  readonly since: string;
}

/** An empty state. `since` is in Unix seconds. */
export function createState(events: EventLog, since: number): OrgState {
  const maps = { users: new Map(), away: new Map(), groups: new Map(), apps: new Map(), claims: new Map() };
  return { ...emptiedByReset(events, maps), since: new Date(since * 1000).toISOString() };
}
