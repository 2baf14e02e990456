import { hash } from 'node:crypto';
import type { EventLog } from '../../../base/events/event-log.ts';
import type { AnyMembers } from '../../../base/text/record.ts';
import { invalidRequest, type OAuthError } from '../../../protocol/errors.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { inputInvalid, missing } from '../../management/call.ts';
import { emptiedByReset } from '../../management/kept.ts';

/** The org that the calls of the management API work on. */
export interface Org extends Omit<ManagedIssuer, 'adapter'> {
  readonly state: OrgState;
  /** `http://localhost:9000/api/v1` */
  readonly at: string;
}

/** The address of an entry of the API. */
export function addressOf({ at }: Org, ...steps: readonly string[]): string {
  return [at, ...steps.map(encodeURIComponent)].join('/');
}

/** An id in the form of Okta, the same in each run: a prefix such as `00g`, and 17 letters and digits. */
export function oktaId(prefix: string, ...names: readonly string[]): string {
  const text = hash('sha256', JSON.stringify(names), 'base64').replaceAll(/[^A-Za-z0-9]/g, '');
  return `${prefix}${text.slice(0, 17)}`;
}

/** Refuses by a code of Okta, such as `E0000016`. */
export function refusedBy(code: string, status: number, summary: string): OAuthError {
  return invalidRequest('management_input_invalid', `${code}: ${summary}`, { status });
}

/** @throws 404; `kind` is the name of Okta for entries of this kind */
export function missingEntry(kind: string, id: string): never {
  missing(`Not found: Resource not found: ${id.slice(0, 100)} (${kind})`, id);
}

/** The time of the sandbox in ISO 8601. */
export function now({ server }: Org): string {
  return new Date(server.clock() * 1000).toISOString();
}

/** More than an org for tests has. */
const most = 2000;

/** @throws 400 where there are too many of what only this API keeps */
export function requireRoom(count: number, what: string): void {
  if (count >= most) throw inputInvalid(`${what}: there are ${count}, remove some first`);
}

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
  readonly description?: string;
  readonly created: string;
  readonly lastUpdated: string;
}

interface OrgState {
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
