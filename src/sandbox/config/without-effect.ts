import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import { listing } from '../../base/text/words.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { parseScope, scopeToken } from '../../protocol/scope.ts';
import { standardScopes } from './claims.ts';
import type { Located } from './documents.ts';
import { describeScope } from './entry-defaults.ts';
import { formatPath, type Path } from './problem.ts';
import type { ProviderTraits } from './provider-traits.ts';
import { isShipped, type RegistrationConfig, type RegistrationEntries } from './registration.ts';
import type { SettingValues } from './settings.ts';

/** Something that is valid, but does nothing. */
export interface WithoutEffect {
  /** As in `ConfigProblem`. */
  readonly source: string;
  /** What has no effect, why, and the line that gives it one. */
  readonly words: string;
}

/** The entries as they were written, and as the server works with them. */
export interface EntriesInUse {
  readonly entries: RegistrationEntries;
  readonly registration: RegistrationConfig;
  readonly values: SettingValues;
  /** The provider that the issuer speaks like. */
  readonly provider: ProviderTraits | undefined;
}

/** Members of the user's own entries that are valid and without effect, each with the line to add. */
export function entriesWithoutEffect(parts: EntriesInUse): readonly WithoutEffect[] {
  const clients = parts.entries.clients.flatMap((located, index) => {
    const client = parts.registration.clients[index];
    return client === undefined || isShipped(located) ? [] : [{ located, client }];
  });
  return [
    ...clients.flatMap(each => [...withoutRefresh(each), ...unusedAudience(each, parts)]),
    ...undefinedScopes(clients, parts),
    ...unreleasedClaims(parts),
  ];
}

interface OwnClient {
  readonly located: Located;
  readonly client: RegisteredClient;
}

function told({ document, path }: Located, member: Path, words: string): WithoutEffect {
  return { source: `${document}: ${formatPath([...path, ...member])}`, words };
}

/** The scopes that an entry names itself; a client without the member may ask for all. */
function ownScopes({ located: { raw } }: OwnClient): readonly string[] {
  return isRecord(raw) && typeof raw.scope === 'string' ? parseScope(raw.scope) : [];
}

/** Grants without a user, or without an answer of the token endpoint, give no refresh token (RFC 6749 §4.2.2, §4.4.3). */
const neverRefreshed = ['client_credentials', 'implicit'];

function withoutRefresh({ located, client }: OwnClient): readonly WithoutEffect[] {
  const grants = client.grant_types;
  if (!ownScopes({ located, client }).includes('offline_access') || grants.includes('refresh_token')) return [];
  const canGet = grants.some(grant => !neverRefreshed.includes(grant));
  const change = canGet
    ? `Add: "grant_types": ${jsonList([...grants, 'refresh_token'])}`
    : `Remove offline_access: ${listing(grants, 'and')} never gives one`;
  const words = `${client.client_id} may ask for offline_access, but gets no refresh token. ${change}`;
  return [told(located, ['scope'], words)];
}

/** Some providers have the same `aud` in every token. */
function unusedAudience({ located, client }: OwnClient, { provider }: EntriesInUse): readonly WithoutEffect[] {
  if (provider?.hasFixedAudience !== true || client.audience.length === 0) return [];
  const words = `${provider.name} decides the aud of a token itself. Remove audience, or start without PRESET`;
  return [told(located, ['audience'], words)];
}

/** Scopes that only the `scope` of a client names. */
function undefinedScopes(clients: readonly OwnClient[], parts: EntriesInUse): readonly WithoutEffect[] {
  const known = definedScopes(parts);
  const named = new Map<string, OwnClient[]>();
  for (const each of clients)
    for (const scope of ownScopes(each))
      if (!known.includes(scope)) named.set(scope, [...(named.get(scope) ?? []), each]);
  return [...named].flatMap(([scope, [first, ...others]]) => {
    const meant = nearestName(scope, known, 2);
    // the scopes of a provider are known to the preset, so only a typo is told
    if (first === undefined || (parts.provider !== undefined && meant === undefined)) return [];
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    const nobody = `no entry of scopes defines ${scope}, which ${first.client.client_id}${more} may ask for`;
    const line = `${JSON.stringify(scope)}: ${JSON.stringify(describeScope(scope).description)}`;
    const change =
      meant === undefined ? `Add to scopes: ${line}` : `Did you mean ${meant}? Otherwise add to scopes: ${line}`;
    return [told(first.located, ['scope'], `${nobody}: it releases no claims and opens no collection. ${change}`)];
  });
}

/** Scopes with a meaning: of OpenID Connect, of the preset, in `scopes`, of a collection, or of a rule for claims. */
function definedScopes({ entries, registration, provider }: EntriesInUse): readonly string[] {
  const { collections, tokenClaims } = registration;
  return [
    ...Object.keys(standardScopes),
    ...entries.scopes.map(({ name }) => name),
    ...entries.offeredScopes,
    ...collections.flatMap(({ readScope, writeScope }) => [readScope ?? [], writeScope ?? []].flat()),
    ...tokenClaims.flatMap(({ scope = [] }) => scope),
    ...(provider?.scopes ?? []),
  ];
}

/** Claims of users that no scope and no rule can put into a token or into UserInfo. */
function unreleasedClaims({ entries, registration, provider }: EntriesInUse): readonly WithoutEffect[] {
  // a function and a preset may read any claim
  if (registration.onToken !== undefined || provider !== undefined) return [];
  const released = new Set(registration.scopes.flatMap(({ claims }) => claims));
  const rules = JSON.stringify(registration.tokenClaims);
  const holders = new Map<string, Located[]>();
  for (const located of entries.users.filter(each => !isShipped(each)))
    for (const name of claimNames(located))
      if (!released.has(name) && !reads(rules, name)) holders.set(name, [...(holders.get(name) ?? []), located]);
  return [...holders].flatMap(([name, [first, ...others]]) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : ` (and of ${others.length} more)`;
    const nothing = `no scope and no rule releases this claim${more}, so no token has it`;
    return [told(first, ['claims', name], `${nothing}. ${releasing(name, entries)}`)];
  });
}

function claimNames({ raw }: Located): readonly string[] {
  return isRecord(raw) && isRecord(raw.claims) ? Object.keys(raw.claims) : [];
}

/** Whether a template reads this claim, or all claims of the user at once. */
function reads(rules: string, name: string): boolean {
  return [`user.${name}`, `user[${name}]`, '{user}', '...user}'].some(path => rules.includes(path));
}

/** The lines that release a claim. */
function releasing(name: string, { scopes }: RegistrationEntries): string {
  const defined = scopes.find(({ raw }) => isRecord(raw) && Array.isArray(raw.claims) && raw.claims.includes(name));
  if (defined !== undefined) return `Add ${defined.name} to the scope of a client`;
  const last = name.split('/').at(-1) ?? '';
  const scope = scopeToken.test(last) ? last : 'own_claims';
  return `Add to scopes: ${JSON.stringify(scope)}: { "claims": ${jsonList([name])} }, and ${scope} to the scope of a client`;
}

function jsonList(values: readonly string[]): string {
  return `[${values.map(value => JSON.stringify(value)).join(', ')}]`;
}
