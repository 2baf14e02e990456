/** The roles of the client `realm-management` (AdminRoles.java). */
export const adminRoles = [
  'create-client',
  'impersonation',
  'manage-authorization',
  'manage-clients',
  'manage-events',
  'manage-identity-providers',
  'manage-realm',
  'manage-users',
  'query-clients',
  'query-groups',
  'query-realms',
  'query-users',
  'realm-admin',
  'view-authorization',
  'view-clients',
  'view-events',
  'view-identity-providers',
  'view-realm',
  'view-users',
] as const;

/** Roles of which a caller needs one, by what it does (UserPermissions.java, ClientPermissions.java, RealmPermissions.java). */
export const needs = {
  queryUsers: ['query-users', 'view-users', 'manage-users'],
  viewUsers: ['view-users', 'manage-users'],
  manageUsers: ['manage-users'],
  queryGroups: ['query-groups', 'view-users', 'manage-users'],
  queryClients: ['query-clients', 'view-clients', 'manage-clients'],
  viewClients: ['view-clients', 'manage-clients'],
  createClients: ['manage-clients', 'create-client'],
  manageClients: ['manage-clients'],
  viewRealm: ['view-realm', 'manage-realm'],
  manageRealm: ['manage-realm'],
  listRoles: ['view-realm', 'manage-realm', 'query-users', 'query-clients', 'query-groups', 'query-realms'].concat([
    'view-users',
    'manage-users',
    'view-clients',
    'manage-clients',
  ]),
  any: adminRoles,
} as const satisfies Readonly<Record<string, readonly string[]>>;
