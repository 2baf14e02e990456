import type { EventLog } from '../../../base/events/event-log.ts';
import type { AnyMembers } from '../../../base/text/record.ts';
import { emptiedByReset } from '../../management/kept.ts';

interface RoleFacts {
  readonly description?: string | undefined;
  readonly attributes?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Keys of the roles that it is composed of. */
  readonly parts: ReadonlySet<string>;
}

/** A group that was created, or of which more is known than its path. */
export interface GroupFacts {
  /** Kept when the group gets another name. */
  readonly id: string;
  readonly description?: string | undefined;
  readonly attributes?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Keys of the roles that its members have. */
  readonly roles: ReadonlySet<string>;
}

/** The facts about a user that only the admin API of a realm keeps. */
interface UserRecord {
  /** Milliseconds since 1970. */
  readonly createdTimestamp: number;
  readonly requiredActions: readonly string[];
}

/** All that the admin API keeps, because an entry of the configuration has no place for it. */
export interface RealmState {
  /** By the key of the role. */
  readonly roles: Map<string, RoleFacts>;
  /** By full path. */
  readonly groups: Map<string, GroupFacts>;
  /** By `sub`. */
  readonly users: Map<string, UserRecord>;
  /** Entries of disabled users, by `sub`. */
  readonly away: Map<string, AnyMembers>;
  /** By `client_id`: a client as it was sent, and the entry that was made of it; none for a client that can get no tokens. */
  readonly clients: Map<string, { readonly sent: AnyMembers; readonly entry: AnyMembers | undefined }>;
  /** Members of the realm that the sandbox has no use for. */
  readonly realm: Map<string, unknown>;
  /** UUIDs that callers chose for new clients: `client shop`. */
  readonly ids: Map<string, string>;
  /** Milliseconds since 1970: for users of the configuration. */
  readonly since: number;
}

/** An empty state. `since` is in milliseconds since 1970. */
export function createState(events: EventLog, since: number): RealmState {
  const maps = emptiedByReset(events, {
    roles: new Map(),
    groups: new Map(),
    users: new Map(),
    away: new Map(),
    clients: new Map(),
    realm: new Map(),
    ids: new Map(),
  });
  return { ...maps, since };
}
