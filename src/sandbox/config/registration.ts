import builtIn from '../../../clients.config.ts';
import { defined } from '../../base/defined.ts';
import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import { parseScope, type ScopeDefinition } from '../../protocol/scope.ts';
import type { TokenRule } from '../../protocol/token-rule.ts';
import { standardScopes } from './claims.ts';
import type { ClientDefaults, CollectionConfig, Config } from './config.ts';
import type { Document, Located, NamedEntry } from './documents.ts';
import {
  authorizationDetailsType,
  collectionConfig,
  describeScope,
  registeredClient,
  scopeDefinition,
  testUser,
  trustedIssuer,
} from './entry-defaults.ts';
import { type ConfigProblem, toProblem } from './problem.ts';
import type { ProviderTraits } from './provider-traits.ts';
import type { ClientEntry, SandboxConfig, ScopeEntry, UserEntry } from './sandbox-config.ts';
import { type SettingName, type SettingValues, settings } from './settings.ts';

/** Members of the configuration that are not settings. */
export const registrationMembers = [
  'clients',
  'users',
  'scopes',
  'collections',
  'authorizationDetailsTypes',
  'trustedIssuers',
  'tokenClaims',
  'onToken',
] as const;
type Member = (typeof registrationMembers)[number];

export type RegistrationConfig = Pick<Config, Member | 'clientDefaults' | 'onTokenSource'>;

type ListMember = 'clients' | 'users' | 'tokenClaims';
type NamedMember = Exclude<Member, ListMember | 'onToken'>;

/**
 * The entries in effect, as written. Scopes come weakest source first, and the same scope may appear more than once.
 */
export type RegistrationEntries = Readonly<Record<ListMember, readonly Located[]>> &
  Readonly<Record<NamedMember, readonly NamedEntry[]>> & {
    /** The function, or none. */
    readonly onToken: readonly Located[];
    /** Scopes that are offered even if nothing uses them. */
    readonly offeredScopes: readonly string[];
  };

/** Entries that an extension adds to those of the user. */
export interface AddedEntries {
  readonly clients: readonly Located[];
  readonly trustedIssuers: readonly NamedEntry[];
  /** Ids of clients that are left out, because the user has one with the same id. */
  readonly replaced: readonly string[];
}

const builtInDocument: Document = { name: 'built-in clients.config.ts', content: { ...builtIn } };

/** An entry that comes with Grantbox. */
export function isShipped(entry: Located): boolean {
  return entry.isShipped === true || entry.document === builtInDocument.name;
}

/**
 * `documents` strongest first. A list in one document hides the same list in weaker documents and in the built-in file.
 */
export function collectEntries(
  documents: readonly Document[],
  values: SettingValues,
  provider: ProviderTraits | undefined,
): { entries: RegistrationEntries; problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const listed = (member: 'clients' | 'users') => listEntries(member, documents, values[member], problems);
  const seeded = applySeedVariables(listed('clients'), values);
  problems.push(...seeded.problems);
  const named = (member: Member) => recordEntries(strongest(documents, member), member, problems);
  // The scopes of the built-in file only describe scopes that are used elsewhere; they are not offered on their own.
  const offering = documents.length === 0 ? [builtInDocument] : documents;
  const { name, content } = strongest(documents, 'onToken');
  const entries = {
    clients: seeded.clients,
    users: listed('users'),
    scopes: [builtInDocument, ...documents.toReversed()].flatMap(each => recordEntries(each, 'scopes', problems)),
    offeredScopes: [
      ...offering.flatMap(({ content }) => (isRecord(content.scopes) ? Object.keys(content.scopes) : [])),
      ...(provider?.scopes ?? []),
    ],
    collections: named('collections'),
    authorizationDetailsTypes: named('authorizationDetailsTypes'),
    trustedIssuers: named('trustedIssuers'),
    tokenClaims: listEntries('tokenClaims', documents, undefined, problems),
    onToken: content.onToken === undefined ? [] : [{ document: name, path: ['onToken'], raw: content.onToken }],
  };
  return { entries, problems };
}

/** The first document that has the member; the others are ignored. */
function strongest(documents: readonly Document[], member: Member): Document {
  return documents.find(({ content }) => content[member] !== undefined) ?? builtInDocument;
}

/** A list from the first source that has it: `createSandbox`, the environment, the file, the built-in file. */
function listEntries(
  member: ListMember,
  documents: readonly Document[],
  variable: readonly unknown[] | undefined,
  problems: ConfigProblem[],
): readonly Located[] {
  const { name, content, isOverride, entryAt } = strongest(documents, member);
  if (variable !== undefined && isOverride !== true) {
    return variable.map((raw, index) => ({ document: `environment ${member.toUpperCase()}`, path: [index], raw }));
  }
  const list = content[member] ?? (member === 'tokenClaims' ? [] : undefined);
  const placeOf = entryAt ?? ((_, index) => ({ document: name, path: [member, index] }));
  if (Array.isArray(list)) return list.map((raw, index) => ({ ...placeOf(member, index), raw }));
  problems.push(toProblem(name, { path: [member], value: list, expected: `a list of ${member}` }));
  return [];
}

function recordEntries(
  { name: document, content }: Document,
  member: Member,
  problems: ConfigProblem[],
): readonly NamedEntry[] {
  const record = content[member] === undefined ? {} : content[member];
  if (isRecord(record))
    return Object.entries(record).map(([name, raw]) => ({ name, document, path: [member, name], raw }));
  problems.push(toProblem(document, { path: [member], value: record, expected: `an object with ${member} by name` }));
  return [];
}

/** Fills the defaults of entries that have been checked. */
export function buildRegistration(
  entries: RegistrationEntries,
  defaults: Omit<ClientDefaults, 'scope'>,
  providers: readonly ProviderTraits[],
): RegistrationConfig {
  const users = entries.users.map(({ raw }) => testUser(checkedEntry<UserEntry>(raw), defaults.subjectPrefix));
  const collections = built(entries.collections, collectionConfig);
  const authorizationDetailsTypes = built(entries.authorizationDetailsTypes, authorizationDetailsType);
  const trustedIssuers = built(entries.trustedIssuers, trustedIssuer);
  const tokenClaims = entries.tokenClaims.map(({ raw }) => checkedEntry<TokenRule>(raw));
  const scopes = knownScopes(entries, collections);
  const clientDefaults = { ...defaults, scope: scopes.map(({ name }) => name).join(' ') };
  const clients = entries.clients.map(({ raw }) => registeredClient(checkedEntry<ClientEntry>(raw), clientDefaults));
  return {
    clients,
    clientDefaults,
    users,
    collections,
    authorizationDetailsTypes,
    trustedIssuers,
    tokenClaims,
    scopes,
    ...onTokenOf(entries.onToken[0]?.raw as SandboxConfig['onToken'], providers), // checked
  };
}

/** The function of `onToken`, and its source. One in the form of a provider is run by that provider. */
function onTokenOf(
  written: SandboxConfig['onToken'],
  providers: readonly ProviderTraits[],
): Pick<Config, 'onToken' | 'onTokenSource'> {
  if (written === undefined) return {};
  if (typeof written === 'function') return { onToken: written, onTokenSource: String(written) };
  const [found] = providers.flatMap(({ action }) => (action && action.member in written ? action : []));
  if (found === undefined) return {};
  const action = written[found.member];
  return { onToken: async token => (await found.load())(action, token), onTokenSource: String(action) };
}

/** All scopes: those of OpenID Connect, those in `scopes`, and those that a client or a collection names. */
function knownScopes(
  { scopes, offeredScopes, clients }: RegistrationEntries,
  collections: readonly CollectionConfig[],
): ScopeDefinition[] {
  const definitions = new Map(Object.keys(standardScopes).map(name => [name, describeScope(name)]));
  for (const { name, raw } of scopes) {
    const entry = typeof raw === 'string' ? raw : checkedEntry<ScopeEntry>(raw);
    definitions.set(name, scopeDefinition(name, entry, definitions.get(name)));
  }
  const names = new Set([
    ...Object.keys(standardScopes),
    ...offeredScopes,
    ...clients.flatMap(({ raw }) => parseScope((raw as ClientEntry).scope)), // checked
    ...collections.flatMap(scopesOf),
  ]);
  return [...names].map(name => definitions.get(name) ?? describeScope(name));
}

function scopesOf({ readScope, writeScope }: CollectionConfig): string[] {
  return [readScope, writeScope].filter(scope => scope !== undefined);
}

function built<Entry extends object, T>(
  entries: readonly NamedEntry[],
  build: (name: string, entry: Entry) => T,
): readonly T[] {
  return entries.map(({ name, raw }) => build(name, checkedEntry(raw)));
}

/** An entry that was checked, so the cast is safe. A member given as undefined counts as left out. */
function checkedEntry<T extends object>(raw: unknown): T {
  return defined(raw as T) as T;
}

/** The client and the member that a variable replaces. */
const seeds: readonly { readonly setting: SettingName; readonly client_id: string; readonly member: string }[] = [
  { setting: 'frontendClientId', client_id: 'frontend', member: 'client_id' },
  { setting: 'frontendRedirectUris', client_id: 'frontend', member: 'redirect_uris' },
  { setting: 'sensorClientId', client_id: 'sensor', member: 'client_id' },
  { setting: 'sensorClientSecret', client_id: 'sensor', member: 'client_secret' },
];

/** The clients as the seed variables rename and change them. A variable for a missing client is a problem. */
function applySeedVariables(
  clients: readonly Located[],
  values: SettingValues,
): { clients: readonly Located[]; problems: readonly ConfigProblem[] } {
  const given = seeds.filter(({ setting }) => values[setting] !== undefined);
  const ids = clients.map(clientId);
  const problems = given
    .filter(({ client_id }) => !ids.includes(client_id))
    .map(({ setting, client_id }) => {
      const nearest = nearestName(
        client_id,
        ids.filter(id => id !== undefined),
      );
      const source = `environment ${settings[setting].env}`;
      const expected = `a client ${client_id} among the clients`;
      return { source, expected, ...defined({ nearest }) };
    });
  const changed = clients.map(client => {
    const seedsOfClient = given.filter(({ client_id }) => client_id === clientId(client));
    if (seedsOfClient.length === 0 || !isRecord(client.raw)) return client;
    const members = Object.fromEntries(seedsOfClient.map(({ member, setting }) => [member, values[setting]]));
    const sources = seedsOfClient.map(({ member, setting }) => [member, `environment ${settings[setting].env}`]);
    return { ...client, raw: { ...client.raw, ...members }, replaced: Object.fromEntries(sources) };
  });
  return { clients: changed, problems };
}

function clientId({ raw }: Located): string | undefined {
  return isRecord(raw) && typeof raw.client_id === 'string' ? raw.client_id : undefined;
}
