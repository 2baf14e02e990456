import { createHmac } from 'node:crypto';
import type { EventLog } from '../../../base/events/event-log.ts';
import type { AnyMembers } from '../../../base/text/record.ts';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { shorten } from '../../../protocol/parameters.ts';
import { sameSecret } from '../../../protocol/random.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { emptiedByReset } from '../../management/kept.ts';
import { refused, unfit } from './errors.ts';
import type { SrpNames } from './srp.ts';

/** The user pool that the actions work on. */
export interface UserPool extends Omit<ManagedIssuer, 'adapter'> {
  /** Such as `eu-west-1_Shop1`. */
  readonly id: string;
  /** The confirmation code of every user, because the sandbox sends no mail. */
  readonly code: string;
  /** `on`: each login by this API needs a second factor, and a user without one sets it up. */
  readonly mfa: string;
  readonly state: PoolState;
}

/** More than a pool for tests has. */
const most = 1000;

/** @throws LimitExceededException where there are too many of what only this API keeps */
export function requireRoom(count: number, what: string): void {
  if (count >= most) throw refused('LimitExceededException', `there are ${count} ${what}: remove some first`);
}

/** The words for a username that somebody has. */
export const taken = 'User already exists';

/**
 * Everybody who reaches a sandbox can log in as any of its users, and knows the `code`. Where a `CONTROL_TOKEN` closes the
 * control API, no user may therefore change an account.
 * @throws ForbiddenException
 */
export function requireOpen({ requireControlToken }: UserPool): void {
  if (requireControlToken === undefined) return;
  const message = 'CONTROL_TOKEN is set: users cannot change accounts, only signed actions with that token can';
  throw refused('ForbiddenException', message);
}

/** The value of a member that must be there. @throws InvalidParameterException */
export function required<T>(value: T | undefined, name: string): T {
  if (value !== undefined && value !== '') return value;
  const member = name.charAt(0).toLowerCase() + name.slice(1);
  throw unfit(`null at '${member}'`, 'not be null');
}

/** @throws ResourceNotFoundException */
export function requirePool({ id }: UserPool, sent: string | undefined): void {
  const named = required(sent, 'UserPoolId');
  if (named !== id)
    throw refused('ResourceNotFoundException', `User pool ${shorten(named)} does not exist.`, shorten(named));
}

/** @throws ResourceNotFoundException */
export function poolClient({ server }: UserPool, sent: string | undefined): RegisteredClient {
  const id = required(sent, 'ClientId');
  const client = server.clients.get(id);
  if (client !== undefined) return client;
  throw refused('ResourceNotFoundException', `User pool client ${shorten(id)} does not exist.`, shorten(id));
}

/** True if users can log in with a client by this API. One without the hosted UI may have nothing but refresh tokens. */
export function isForLogins({ grant_types }: RegisteredClient): boolean {
  return grant_types.some(grant => ['authorization_code', 'password', 'refresh_token'].includes(grant));
}

/**
 * Checks that the caller knows the secret of a confidential client: HMAC-SHA256 of a username and the client id.
 * @throws NotAuthorizedException
 */
export function checkSecretHash(
  { client_id, client_secret }: RegisteredClient,
  usernames: readonly string[],
  sent: string | undefined,
): void {
  if (client_secret === undefined) return;
  if (sent === undefined) {
    const message = `Client ${client_id} is configured with secret but SECRET_HASH was not received`;
    throw refused('NotAuthorizedException', message);
  }
  const fits = usernames.some(name =>
    sameSecret(
      sent,
      createHmac('sha256', client_secret)
        .update(name + client_id)
        .digest('base64'),
    ),
  );
  if (!fits) throw refused('NotAuthorizedException', `SecretHash does not match for the client: ${client_id}`);
}

/** The names that SRP hashes the password of a user with. */
export function srpNames({ id }: UserPool, user: string): SrpNames {
  return { pool: id.slice(id.indexOf('_') + 1), user };
}

/**
 * `FORCE_CHANGE_PASSWORD`: the password is temporary, so the next login asks for another one. `RESET_REQUIRED`: nobody can log in
 * before a new password was set with a code.
 */
type UserStatus = 'UNCONFIRMED' | 'CONFIRMED' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED';

/** Facts of a user that the entry has no place for. */
export interface PoolUserFacts {
  /** Unix seconds. */
  readonly created: number;
  readonly modified: number;
  readonly status: UserStatus;
  readonly isDisabled?: boolean;
}

interface PoolGroupFacts {
  /** Unix seconds. */
  readonly created: number;
  readonly modified: number;
  readonly Description?: string;
  readonly Precedence?: number;
  readonly RoleArn?: string;
}

interface PoolState {
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

/** Most entries of a page, and the usual number. */
const mostEntries = 60;

/**
 * A part of a list, and the token of the next one. The token is the number of entries before it.
 * @throws InvalidParameterException
 */
export function pageOf<T>(
  all: readonly T[],
  { limit = mostEntries, from = '0' }: { readonly limit?: number; readonly from?: string | undefined },
): { readonly items: readonly T[]; readonly next?: string } {
  if (!Number.isInteger(limit) || limit < 0 || limit > mostEntries) {
    const bound = limit < 0 ? 'greater than or equal to 0' : `less than or equal to ${mostEntries}`;
    throw unfit(`'${limit}' at 'limit'`, `have value ${bound}`);
  }
  if (!/^\d{1,9}$/.test(from)) throw refused('InvalidParameterException', 'Invalid pagination token.');
  const end = Number(from) + (limit === 0 ? mostEntries : limit);
  return { items: all.slice(Number(from), end), ...(end < all.length && { next: String(end) }) };
}
