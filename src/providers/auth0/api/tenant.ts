import { hash } from 'node:crypto';
import type { AnyMembers } from '../../../base/text/record.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { inputInvalid } from '../../management/call.ts';
import { emptiedByReset } from '../../management/kept.ts';

interface TenantState {
  /** By name: roles that were created, or of which more is known than the name. */
  readonly roles: Map<string, TenantRole>;
  /** By name. */
  readonly organizations: Map<string, AnyMembers>;
  /** By identifier. */
  readonly apis: Map<string, AnyMembers>;
  /** By `client_id`: members of clients that their entry does not have. */
  readonly clients: Map<string, AnyMembers>;
  /** By `sub`: milliseconds since 1970 at which a user was created. */
  readonly created: Map<string, number>;
  /** By `sub`: entries of blocked users. */
  readonly away: Map<string, AnyMembers>;
}

interface TenantRole {
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

/** The tenant of an issuer. */
export function createTenant({ adapter: _, ...issuer }: ManagedIssuer): Tenant {
  const state: TenantState = emptiedByReset(issuer.events, {
    roles: new Map(),
    organizations: new Map(),
    apis: new Map(),
    clients: new Map(),
    created: new Map(),
    away: new Map(),
  });
  return { ...issuer, state, since: issuer.server.wallClock() * 1000 };
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
