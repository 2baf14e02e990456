import { cut } from '../base/text/words.ts';
import { parseScope } from '../protocol/scope.ts';

const identityScopes = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access']);

/** The scopes of a `scope` value as two lists with commas, each cut after `longest` characters. */
export function readableScopes(scope: string | undefined, longest = 120) {
  const names = parseScope(scope);
  const joined = (isIdentity: boolean) =>
    cut(names.filter(name => identityScopes.has(name) === isIdentity).join(', '), longest);
  return {
    // scopes about the user: `openid, profile`
    identity: joined(true),
    // scopes that open an API: `products:read`
    api: joined(false),
  };
}
