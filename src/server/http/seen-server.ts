import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { ScopeDefinition } from '../../protocol/scope.ts';

/**
 * Snapshot of the server state the metadata document depends on; tells whether the cached document is stale. Keys and scopes change while a server runs, and a changed scope is a new object; all other members are replaced as a
 * whole.
 */
export function createSeen(server: AuthorizationServer) {
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
    /** True while the snapshot still matches. Called on every metadata request, so it must not allocate. */
    isLatest: () =>
      keys === server.keys.revision() &&
      lists[0] === server.protectedResources &&
      lists[1] === server.authorizationDetailsTypes &&
      lists[2] === server.acrValues &&
      lists[3] === server.dropIns?.metadataOverrides &&
      hasSameScopes(),
    look(): void {
      keys = server.keys.revision();
      scopes = [...server.scopes.values()];
      lists = [
        server.protectedResources,
        server.authorizationDetailsTypes,
        server.acrValues,
        server.dropIns?.metadataOverrides,
      ];
    },
  };
}
