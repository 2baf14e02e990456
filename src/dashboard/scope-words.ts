import { parseScope } from '../oauth/scope.ts';

const identityScopes = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access']);

/** Scopes for reading, in two lists. */
export interface ReadableScopes {
  /** Scopes about the user: `openid, profile`. */
  readonly identity: string;
  /** Scopes that open an API: `products:read`. */
  readonly api: string;
}

/** The scopes of a `scope` value as two lists with commas, each cut after `longest` characters. */
export function readableScopes(scope: string | undefined, longest = 120): ReadableScopes {
  const names = parseScope(scope);
  const joined = (isIdentity: boolean) => {
    const text = names.filter(name => identityScopes.has(name) === isIdentity).join(', ');
    return text.length > longest ? `${text.slice(0, longest)}…` : text;
  };
  return { identity: joined(true), api: joined(false) };
}
