import type { IssuerConfig } from '../config/config.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { endRegistration, liftDeletion } from '../oauth/clients/client-registration.ts';

/** Clients, users and scopes are as they were at the start; what the others were given ends. */
export async function forgetChanges(server: AuthorizationServer, config: Pick<IssuerConfig, 'scopes'>): Promise<void> {
  const before = [...server.clients.keys()];
  server.clients.reset();
  server.users.reset();
  const configured = new Set(config.scopes.map(({ name }) => name));
  for (const name of server.scopes.keys()) if (!configured.has(name)) server.scopes.delete(name);
  for (const id of before) if (!server.clients.has(id)) await endRegistration(server, id);
  for (const id of server.clients.keys()) await liftDeletion(server, id);
}
