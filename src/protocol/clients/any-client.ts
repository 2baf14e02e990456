import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from './client.ts';

/** RFC 6749 appendix A.1, with a bound on the memory of the directory. */
const idForm = /^[\x20-\x7e]{1,200}$/;

/** Grants that need more of a client than an id. */
const notForAny = ['urn:openid:params:grant-type:ciba'];

/**
 * Registers a client with this id that may do everything, for the relaxation `CLIENTS=any`. The directory keeps a
 * thousand of them. Undefined if the id has a form that no client may have.
 */
export async function clientOfAnyId(
  server: AuthorizationServer,
  client_id: string,
): Promise<RegisteredClient | undefined> {
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
  if ('faults' in read) throw new Error(read.faults.map(({ member, expected }) => `${member}: ${expected}`).join('; '));
  const { token_endpoint_auth_methods: methods } = read.client;
  const client: RegisteredClient = { ...read.client, token_endpoint_auth_methods: [...methods, 'none'] };
  server.clients.register(client);
  return client;
}
