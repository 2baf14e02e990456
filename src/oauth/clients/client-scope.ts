import { invalidScope } from '../errors.ts';
import { shorten } from '../parameters.ts';
import { foreignScopes, parseScope, scopeToken } from '../scope.ts';
import type { RegisteredClient } from './client.ts';

/**
 * The scopes a client asks for. One that is not registered for it refuses the whole request (RFC 6749 §3.3); none asked
 * means none granted, never a default.
 * @throws invalid_scope
 */
export function requestedScopes(client: RegisteredClient, scope: string | undefined): string[] {
  const asked = parseScope(scope);
  const malformed = asked.find(token => !scopeToken.test(token));
  if (malformed !== undefined) {
    const description = 'scope has characters that no scope may have';
    throw invalidScope('scope_malformed', description, {
      sent: shorten(malformed),
      expected: 'printable ASCII without quotes',
    });
  }
  const foreign = foreignScopes(asked, parseScope(client.scope));
  if (foreign.length > 0) {
    const names = shorten(foreign.join(' '));
    const description = `not registered for this client: ${names}`;
    throw invalidScope('scope_not_registered', description, {
      sent: names,
      expected: client.scope || 'no scope at all',
    });
  }
  return asked;
}
