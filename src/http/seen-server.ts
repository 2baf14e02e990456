import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';

/** What of a server its metadata tells, as it was when somebody looked. */
export interface Seen {
  /** Whether all is as it was. Asked at each request for metadata: nothing is made for it. */
  isLatest(): boolean;
  look(): void;
}

/** Keys and scopes come and go while a server runs, and a scope that is changed is another; the rest is replaced as a whole. */
export function createSeen(server: AuthorizationServer): Seen {
  let keys = '';
  let scopes: readonly ScopeDefinition[] = [];
  let lists: readonly unknown[] = [];

  function hasSameScopes(): boolean {
    if (server.scopes.size !== scopes.length) return false;
    let place = 0;
    for (const scope of server.scopes.values()) if (scope !== scopes[place++]) return false;
    return true;
  }
  return {
    isLatest: () =>
      keys === server.keys.revision() &&
      lists[0] === server.protectedResources &&
      lists[1] === server.authorizationDetailsTypes &&
      lists[2] === server.acrValues &&
      hasSameScopes(),
    look() {
      keys = server.keys.revision();
      scopes = [...server.scopes.values()];
      lists = [server.protectedResources, server.authorizationDetailsTypes, server.acrValues];
    },
  };
}
