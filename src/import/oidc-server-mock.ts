import type { ScopeEntry } from '../config/sandbox-config.ts';
import { isRecord } from '../text/record.ts';
import { createBudget } from './budget.ts';
import { type ClaimValues, configOf, type Drafted, userOf } from './drafts.ts';
import type { Imported } from './imported.ts';
import { at, type ExportPart, flagIn, recordsIn, tellLost, textIn, textsIn, type UseTable } from './members.ts';
import { createNotes, type Notes } from './notes.ts';
import { audiencesOf, typedClaims } from './oidc-server-mock-claims.ts';
import { clientOf } from './oidc-server-mock-client.ts';
import { readYamlText } from './read-text.ts';

// Configuration of Soluto/oidc-server-mock, in the classes of Duende's IdentityServer.
const optionUses: UseTable = {
  ...{ CLIENTS_CONFIGURATION_INLINE: 'read', USERS_CONFIGURATION_INLINE: 'read', API_SCOPES_INLINE: 'read' },
  ...{ API_RESOURCES_INLINE: 'read', IDENTITY_RESOURCES_INLINE: 'read', OVERRIDE_STANDARD_IDENTITY_RESOURCES: 'none' },
  SERVER_OPTIONS_INLINE: { lost: 'the sandbox has settings of its own: grantbox --help lists them' },
  LOGIN_OPTIONS_INLINE: { lost: 'the login page has no options' },
  LOGOUT_OPTIONS_INLINE: { lost: 'the logout page has no options' },
  ASPNET_SERVICES_OPTIONS_INLINE: { lost: 'a base path is the path of ISSUER' },
  ...Object.fromEntries(
    ['CLIENTS_CONFIGURATION', 'USERS_CONFIGURATION', 'API_SCOPES', 'API_RESOURCES', 'IDENTITY_RESOURCES'].map(name => [
      `${name}_PATH`,
      { lost: 'import the file that it names, too' },
    ]),
  ),
};

const userUses: UseTable = {
  ...{ SubjectId: 'read', Username: 'read', Password: 'read', Claims: 'read', IsActive: 'read' },
  ProviderName: { lost: 'identity brokering is not served' },
  ProviderSubjectId: { lost: 'identity brokering is not served' },
};

const scopeUses: UseTable = {
  ...{ Name: 'read', DisplayName: 'read', Description: 'read', UserClaims: 'read', ClaimTypes: 'read', Scopes: 'read' },
  ...{ Enabled: 'none', Required: 'none', Emphasize: 'none', ShowInDiscoveryDocument: 'none', Properties: 'none' },
  ApiSecrets: { lost: 'introspection is for clients: add one with this secret' },
};

/** Whether it is one of the lists alone: clients or users. */
export function isListOfMock(value: unknown): boolean {
  return Array.isArray(value) && isRecord(value[0]) && ('ClientId' in value[0] || 'SubjectId' in value[0]);
}

/**
 * Turns the variables of oidc-server-mock, or one of its lists, into clients, users and scopes.
 * @throws ExportTooLarge
 */
export async function importOidcServerMock(value: unknown): Promise<Imported | { readonly fault: string }> {
  const notes = createNotes();
  const options = isRecord(value) ? value : listed(value);
  tellLost({ path: [], notes, value: options }, optionUses, 'the configuration');
  const part = (name: string) => optionPart(notes, options, name);
  const [clients, users, apiScopes, apis, identities] = await Promise.all([
    part('CLIENTS_CONFIGURATION_INLINE'),
    part('USERS_CONFIGURATION_INLINE'),
    part('API_SCOPES_INLINE'),
    part('API_RESOURCES_INLINE'),
    part('IDENTITY_RESOURCES_INLINE'),
  ]);
  const budget = createBudget();
  const audiences = audiencesOf(apis);
  const ofApis = new Set(
    [...recordsIn(apiScopes), ...recordsIn(apis)].flatMap(each => textsIn(at(each, 'UserClaims'))),
  );
  const config = configOf(
    { path: [], notes, value: options },
    {
      clients: recordsIn(clients).flatMap(each => clientOf(each, audiences, budget)),
      users: recordsIn(users).flatMap(each => userIn(each, ofApis)),
      scopes: [...recordsIn(apiScopes).flatMap(scopeOf), ...recordsIn(identities).flatMap(scopeOf)],
    },
  );
  for (const each of recordsIn(apis)) tellLost(each, scopeUses, 'an API resource');
  return { config, notes: notes.lines() };
}

function listed(value: unknown): Readonly<Record<string, unknown>> {
  const [first] = Array.isArray(value) ? value : [];
  const name = isRecord(first) && 'ClientId' in first ? 'CLIENTS' : 'USERS';
  return { [`${name}_CONFIGURATION_INLINE`]: value };
}

/** A variable is text with JSON or YAML in it; in a file of its own it can be the list itself. */
async function optionPart(notes: Notes, options: Readonly<Record<string, unknown>>, name: string): Promise<ExportPart> {
  const value = Object.hasOwn(options, name) ? options[name] : undefined;
  if (typeof value !== 'string') return { path: [name], notes, value };
  const read = await readYamlText(value);
  if ('fault' in read) notes.tell([name], `left out, because ${read.fault}`);
  return { path: [name], notes, value: 'value' in read ? read.value : undefined };
}

function userIn(found: ExportPart, ofApis: ReadonlySet<string>): readonly Drafted<ReturnType<typeof userOf>>[] {
  const sub = textIn(at(found, 'SubjectId'));
  const isOff = flagIn(at(found, 'IsActive')) === false;
  if (sub === undefined || isOff)
    found.notes.tell(found.path, `left out, because ${isOff ? 'the user is not active' : 'it has no `SubjectId`'}`);
  if (sub === undefined || isOff) return [];
  tellLost(found, userUses, 'a user');
  const password = textIn(at(found, 'Password'));
  const username = textIn(at(found, 'Username')) ?? sub;
  const claims: ClaimValues = typedClaims(at(found, 'Claims'));
  return [{ found, entry: userOf({ sub, username, ...(password !== undefined && { password }) }, claims, ofApis) }];
}

function scopeOf(found: ExportPart): readonly (Drafted<ScopeEntry> & { readonly name: string })[] {
  tellLost(found, scopeUses, 'a scope');
  const name = textIn(at(found, 'Name'));
  if (name === undefined) return [];
  const description = textIn(at(found, 'Description')) ?? textIn(at(found, 'DisplayName'));
  const claims = [...textsIn(at(found, 'UserClaims')), ...textsIn(at(found, 'ClaimTypes'))].filter(
    claim => claim !== 'sub',
  );
  const entry = { ...(description !== undefined && { description }), ...(claims.length > 0 && { claims }) };
  return Object.keys(entry).length === 0 ? [] : [{ found, name, entry }];
}
