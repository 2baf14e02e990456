import { standardScopes } from '../config/claims.ts';
import { scopeDefinition } from '../config/entry-defaults.ts';
import { checkScope } from '../config/scope-entry.ts';
import { parseScope, type ScopeDefinition } from '../oauth/scope.ts';
import type { ControlParts } from './control-parts.ts';
import { scopeEntryOf } from './entry.ts';
import type { NamedEntries } from './named-changes.ts';

/** The scopes of an issuer, to be changed. */
export function namedScopes(parts: ControlParts): NamedEntries<ScopeDefinition> {
  const { scopes } = parts.server;
  return {
    ...{ what: 'scope', most: 1000, count: scopes.size },
    get: name => scopes.get(name),
    configured: name => parts.config.scopes.find(each => each.name === name),
    write: scopeEntryOf,
    check: checkScope,
    read: scopeDefinition,
    put(scope) {
      scopes.set(scope.name, scope);
      return [];
    },
    remove(name) {
      const reason = whoNeeds(parts, name);
      if (reason === undefined) scopes.delete(name);
      return reason;
    },
  };
}

/** What of an issuer would break without the scope: `no client has; web has it`. */
function whoNeeds({ server, collections }: ControlParts, name: string): string | undefined {
  if (Object.hasOwn(standardScopes, name)) return 'OpenID Connect does not define';
  const client = [...server.clients.values()].find(({ scope }) => parseScope(scope).includes(name));
  if (client !== undefined) return `no client has; ${client.client_id} has it`;
  const collection = collections.all.find(each => [each.readScope, each.writeScope].includes(name));
  return collection === undefined ? undefined : `no collection asks for; ${collection.name} does`;
}
