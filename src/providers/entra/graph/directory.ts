import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { displayName, type TestUser } from '../../../protocol/users/user.ts';
import {
  applicationObjectId,
  directGroups,
  groupId,
  principalId,
  principalName,
  tenantId,
  userObjectId,
  withParents,
} from '../ids.ts';
import { isForPage } from '../page-logins.ts';

/** An object of the directory, as Graph answers it. */
export type DirectoryObject = Readonly<Record<string, unknown>> & { readonly id: string };

export interface DirectoryUser {
  readonly id: string;
  readonly principalName: string;
  readonly object: DirectoryObject;
  /** Paths of the groups that the user is a direct member of. */
  readonly groups: readonly string[];
}

export function directoryUser(server: AuthorizationServer, user: TestUser): DirectoryUser {
  const id = userObjectId(server, user);
  const name = principalName(server, user);
  const { given_name, family_name, email, phone_number, locale, job_title } = user.claims;
  const object = {
    businessPhones: [],
    displayName: displayName(user),
    givenName: given_name ?? null,
    jobTitle: job_title ?? null,
    mail: email ?? null,
    mobilePhone: phone_number ?? null,
    officeLocation: null,
    preferredLanguage: locale ?? null,
    surname: family_name ?? null,
    userPrincipalName: name,
    id,
  };
  return { id, principalName: name, object, groups: directGroups(user) };
}

/** All users besides those that somebody typed for one login. */
export function directoryUsers(server: AuthorizationServer): readonly DirectoryUser[] {
  return [...server.users.values()].filter(user => !user.isVisitor).map(user => directoryUser(server, user));
}

/** Groups by path: those of all users, and the groups around them. */
export function directoryGroups(server: AuthorizationServer): ReadonlyMap<string, DirectoryObject> {
  const paths = withParents(directoryUsers(server).flatMap(({ groups }) => groups));
  return new Map(paths.map(path => [path, groupAt(server, path)]));
}

export function groupAt(server: AuthorizationServer, path: string): DirectoryObject {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    id: groupId(server, path),
    description: path,
    displayName: name,
    groupTypes: [],
    mail: null,
    mailEnabled: false,
    mailNickname: name,
    securityEnabled: true,
  };
}

export function organization(server: AuthorizationServer): DirectoryObject {
  const { domain = '' } = server.dialect?.options ?? {};
  const verified = { capabilities: 'Email', isDefault: true, isInitial: true, name: domain, type: 'Managed' };
  return { id: tenantId(server), displayName: domain.split('.', 1)[0], tenantType: 'AAD', verifiedDomains: [verified] };
}

export function application(server: AuthorizationServer, client: RegisteredClient): DirectoryObject {
  const { client_id, client_name, redirect_uris, application_type } = client;
  const spa = redirect_uris.filter(uri => isForPage(client, uri));
  const others = redirect_uris.filter(uri => !spa.includes(uri));
  const isNative = application_type === 'native';
  return {
    id: applicationObjectId(server, client_id),
    appId: client_id,
    displayName: client_name,
    signInAudience: 'AzureADMyOrg',
    spa: { redirectUris: spa },
    web: { redirectUris: isNative ? [] : others },
    publicClient: { redirectUris: isNative ? others : [] },
  };
}

export function servicePrincipal(server: AuthorizationServer, client: RegisteredClient): DirectoryObject {
  const { client_id, client_name, redirect_uris } = client;
  return {
    id: principalId(server, client_id),
    appId: client_id,
    appDisplayName: client_name,
    displayName: client_name,
    accountEnabled: true,
    servicePrincipalType: 'Application',
    replyUrls: redirect_uris,
  };
}
