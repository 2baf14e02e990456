import type { SandboxConfig } from '../../../sandbox/config/sandbox-config.ts';
import { createBudget } from '../budget.ts';
import { fitting, tellArgon2 } from '../fit.ts';
import type { Imported } from '../imported.ts';
import { at, type ExportPart, flagIn, numberIn, tell, tellLost, tellUnread, textIn } from '../members.ts';
import { createNotes } from '../notes.ts';
import { applyMappers } from './apply-mappers.ts';
import { readClients } from './clients.ts';
import type { ClientDraft, Drafts } from './draft.ts';
import { type RealmGroup, readGroups } from './groups.ts';
import { attributesOf } from './mapper-values.ts';
import { realmPrefixes, realmUses } from './realm-uses.ts';
import { readRoles } from './roles.ts';
import { readScopes, scopeEntries } from './scopes.ts';
import { addServiceAccounts, readUsers, userEntry } from './users.ts';

/** The configuration of an export alone, and the notes about it. @throws ExportTooLarge */
export function importRealm(value: unknown): Imported {
  const notes = createNotes();
  const found = { path: [], notes, value };
  const config = realmConfig(found);
  tellUnread(found);
  return { config, notes: notes.lines() };
}

/** Turns a realm export into a configuration. @throws ExportTooLarge */
export function realmConfig(found: ExportPart): SandboxConfig {
  const budget = createBudget();
  tellLost(found, realmUses, 'a realm', realmPrefixes);
  const name = textIn(at(found, 'realm')) ?? '';
  const roles = readRoles(at(found, 'roles'), budget);
  const groups = readGroups(at(found, 'groups'));
  const scopes = readScopes(at(found, 'clientScopes'));
  const clients = readClients(at(found, 'clients'), {
    scopes,
    defaultScopes: at(found, 'defaultDefaultClientScopes'),
    optionalScopes: at(found, 'defaultOptionalClientScopes'),
  });
  const place = { realm: name, groups, roles, budget };
  const users = readUsers(at(found, 'users'), place);
  addServiceAccounts(at(found, 'users'), clients, place);
  const drafts: Drafts = { clients, users, scopes, openid: new Set() };
  applyMappers(drafts, budget);
  tellUnmapped(drafts, groups);
  return {
    // the file is for a Grantbox that has this provider, which may be another one
    preset: { name: 'keycloak', realm: realmName(name, found) } as unknown as SandboxConfig['preset'],
    ...lifetimes(found),
    ...entries(found, drafts, name),
  };
}

function entries(found: ExportPart, drafts: Drafts, realm: string): SandboxConfig {
  const { notes } = found;
  const rotates = flagIn(at(found, 'revokeRefreshToken')) === true;
  const fit = fitting(notes);
  const users = drafts.users.flatMap(draft => fit.user(userEntry(draft, realm), draft.found.path) ?? []);
  tellArgon2(at(found, 'users'), users);
  const clients = drafts.clients.flatMap(draft => fit.client(clientEntry(draft, rotates), draft.found.path) ?? []);
  const scopes = Object.entries(scopeEntries(drafts)).flatMap(([name, entry]) => {
    const kept = fit.scope(name, entry, drafts.scopes.get(name)?.found.path ?? at(found, 'clientScopes').path);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  if (users.length === 0)
    tell(at(found, 'users'), 'no users were left, so that the built-in alice, bob and carol can log in');
  return {
    clients,
    ...(users.length > 0 && { users }),
    ...(scopes.length > 0 && { scopes: Object.fromEntries(scopes) }),
  };
}

function clientEntry({ entry, access, audience }: ClientDraft, rotates: boolean): ClientDraft['entry'] {
  return {
    ...entry,
    ...(rotates && { refresh_token_rotation: true }),
    ...(audience.size > 0 && { audience: [...audience] }),
    // made of JSON
    ...(Object.keys(access).length > 0 && {
      access_token_claims: access as NonNullable<typeof entry.access_token_claims>,
    }),
  };
}

/** The name is part of paths, where only some characters can be. */
function realmName(name: string, found: ExportPart): string {
  const usable = name.replace(/[^A-Za-z0-9._~-]+/g, '-').slice(0, 64);
  const fit = /^\.*$/.test(usable) ? 'demo' : usable;
  if (fit !== name) tell(at(found, 'realm'), `the realm is called ${fit} here, because its name is part of the issuer`);
  return fit;
}

const lifetimeMembers = [
  ['accessTokenLifespan', 'accessTokenLifetime', 300],
  ['accessTokenLifespan', 'idTokenLifetime', 300], // ID Tokens of Keycloak live as long as access tokens
  ['accessCodeLifespan', 'codeLifetime', 60],
  ['oauth2DeviceCodeLifespan', 'deviceCodeLifetime', 300],
] as const;

/** The settings that differ from the defaults of the sandbox. */
function lifetimes(found: ExportPart): SandboxConfig {
  const read = lifetimeMembers.map(([theirs, ours, usual]) => ({
    ours,
    usual,
    seconds: numberIn(at(found, theirs)) ?? usual,
  }));
  const changed = read.filter(({ seconds, usual }) => seconds > 0 && seconds !== usual && seconds <= 31_536_000);
  return Object.fromEntries(changed.map(({ ours, seconds }) => [ours, seconds]));
}

/** Attributes of users and groups that no mapper names are in no token of the realm either. */
function tellUnmapped({ users, clients, scopes }: Drafts, groups: ReadonlyMap<string, RealmGroup>): void {
  const mappers = [...clients, ...scopes.values()].flatMap(each => each.mappers);
  const named = new Set(mappers.flatMap(attributesOf));
  const having = [...users.map(({ found, person }) => ({ found, attributes: person.attributes })), ...groups.values()];
  for (const { found, attributes } of having)
    for (const name of attributes.keys())
      if (!named.has(name)) tell(at(at(found, 'attributes'), name), 'no mapper puts it into a token');
}
