const all = ['read', 'create', 'update', 'delete'];
const things = [
  'users',
  'users_app_metadata',
  'clients',
  'client_keys',
  'client_grants',
  'resource_servers',
  'roles',
].concat([
  'connections',
  'organizations',
  'organization_members',
  'organization_member_roles',
  'user_tickets',
  'grants',
  'logs',
]);

/** The scopes of the Management API. */
export const managementScopes: readonly string[] = things.flatMap(thing => all.map(verb => `${verb}:${thing}`));
