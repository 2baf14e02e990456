/** An API that takes the tokens of this issuer (RFC 9728 §1). */
export interface ProtectedResource {
  /** Its identifier: an absolute URI, as in `resource` (RFC 8707 §2) and in `aud`. */
  readonly resource: string;
  readonly name: string;
  /** What can be asked for there. */
  readonly scopes: readonly string[];
}

/** Before the path of a resource: where its metadata is (RFC 9728 §3.1). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

export function resourceMetadataUrl(resource: string): string {
  const { origin } = new URL(resource);
  return origin + resourceMetadataPath + resource.slice(origin.length);
}
