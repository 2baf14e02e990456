import { type ProtectedResource, resourceMetadataUrl } from '../../../protocol/protected-resource.ts';
import type { IssuerConfig } from '../../config/config.ts';

/** URL of the sample backend. */
const apiPath = '/api';

/**
 * The values of `aud` that a collection accepts: its own identifier, and those of the API and the sandbox that contain
 * it.
 */
export function resourcesOf(issuer: string, collection: string): readonly string[] {
  return [issuer, issuer + apiPath, `${issuer}${apiPath}/${collection}`];
}

export function metadataUrlOf(issuer: string, collection: string): string {
  return resourceMetadataUrl(`${issuer}${apiPath}/${collection}`);
}

/** The protected resources (RFC 9728): the sandbox, its whole API, each collection, and UserInfo. */
export function protectedResources(
  { collections, label, scopes: ofUsers }: Pick<IssuerConfig, 'collections' | 'label' | 'scopes'>,
  issuer: string,
  userinfoPath: string,
): readonly ProtectedResource[] {
  const api = issuer + apiPath;
  const named = (name: string) => (label === '' ? name : `${name} (${label})`);
  const each = collections.map(({ name, readScope, writeScope }) => ({
    resource: `${api}/${name}`,
    name: named(`Sample backend: ${name}`),
    scopes: [readScope, writeScope].filter(scope => scope !== undefined),
  }));
  const scopes = [...new Set(each.flatMap(collection => collection.scopes))];
  const whole = { name: named('Sample backend'), scopes };
  const personal = ofUsers.filter(({ name, claims }) => name === 'openid' || claims.length > 0);
  const userinfo = {
    resource: issuer + userinfoPath,
    name: named('UserInfo'),
    scopes: personal.map(({ name }) => name),
  };
  return [{ resource: issuer, ...whole }, { resource: api, ...whole }, ...each, userinfo];
}
