import type { EventLog } from '../../../base/events/event-log.ts';
import type { AnyMembers } from '../../../base/text/record.ts';
import { emptiedByReset } from '../../management/kept.ts';

/**
 * `FORCE_CHANGE_PASSWORD`: the password is temporary, so the next login asks for another one. `RESET_REQUIRED`: nobody can log in
 * before a new password was set with a code.
 */
export type UserStatus = 'UNCONFIRMED' | 'CONFIRMED' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED';

/** Facts of a user that the entry has no place for. */
export interface PoolUserFacts {
  /** Unix seconds. */
  readonly created: number;
  readonly modified: number;
  readonly status: UserStatus;
  readonly isDisabled?: boolean;
}

export interface PoolGroupFacts {
  /** Unix seconds. */
  readonly created: number;
  readonly modified: number;
  readonly Description?: string | undefined;
  readonly Precedence?: number | undefined;
  readonly RoleArn?: string | undefined;
}

/** All that the user pool API keeps. */
export interface PoolState {
  /** By `sub`. */
  readonly users: Map<string, PoolUserFacts>;
  /**
   * By `sub`: entries of users who cannot log in, because the sandbox does not have them. They have signed up and are not
   * confirmed, or they are disabled.
   */
  readonly away: Map<string, AnyMembers>;
  /** By name. */
  readonly groups: Map<string, PoolGroupFacts>;
  /** Unix seconds: for users and groups of the configuration. */
  readonly since: number;
}

/** An empty state. `since` is in Unix seconds. */
export function createState(events: EventLog, since: number): PoolState {
  return { ...emptiedByReset(events, { users: new Map(), away: new Map(), groups: new Map() }), since };
}
