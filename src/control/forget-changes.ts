import type { IssuerConfig } from '../config/config.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { endRegistration, liftDeletion } from '../oauth/clients/client-registration.ts';
import type { Collections } from './collections.ts';
import { putRules } from './token-claims.ts';

/** Parts with changes that can be reverted. */
export interface ChangedParts {
  readonly server: AuthorizationServer;
  readonly config: Pick<IssuerConfig, 'scopes' | 'collections' | 'tokenClaims'>;
  readonly collections: Pick<Collections, 'replaceAll'>;
}

/** Clients, users, scopes, collections and rules for claims are as the configuration has them; what the others were given ends. */
export async function forgetChanges({ server, config, collections }: ChangedParts): Promise<void> {
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
