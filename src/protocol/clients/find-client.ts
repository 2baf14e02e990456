import type { Emit } from '../../base/events/event.ts';
import { nearestName } from '../../base/text/nearest.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { inDescription, shorten } from '../parameters.ts';
import { sameSecret } from '../random.ts';
import type { RegisteredClient } from './client.ts';
import { clientOfDocument } from './client-metadata-document.ts';

/**
 * The client with an id, wherever it is registered. If the id is a URL, the client may be described there. With
 * `CLIENTS=any` any other id is a client.
 * @throws invalid_client if that description cannot be read
 */
export async function findClient(
  server: AuthorizationServer,
  client_id: string,
  emit?: Emit,
): Promise<RegisteredClient | undefined> {
  const client = server.clients.get(client_id);
  if (client !== undefined) return client;
  if (/^https?:\/\//i.test(client_id) && server.features.has('client-id-metadata')) {
    return clientOfDocument(server, client_id, emit);
  }
  if (!server.dropIns?.anyClient) return undefined;
  return clientOfAnyId(server, client_id);
}

/** A client that already has a grant. Uses the last known copy of its document, and fetches nothing. */
export async function recallClient(
  server: AuthorizationServer,
  client_id: string,
): Promise<RegisteredClient | undefined> {
  return server.clients.get(client_id) ?? server.store.get<RegisteredClient>(['seen_client', client_id]);
}

/** Ids for suggestions. Clients that registered themselves are left out: there may be many, and they are private. */
export function configuredIds({ clients }: AuthorizationServer): string[] {
  return [...clients.values()].filter(({ origin }) => origin === 'configuration').map(({ client_id }) => client_id);
}

/** Words for secrets in the store, by their kind there. One of them may be sent as a client_id by mistake. */
const secretKinds = {
  issued_refresh_token: 'a refresh token',
  access_token: 'an access token',
  issued_code: 'a code',
  device_code: 'a device code',
  auth_req_id: 'an auth_req_id',
} as const;

/** Details about an unknown client_id. A secret sent in its place is named by its kind, never repeated. */
export async function unknownClient(
  server: AuthorizationServer,
  client_id: string,
): Promise<{ readonly description: string; readonly sent: string; readonly nearest: string | undefined }> {
  const secret = await secretNamed(server, client_id);
  if (secret !== undefined) {
    const description = `client_id is ${secret}; expected the id of a registered client`;
    return { description, sent: secret + ending, nearest: undefined };
  }
  const nearest = nearestName(client_id, configuredIds(server));
  const meant = nearest === undefined ? '' : `: did you mean ${nearest}?`;
  const description = `no client is registered as ${inDescription(client_id)}${meant}`;
  return { description, sent: shorten(client_id), nearest };
}

async function secretNamed({ store, clients }: AuthorizationServer, sent: string): Promise<string | undefined> {
  for (const [kind, words] of Object.entries(secretKinds))
    if ((await store.get([kind, sent])) !== undefined) return words;
  for (const { client_secret } of clients.values())
    if (client_secret !== undefined && sameSecret(client_secret, sent)) return 'a client_secret';
  return /^eyJ[\w-]+\.[\w-]*\.[\w-]*/.test(sent) ? 'a JWT' : undefined;
}

/** RFC 6749 appendix A.1, with a bound on the memory of the directory. */
const idForm = /^[\x20-\x7e]{1,200}$/;

/** Grants that need more of a client than an id. */
const notForAny = ['urn:openid:params:grant-type:ciba'];

/**
 * Registers a client with this id that may do everything, for the relaxation `CLIENTS=any`. The directory keeps a
 * thousand of them. Undefined if the id has a form that no client may have.
 */
async function clientOfAnyId(server: AuthorizationServer, client_id: string): Promise<RegisteredClient | undefined> {
  if (!idForm.test(client_id)) return undefined;
  const grants = [...server.grants.keys()].filter(name => !notForAny.includes(name));
  const read = await server.registration.readClient(
    {
      client_id,
      client_secret: 'any',
      loopback_redirects: true,
      grant_types: server.features.has('implicit') ? [...grants, 'implicit'] : grants,
      scope: [...server.scopes.keys()].join(' '),
    },
    'any',
  );
  if ('problems' in read)
    throw new Error(read.problems.map(({ member, expected }) => `${member}: ${expected}`).join('; '));
  const { token_endpoint_auth_methods: methods } = read.client;
  const client: RegisteredClient = { ...read.client, token_endpoint_auth_methods: [...methods, 'none'] };
  server.clients.register(client);
  return client;
}

const ending = ' in place of a client_id';

/** The kind of the secret that was sent as a `client_id`, such as `a code`, if `sent` of an error tells one. */
export function secretAsClientId(sent: string | undefined): string | undefined {
  return sent?.endsWith(ending) === true ? sent.slice(0, -ending.length) : undefined;
}
