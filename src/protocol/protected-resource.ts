import type { ClientDirectory } from './clients/client-directory.ts';

/** An API that accepts the tokens of this issuer (RFC 9728 §1). */
export interface ProtectedResource {
  /** Its identifier: an absolute URI, as in `resource` (RFC 8707 §2) and in `aud`. */
  readonly resource: string;
  readonly name: string;
  /** Scopes of this resource. */
  readonly scopes: readonly string[];
}

/** Prefix of the path of a resource; the metadata is there (RFC 9728 §3.1). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

export function resourceMetadataUrl(resource: string): string {
  const { origin } = new URL(resource);
  return origin + resourceMetadataPath + resource.slice(origin.length);
}

/** True if `aud` has a requested resource (RFC 8707) beside the usual audience. A name that is not a URI names no API. */
export function isAskedFor(clients: ClientDirectory, { aud, client_id }: Readonly<Record<string, unknown>>): boolean {
  const { audience = [] } = clients.get(String(client_id)) ?? {};
  const usual: readonly unknown[] = [client_id, ...audience];
  return [aud].flat().some(value => typeof value === 'string' && !usual.includes(value) && URL.canParse(value));
}
