import { endRegistration, liftDeletion } from '../../protocol/clients/client-registration.ts';
import type { ControlParts } from './control-parts.ts';
import { putRules } from './token-claims.ts';

/** Clients, users, scopes, collections and rules for claims are as the configuration has them; what the others were given ends. */
export async function forgetChanges({
  server,
  config,
  collections,
}: Pick<ControlParts, 'server' | 'config' | 'collections'>): Promise<void> {
  const before = [...server.clients.keys()];
  server.clients.reset();
  server.users.reset();
  server.scopes.clear();
  for (const scope of config.scopes) server.scopes.set(scope.name, scope);
  collections.replaceAll(config.collections);
  putRules(server, config.tokenClaims);
  for (const id of before) if (!server.clients.has(id)) await endRegistration(server, id);
  for (const id of server.clients.keys()) await liftDeletion(server, id);
}
