import { checkClientAmong } from '../config/check-entry.ts';
import type { ClientDefaults } from '../config/config.ts';
import { describeScope, registeredClient } from '../config/entry-defaults.ts';
import type { Finding } from '../config/problem.ts';
import type { ClientEntry } from '../config/sandbox-config.ts';
import type { Change } from '../events/change.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import { endRegistration, liftDeletion } from '../oauth/clients/client-registration.ts';
import { type Feature, features, legacyFeatures } from '../oauth/feature.ts';
import { beginKeys } from '../oauth/response-algs.ts';
import { parseScope } from '../oauth/scope.ts';
import type { ControlParts } from './control-parts.ts';
import { clientEntryOf, type Entry, userEntryOf } from './entry.ts';
import { type ChangeOutcome, faultsOf, patched, refused, refusedFor } from './outcome.ts';
import { revokeGiven } from './token-changes.ts';

export type ClientChange = Extract<Change, { readonly kind: `client.${string}` }>;

/** More than anybody writes by hand. */
const mostClients = 5000;

/** Does it, or says what is wrong with it. */
export async function changeClient(parts: ControlParts, change: ClientChange): Promise<ChangeOutcome> {
  if (change.kind === 'client.create') return createClient(parts, change.members);
  const { client_id } = change;
  if (change.kind === 'client.revert') return revertClient(parts, client_id);
  const client = parts.server.clients.get(client_id);
  if (client === undefined)
    return refused({ member: 'client_id', sent: client_id, expected: 'a client that is there' });
  if (change.kind === 'client.patch') return patchClient(parts, client, change.members);
  const before = clientEntryOf(client, defaultsNow(parts));
  parts.server.clients.discard(client_id);
  await endRegistration(parts.server, client_id);
  await revokeGiven(parts, token => token.client_id === client_id);
  return { subject: client_id, before, after: undefined };
}

async function createClient(parts: ControlParts, members: Entry): Promise<ChangeOutcome> {
  const { server } = parts;
  const defaults = defaultsNow(parts);
  const entry = patched({}, members);
  const findings = [...checkClientAmong(entry, surroundings(parts)), ...featureFindings(server, {}, entry)];
  const refusal = refusedFor(takenFinding(server, entry.client_id), findings);
  if (refusal !== undefined) return refusal;
  if (server.clients.size >= mostClients) {
    return refused({ member: '', expected: `at most ${mostClients} clients: delete some first` });
  }
  const client = registeredClient(entry as unknown as ClientEntry, defaults); // checked right above
  const notes = await putClient(server, client);
  return { subject: client.client_id, before: undefined, after: clientEntryOf(client, defaults), notes };
}

async function patchClient(parts: ControlParts, client: RegisteredClient, members: Entry): Promise<ChangeOutcome> {
  const defaults = defaultsNow(parts);
  const { client_id, origin } = client;
  if (members.client_id !== undefined && members.client_id !== client_id) {
    const expected = `${client_id}: an id cannot change, create another client instead`;
    return refused({ member: 'client_id', sent: String(members.client_id), expected });
  }
  const before = clientEntryOf(client, defaults);
  const entry = patched(withoutRivals(before, members), members);
  const findings = [...checkClientAmong(entry, surroundings(parts)), ...featureFindings(parts.server, before, entry)];
  if (findings.length > 0) return { faults: faultsOf(findings) };
  const changed = { ...registeredClient(entry as unknown as ClientEntry, defaults), origin };
  const notes = await putClient(parts.server, changed);
  return { subject: client_id, before, after: clientEntryOf(changed, defaults), notes };
}

async function revertClient(parts: ControlParts, client_id: string): Promise<ChangeOutcome> {
  const { server, config } = parts;
  const defaults = defaultsNow(parts);
  const configured = config.clients.find(each => each.client_id === client_id);
  if (configured === undefined) {
    return refused({ member: 'client_id', sent: client_id, expected: 'a client of the configuration' });
  }
  const there = server.clients.get(client_id);
  const before = there === undefined ? undefined : clientEntryOf(there, defaults);
  await putClient(server, configured);
  return { subject: client_id, before, after: clientEntryOf(configured, defaults) };
}

/** The defaults of the configuration, and of the scopes those there are now. */
function defaultsNow({ config, server }: ControlParts): ClientDefaults {
  return { ...config.clientDefaults, scope: [...server.scopes.keys()].join(' ') };
}

/** From now on it is the client. What it asks for that is new here is made. */
export async function putClient(server: AuthorizationServer, client: RegisteredClient): Promise<readonly string[]> {
  await liftDeletion(server, client.client_id);
  server.clients.replace(client);
  beginKeys(server, client);
  const unknown = parseScope(client.scope).filter(name => !server.scopes.has(name));
  for (const name of unknown) server.scopes.set(name, describeScope(name));
  return unknown.map(
    name => `${name} is a new scope: this sandbox knows it from now on, and offers it in its metadata.`,
  );
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
  if (server.clients.has(id)) return finding('a client_id no other client has');
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
