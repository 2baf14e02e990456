import { isRecord } from '../../base/text/record.ts';
import { importAuth0Tenant, isTenant } from './auth0.ts';
import { importAuth0Users, isUserList } from './auth0-users.ts';
import { importCognitoUsers, isCognitoExport } from './cognito.ts';
import { importCognitoLocal, isCognitoLocal } from './cognito-local.ts';
import { importEntraManifest, isManifest } from './entra.ts';
import { importFirebaseUsers, isFirebaseExport } from './firebase.ts';
import type { ImportFormat } from './imported.ts';
import { importMockOauth2Server, isMockConfig } from './mock-oauth2-server.ts';
import { importOidcServerMock, isOidcServerMock } from './oidc-server-mock.ts';

/** The exports that can be imported. The first that recognises a file takes it. */
export const formats: readonly ImportFormat[] = [
  {
    title: 'a realm export of Keycloak',
    sign: 'a member `realm` with the name of a realm',
    recognises: value => isRecord(value) && typeof value.realm === 'string' && value.realm !== '',
    convert: async found => (await import('./keycloak/realm.ts')).realmConfig(found),
  },
  {
    title: 'the JSON_CONFIG of mock-oauth2-server',
    sign: '`tokenCallbacks`, `interactiveLogin` or `httpServer`',
    recognises: isMockConfig,
    convert: importMockOauth2Server,
  },
  {
    title: 'the configuration of oidc-server-mock',
    sign: '`CLIENTS_CONFIGURATION_INLINE`, or a list with `ClientId`, `SubjectId` or `Name`',
    recognises: isOidcServerMock,
    convert: importOidcServerMock,
  },
  {
    title: 'an Auth0 tenant of the deploy CLI',
    sign: '`clients` with `callbacks`, or `resourceServers`',
    recognises: isTenant,
    convert: importAuth0Tenant,
  },
  {
    title: 'the manifest of an Entra application',
    sign: '`appId` and `signInAudience`',
    recognises: isManifest,
    convert: importEntraManifest,
  },
  {
    title: 'a Firebase export of users',
    sign: '`users` with `localId`',
    recognises: isFirebaseExport,
    convert: importFirebaseUsers,
  },
  {
    title: 'the database of cognito-local',
    sign: '`Clients`, or `Options` and `Users`',
    recognises: isCognitoLocal,
    convert: importCognitoLocal,
  },
  {
    title: 'users of a Cognito pool',
    sign: '`Users` with `Username`, or the column cognito:username',
    recognises: isCognitoExport,
    convert: importCognitoUsers,
  },
  { title: 'a list of Auth0 users', sign: '`email` or `user_id`', recognises: isUserList, convert: importAuth0Users },
];

/** The format of a parsed file. */
export function formatOf(value: unknown): ImportFormat | undefined {
  return formats.find(({ recognises }) => recognises(value));
}
