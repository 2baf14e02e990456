import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { PresetOptions, PresetPlace } from '../../sandbox/provider.ts';

/** Authorities without a tenant: the user says which tenant it is. */
export const sharedAuthorities = ['common', 'organizations', 'consumers'] as const;

/** Names of the tenant in a path besides its GUID. */
export function tenantNames({ domain = '' }: PresetOptions): readonly string[] {
  return [...sharedAuthorities, domain];
}

/** Paths of other names of the tenant, of UserInfo and of Graph. */
export function aliasesOf(options: PresetOptions): readonly string[] {
  return [...tenantNames(options).map(name => `/${name}`), '/oidc', '/v1.0'];
}

/** The path that precedes that of the tenant; mostly empty. */
export function rootOf({ base, options: { tenant = '' } }: Pick<PresetPlace, 'base' | 'options'>): string {
  return base.slice(0, base.length - tenant.length - 1);
}

/** The issuer identifier of tokens of version 1.0, in place of `https://sts.windows.net/{tenant}/`. */
export function firstVersionIssuer({ issuer }: Pick<AuthorizationServer, 'issuer'>): string {
  return `${issuer}/`;
}

/** The address of the sandbox without the tenant. */
export function addressOf({ issuer, dialect }: Pick<AuthorizationServer, 'issuer' | 'dialect'>): string {
  return issuer.slice(0, issuer.length - (dialect?.options.tenant ?? '').length - 1);
}
