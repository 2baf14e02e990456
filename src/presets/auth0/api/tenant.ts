import { hash } from 'node:crypto';
import type { Change } from '../../../events/change.ts';
import type { ManagedIssuer } from '../../management/managed-issuer.ts';
import { inputInvalid, refusedChange } from '../../management/refusals.ts';

type Entry = Readonly<Record<string, unknown>>;

/** State of the Management API for which the entries of the configuration have no member. */
export interface TenantState {
  /** By name: roles that were created, or of which more is known than the name. */
  readonly roles: Map<string, TenantRole>;
  /** By name. */
  readonly organizations: Map<string, Entry>;
  /** By identifier. */
  readonly apis: Map<string, Entry>;
  /** By `client_id`: members of clients that their entry does not have. */
  readonly clients: Map<string, Entry>;
  /** By `sub`: milliseconds since 1970 at which a user was created. */
  readonly created: Map<string, number>;
  /** Entries of blocked users, who cannot log in because the sandbox does not have them. */
  readonly blocked: Map<string, Entry>;
}

/** A role as it was sent. */
export interface TenantRole {
  readonly description?: string;
  readonly permissions: readonly Permission[];
}

/** A permission: a scope of an API. */
export interface Permission {
  readonly resource_server_identifier: string;
  readonly permission_name: string;
}

/** The tenant that the calls of the Management API work on. */
export interface Tenant extends Omit<ManagedIssuer, 'adapter'> {
  readonly state: TenantState;
  /** Milliseconds since 1970 at which the tenant began. */
  readonly since: number;
}

/** The tenant of an issuer. A reset of the configuration empties what it keeps. */
export function createTenant({ adapter: _, ...issuer }: ManagedIssuer): Tenant {
  const state: TenantState = {
    roles: new Map(),
    organizations: new Map(),
    apis: new Map(),
    clients: new Map(),
    created: new Map(),
    blocked: new Map(),
  };
  issuer.events.overhear(({ type }) => {
    if (type === 'sandbox.reset') for (const each of Object.values(state)) each.clear();
  });
  return { ...issuer, state, since: issuer.server.wallClock() * 1000 };
}

/**
 * Makes a change by the rules of the control API, and tells the log.
 * @throws what these rules refuse; `taken` are the words of Auth0 for a name that is taken
 */
export async function apply({ control }: Tenant, change: Change, taken?: string): Promise<void> {
  const changed = await control.apply(change, 'api');
  if (!changed.ok) throw refusedChange(changed.faults, changed.isTaken ? taken : undefined);
}

/** An id such as `rol_…` of a name, the same in each run. */
export function idOf(prefix: string, ...names: readonly string[]): string {
  return `${prefix}_${hash('sha256', JSON.stringify(names), 'base64url').replace(/[-_]/g, '').slice(0, 16)}`;
}

/** More than a tenant for tests has. */
const most = 2000;

/** @throws 400 where there are too many of what only the Management API keeps */
export function requireRoom({ size }: { readonly size: number }): void {
  if (size >= most) throw inputInvalid(`there are ${size} entries of this kind: remove some first`);
}
