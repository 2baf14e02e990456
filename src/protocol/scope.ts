/** A scope: its words on the sign-in page, and the claims it releases or adds. */
export interface ScopeDefinition {
  readonly name: string;
  /** Plain words that complete "the app wants to …". */
  readonly description: string;
  /** Claims it releases at UserInfo (OIDC Core §5.4). */
  readonly claims: readonly string[];
  /** Added to access tokens that were granted this scope. */
  readonly access_token_claims: Readonly<Record<string, unknown>>;
}

/** Scopes of OpenID Connect, which belong to no API (OIDC Core §5.4, §11). */
export const identityScopes: readonly string[] = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];

/** RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ). */
export const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** The scopes of a space-delimited string, each once, in the order given. */
export function parseScope(scope: string | undefined): string[] {
  if (scope === undefined) return [];
  return [...new Set(scope.split(' ').filter(token => token !== ''))];
}

/** The scopes in the `scope` claim of one of our tokens, text or list. */
export function scopesIn(scope: unknown): readonly string[] {
  return Array.isArray(scope) ? scope.map(String) : parseScope(typeof scope === 'string' ? scope : undefined);
}

/** The wire form; undefined for no scope, because an empty one is never sent. */
export function formatScope(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(' ');
}

/** The scopes in `asked` that are not in `allowed`. */
export function foreignScopes(asked: readonly string[], allowed: readonly string[]): string[] {
  return asked.filter(scope => !allowed.includes(scope));
}
