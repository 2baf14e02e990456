import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest } from '../../protocol/endpoints/endpoint.ts';
import { invalidRequest } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';
import type { PresetOptions, PresetPlace } from '../../sandbox/provider.ts';

/** Authorities without a tenant: the user says which tenant it is. */
export const sharedAuthorities = ['common', 'organizations', 'consumers'] as const;

/** Names of the tenant in a path besides its GUID. */
function tenantNames({ domain = '' }: PresetOptions): readonly string[] {
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

/**
 * The name of the tenant in the path of a request.
 * @throws invalid_request for a tenant that this sandbox does not have
 */
export async function requireTenant(server: AuthorizationServer, { path }: EndpointRequest): Promise<string> {
  const { options = {} } = server.dialect ?? {};
  const { pathname } = new URL(addressOf(server));
  const sent = path.slice(pathname.replace(/\/$/, '').length).split('/')[1] ?? '';
  const known = [options.tenant ?? '', ...tenantNames(options)];
  if (known.includes(sent.toLowerCase())) return sent.toLowerCase();
  throw invalidRequest('tenant_unknown', `there is no tenant ${shorten(sent)}`, {
    sent: shorten(sent),
    expected: known.join(' or '),
  });
}
