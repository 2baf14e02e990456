import builtIn from '../../clients.config.ts';
import { parseScope, type ScopeDefinition } from '../oauth/scope.ts';
import { isRecord } from '../text/record.ts';
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
import type {
  AuthorizationDetailsTypeEntry,
  ClientEntry,
  CollectionEntry,
  ScopeEntry,
  TrustedIssuerEntry,
  UserEntry,
} from './sandbox-config.ts';
import { applySeedVariables } from './seed-variables.ts';
import type { SettingValues } from './settings.ts';

/** What can be said in configuration besides settings. */
export const registrationMembers = [
  ...(['clients', 'users', 'scopes', 'collections', 'authorizationDetailsTypes', 'trustedIssuers'] as const),
] as const;
type Member = (typeof registrationMembers)[number];

export type RegistrationConfig = Pick<Config, Member | 'clientDefaults'>;

/** The entries in effect, as written. */
export interface RegistrationEntries {
  readonly clients: readonly Located[];
  readonly users: readonly Located[];
  /** Weakest first; the same scope may come more than once. */
  readonly scopes: readonly NamedEntry[];
  /** Scopes that are offered even where nothing uses them. */
  readonly offeredScopes: readonly string[];
  readonly collections: readonly NamedEntry[];
  readonly authorizationDetailsTypes: readonly NamedEntry[];
  readonly trustedIssuers: readonly NamedEntry[];
}

export const builtInDocument: Document = { name: 'built-in clients.config.ts', content: { ...builtIn } };

/** `documents` strongest first; a list in one hides the same list in those after it, and in the built-in one. */
export function collectEntries(
  documents: readonly Document[],
  values: SettingValues,
): { entries: RegistrationEntries; problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const listed = (member: 'clients' | 'users') => listEntries(member, documents, values[member], problems);
  const seeded = applySeedVariables(listed('clients'), values);
  problems.push(...seeded.problems);
  const collecting = documents.find(({ content }) => content.collections !== undefined) ?? builtInDocument;
  const typing = documents.find(({ content }) => content.authorizationDetailsTypes !== undefined) ?? builtInDocument;
  const trusting = documents.find(({ content }) => content.trustedIssuers !== undefined) ?? builtInDocument;
  // What the built-in file says of scopes explains those that are used, and is no reason to offer the others.
  const offering = documents.length === 0 ? [builtInDocument] : documents;
  const entries = {
    clients: seeded.clients,
    users: listed('users'),
    scopes: [builtInDocument, ...documents.toReversed()].flatMap(each => recordEntries(each, 'scopes', problems)),
    offeredScopes: offering.flatMap(({ content }) => (isRecord(content.scopes) ? Object.keys(content.scopes) : [])),
    collections: recordEntries(collecting, 'collections', problems),
    authorizationDetailsTypes: recordEntries(typing, 'authorizationDetailsTypes', problems),
    trustedIssuers: recordEntries(trusting, 'trustedIssuers', problems),
  };
  return { entries, problems };
}

/** Of `createSandbox`, the environment, the file or the built-in file: the first that has the list. */
function listEntries(
  member: 'clients' | 'users',
  documents: readonly Document[],
  variable: readonly unknown[] | undefined,
  problems: ConfigProblem[],
): readonly Located[] {
  const { name, content, isOverride } = documents.find(each => each.content[member] !== undefined) ?? builtInDocument;
  if (variable !== undefined && isOverride !== true) {
    return variable.map((raw, index) => ({ document: `environment ${member.toUpperCase()}`, path: [index], raw }));
  }
  const list = content[member];
  if (Array.isArray(list)) return list.map((raw, index) => ({ document: name, path: [member, index], raw }));
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
): RegistrationConfig {
  // The casts rest on that check.
  const users = entries.users.map(({ raw }) => testUser(withoutUndefined(raw as UserEntry)));
  const collections = entries.collections.map(({ name, raw }) =>
    collectionConfig(name, withoutUndefined(raw as CollectionEntry)),
  );
  const authorizationDetailsTypes = entries.authorizationDetailsTypes.map(({ name, raw }) =>
    authorizationDetailsType(name, withoutUndefined(raw as AuthorizationDetailsTypeEntry)),
  );
  const trustedIssuers = entries.trustedIssuers.map(({ name, raw }) =>
    trustedIssuer(name, withoutUndefined(raw as TrustedIssuerEntry)),
  );
  const scopes = knownScopes(entries, collections);
  const clientDefaults = { ...defaults, scope: scopes.map(({ name }) => name).join(' ') };
  const clients = entries.clients.map(({ raw }) =>
    registeredClient(withoutUndefined(raw as ClientEntry), clientDefaults),
  );
  return { clients, clientDefaults, users, collections, authorizationDetailsTypes, trustedIssuers, scopes };
}

/** The scopes of OpenID Connect, those that `scopes` describes, and those that a client or a collection names. */
function knownScopes(
  { scopes, offeredScopes, clients }: RegistrationEntries,
  collections: readonly CollectionConfig[],
): ScopeDefinition[] {
  const definitions = new Map(Object.keys(standardScopes).map(name => [name, describeScope(name)]));
  for (const { name, raw } of scopes) {
    const entry = raw as ScopeEntry | string; // checked
    definitions.set(
      name,
      scopeDefinition(name, typeof entry === 'string' ? entry : withoutUndefined(entry), definitions.get(name)),
    );
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

/** A member given as undefined is one left out. */
function withoutUndefined<T extends object>(entry: T): T {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as T;
}
