import { isRecord } from '../../base/text/record.ts';
import type { SandboxConfig, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import { createBudget } from './budget.ts';
import { type ClaimValues, configOf, type Drafted, type DraftedScope, userOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  opened,
  reads,
  recordsIn,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
} from './members.ts';
import { audiencesOf, typedClaims } from './oidc-server-mock-claims.ts';
import { clientOf } from './oidc-server-mock-client.ts';
import { readYamlText } from './read-text.ts';

// Configuration of Soluto/oidc-server-mock, in the classes of Duende's IdentityServer.
const optionUses: UseTable = {
  ...reads('CLIENTS_CONFIGURATION_INLINE USERS_CONFIGURATION_INLINE API_SCOPES_INLINE API_RESOURCES_INLINE'),
  ...reads('IDENTITY_RESOURCES_INLINE'),
  ...ignores('OVERRIDE_STANDARD_IDENTITY_RESOURCES'),
  SERVER_OPTIONS_INLINE: { lost: 'the sandbox has settings of its own: grantbox --help lists them' },
  LOGIN_OPTIONS_INLINE: { lost: 'the login page has no options' },
  LOGOUT_OPTIONS_INLINE: { lost: 'the logout page has no options' },
  ASPNET_SERVICES_OPTIONS_INLINE: { lost: 'a base path is the path of ISSUER' },
};

const userUses: UseTable = {
  ...reads('SubjectId Username Password Claims IsActive'),
  ProviderName: { lost: 'identity brokering is not served' },
  ProviderSubjectId: { lost: 'identity brokering is not served' },
};

const scopeUses: UseTable = {
  ...reads('Name DisplayName Description UserClaims ClaimTypes Scopes'),
  ...ignores('Enabled Required Emphasize ShowInDiscoveryDocument Properties'),
  ApiSecrets: { lost: 'introspection is for clients: add one with this secret' },
};

/** Whether it has variables of the mock; `withMockLists` gives the lists in files these names. */
export function isOidcServerMock(value: unknown): boolean {
  return isRecord(value) && Object.keys(optionUses).some(name => Object.hasOwn(value, name));
}

/**
 * Turns the variables of oidc-server-mock into clients, users and scopes.
 * @throws ExportTooLarge
 */
export async function importOidcServerMock(found: ExportPart): Promise<SandboxConfig> {
  tellLost(found, optionUses, 'the configuration');
  const part = (name: string) => optionPart(at(found, name));
  const [clients, users, apiScopes, apis, identities] = await Promise.all([
    part('CLIENTS_CONFIGURATION_INLINE'),
    part('USERS_CONFIGURATION_INLINE'),
    part('API_SCOPES_INLINE'),
    part('API_RESOURCES_INLINE'),
    part('IDENTITY_RESOURCES_INLINE'),
  ]);
  const budget = createBudget();
  const audiences = audiencesOf(apis);
  const ofApis = [...recordsIn(apiScopes), ...recordsIn(apis)].flatMap(each => textsIn(at(each, 'UserClaims')));
  const access = new Set(ofApis);
  const config = configOf(found, {
    clients: recordsIn(clients).flatMap(each => clientOf(each, audiences, budget)),
    users: recordsIn(users).flatMap(each => userIn(each, access)),
    scopes: [...recordsIn(apiScopes).flatMap(scopeOf), ...recordsIn(identities).flatMap(scopeOf)],
  });
  for (const each of recordsIn(apis)) tellLost(each, scopeUses, 'an API resource');
  return config;
}

/** A variable is text with JSON or YAML in it; in a file of its own it can be the list itself. */
async function optionPart(found: ExportPart): Promise<ExportPart> {
  if (typeof found.value !== 'string') return found;
  const read = await readYamlText(found.value);
  if ('fault' in read) leftOut(found, read.fault);
  return opened(found, 'value' in read ? read.value : undefined);
}

function userIn(found: ExportPart, ofApis: ReadonlySet<string>): readonly Drafted<UserEntry>[] {
  const sub = textIn(at(found, 'SubjectId'));
  if (flagIn(at(found, 'IsActive')) === false) return leftOut(found, 'the user is not active');
  if (sub === undefined) return leftOut(found, 'it has no `SubjectId`');
  tellLost(found, userUses, 'a user');
  const password = textIn(at(found, 'Password'));
  const username = textIn(at(found, 'Username')) ?? sub;
  const claims: ClaimValues = typedClaims(at(found, 'Claims'));
  return [{ found, entry: userOf({ sub, username, ...(password !== undefined && { password }) }, claims, ofApis) }];
}

function scopeOf(found: ExportPart): readonly DraftedScope[] {
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
