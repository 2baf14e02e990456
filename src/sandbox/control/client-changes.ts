import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { endRegistration, liftDeletion } from '../../protocol/clients/client-registration.ts';
import { type Feature, features, legacyFeatures } from '../../protocol/feature.ts';
import { beginKeys } from '../../protocol/profile.ts';
import { parseScope } from '../../protocol/scope.ts';
import { checkClientAmong } from '../config/check-entry.ts';
import type { ClientDefaults } from '../config/config.ts';
import { describeScope, registeredClient } from '../config/entry-defaults.ts';
import type { Finding } from '../config/problem.ts';
import type { ClientEntry } from '../config/sandbox-config.ts';
import { type EntryRules, renamedFinding } from './change-entry.ts';
import type { ControlParts } from './control-parts.ts';
import { clientEntryOf, type Entry, userEntryOf } from './entry.ts';
import { revokeGiven } from './token-changes.ts';

/** More than a handwritten configuration has. */
export const mostClients = 5000;

/** The clients of an issuer, to be changed. */
export function clientRules(parts: ControlParts): EntryRules<RegisteredClient> {
  const { server, config } = parts;
  const { clients } = server;
  return {
    kind: 'client',
    now: clients,
    configured: () => config.clients,
    idOf: ({ client_id }) => client_id,
    write: client => clientEntryOf(client, config.clientDefaults),
    writeForChange: client => clientEntryOf(client, defaultsNow(parts)),
    withoutRivals,
    check: (entry, before) => [
      ...renamedFinding('client', entry, before, 'an id cannot change, create another client instead'),
      ...checkClientAmong(entry, surroundings(parts)),
      ...featureFindings(server, before, entry),
    ],
    taken: (entry, before) => (before.client_id === undefined ? takenFinding(server, entry.client_id) : []),
    read(entry, before) {
      const client = registeredClient(entry as unknown as ClientEntry, defaultsNow(parts)); // it has been checked
      return before === undefined ? client : { ...client, origin: before.origin };
    },
    limit: `at most ${mostClients} clients: delete some first`,
    put: async client =>
      clients.size >= mostClients && !clients.has(client.client_id) ? undefined : putClient(server, client),
    async remove({ client_id }) {
      clients.discard(client_id);
      await endRegistration(server, client_id);
      await revokeGiven(parts, token => token.client_id === client_id);
      return undefined;
    },
  };
}

/** The defaults of the configuration, and of the scopes those there are now. */
function defaultsNow({ config, server }: ControlParts): ClientDefaults {
  return { ...config.clientDefaults, scope: [...server.scopes.keys()].join(' ') };
}

/** Adds or replaces a client, and creates scopes and signing keys it asks for. Returns a note for each new scope. */
export async function putClient(server: AuthorizationServer, client: RegisteredClient): Promise<readonly string[]> {
  await liftDeletion(server, client.client_id);
  server.clients.replace(client);
  beginKeys(server, client);
  const unknown = parseScope(client.scope).filter(name => !server.scopes.has(name));
  for (const name of unknown) server.scopes.set(name, describeScope(name));
  return unknown.map(name => `${name} is a new scope: the metadata lists it from now on.`);
}

/** The one method and the list of methods replace each other. */
function withoutRivals(entry: Entry, members: Entry): Entry {
  const { token_endpoint_auth_method: one, token_endpoint_auth_methods: several, ...rest } = entry;
  if (members.token_endpoint_auth_method !== undefined && several !== undefined) return rest;
  if (members.token_endpoint_auth_methods !== undefined && one !== undefined) return rest;
  return entry;
}

function surroundings({ server }: ControlParts) {
  return { features: server.features, users: [...server.users.values()].map(userEntryOf) };
}

/** An id must tell a client from every other, and from a user (RFC 9068 §5). */
function takenFinding(server: AuthorizationServer, id: unknown): Finding[] {
  if (typeof id !== 'string') return [];
  const finding = (expected: string) => [{ path: ['client_id'], value: id, expected }];
  if (server.clients.has(id)) return finding('a client_id that no other client has');
  return server.users.has(id) ? finding('a client_id that is not the sub of a user (RFC 9068 §5)') : [];
}

/** Grants that OAuth 2.1 has removed are on from the start or not at all: their endpoints and metadata are made then. */
function featureFindings(server: AuthorizationServer, before: Entry, after: Entry): Finding[] {
  const grantsOf = ({ grant_types: grants }: Entry): readonly unknown[] => (Array.isArray(grants) ? grants : []);
  const isOff = (grant: unknown): grant is Feature =>
    legacyFeatures.some(name => name === grant && !server.features.has(name));
  return grantsOf(after)
    .filter(grant => !grantsOf(before).includes(grant))
    .filter(isOff)
    .map(grant => {
      const expected = `no ${grant} while the feature is off (${features[grant]}): start the sandbox with FEATURES=${grant}=on`;
      return { path: ['grant_types'], value: grant, expected };
    });
}
