import type { Emit } from '../../events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from './client.ts';

/**
 * The client of an id, wherever it is registered; one whose id is an address may be described there.
 * @throws invalid_client where that description cannot be read
 */
export async function findClient(
  server: AuthorizationServer,
  client_id: string,
  emit?: Emit,
): Promise<RegisteredClient | undefined> {
  const client = server.clients.get(client_id);
  if (client !== undefined || !isAddress(client_id) || !server.features.has('client-id-metadata')) return client;
  const { clientOfDocument } = await import('./client-metadata-document.ts');
  return clientOfDocument(server, client_id, emit);
}

function isAddress(client_id: string): boolean {
  return /^https?:\/\//i.test(client_id);
}

/** A client that was given something: as it is, or as it was when its document was last read. Nobody is asked. */
export async function recallClient(
  server: AuthorizationServer,
  client_id: string,
): Promise<RegisteredClient | undefined> {
  return server.clients.get(client_id) ?? server.store.get<RegisteredClient>(['seen_client', client_id]);
}

/** For suggestions: those that registered themselves are many, and nobody else's business. */
export function configuredIds({ clients }: AuthorizationServer): string[] {
  return [...clients.values()].filter(({ origin }) => origin === 'configuration').map(({ client_id }) => client_id);
}

/** What might be sent as a client_id by mistake, and is as good as a password while it lives. */
const secretKinds = {
  issued_refresh_token: 'a refresh token',
  access_token: 'an access token',
  code: 'a code',
} as const;

/** A client_id that nobody is registered with, as it may be repeated and logged: a code or token is named, not shown. */
export async function unknownClientId({ store }: AuthorizationServer, client_id: string): Promise<string> {
  for (const [kind, words] of Object.entries(secretKinds))
    if ((await store.get([kind, client_id])) !== undefined) return `${words} in place of a client_id`;
  return /^eyJ[\w-]+\.[\w-]*\.[\w-]*/.test(client_id) ? 'a JWT in place of a client_id' : client_id;
}
