import { standardScopes } from '../config/claims.ts';
import { scopeDefinition } from '../config/entry-defaults.ts';
import { checkScope } from '../config/scope-entry.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { parseScope } from '../oauth/scope.ts';
import type { Change } from './change.ts';
import type { ControlParts } from './control-parts.ts';
import { type Entry, scopeEntryOf } from './entry.ts';
import { nameFindings, type Outcome, ofNamed, patched, refused, refusedFor } from './outcome.ts';

export type ScopeChange = Extract<Change, { readonly kind: `scope.${string}` }>;

/** Does it, or says what is wrong with it. */
export function changeScope(parts: ControlParts, change: ScopeChange): Outcome {
  const { server } = parts;
  if (change.kind === 'scope.create') return createScope(server, change.members);
  const { name } = change;
  if (change.kind === 'scope.revert') return revertScope(parts, name);
  const scope = server.scopes.get(name);
  if (scope === undefined) return refused({ member: 'name', sent: name, expected: 'a scope that is there' });
  const before = scopeEntryOf(scope);
  if (change.kind === 'scope.patch') {
    const entry = patched(before, change.members);
    return refusedFor([], [...nameFindings(entry.name, name), ...findings(entry)]) ?? save(server, entry);
  }
  const needed = whoNeeds(parts, name);
  if (needed !== undefined) return refused({ member: 'name', sent: name, expected: `a scope that ${needed}` });
  server.scopes.delete(name);
  return { subject: name, before, after: undefined };
}

function createScope(server: AuthorizationServer, members: Entry): Outcome {
  const entry = patched({}, members);
  const isTaken = typeof entry.name === 'string' && server.scopes.has(entry.name);
  const taken = isTaken ? [{ path: ['name'], value: entry.name, expected: 'a name no other scope has' }] : [];
  return refusedFor(taken, [...nameFindings(entry.name), ...findings(entry)]) ?? save(server, entry);
}

function findings({ name, ...entry }: Entry) {
  return typeof name === 'string' ? ofNamed(name, checkScope(name, entry)) : [];
}

/** `entry` has been checked. */
function save({ scopes }: AuthorizationServer, { name, ...entry }: Entry): Outcome {
  const scope = scopeDefinition(String(name), entry);
  const known = scopes.get(scope.name);
  scopes.set(scope.name, scope);
  return { subject: scope.name, before: known && scopeEntryOf(known), after: scopeEntryOf(scope) };
}

function revertScope({ server, config }: ControlParts, name: string): Outcome {
  const configured = config.scopes.find(each => each.name === name);
  if (configured === undefined)
    return refused({ member: 'name', sent: name, expected: 'a scope of the configuration' });
  return save(server, scopeEntryOf(configured));
}

/** What of an issuer would break without the scope: `no client has: web has it`. */
function whoNeeds({ server, collections }: ControlParts, name: string): string | undefined {
  if (Object.hasOwn(standardScopes, name)) return 'OpenID Connect does not define';
  const client = [...server.clients.values()].find(({ scope }) => parseScope(scope).includes(name));
  if (client !== undefined) return `no client has; ${client.client_id} has it`;
  const collection = collections.all.find(each => [each.readScope, each.writeScope].includes(name));
  return collection === undefined ? undefined : `no collection asks for; ${collection.name} does`;
}
