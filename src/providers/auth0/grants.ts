import type { GrantHandler, TokenRequest } from '../../protocol/authorization-server.ts';
import { invalidTarget, OAuthError } from '../../protocol/errors.ts';
import { clientCredentials } from '../../protocol/grants/client-credentials.ts';
import { password } from '../../protocol/grants/password.ts';
import { parameter, requiredParameter } from '../../protocol/parameters.ts';
import { identityScopes, scopesIn } from '../../protocol/scope.ts';
import { secondFactorGrants, withSecondFactor } from './second-factor.ts';

/** A client that acts for itself names the API, and gets all scopes that it may have if it names none. */
const machine: GrantHandler = {
  ...clientCredentials,
  async redeem(request) {
    const [resource] = request.parameters.resources;
    if (resource === undefined)
      throw invalidTarget('resource_missing', 'audience is missing', { expected: 'the identifier of an API' });
    requireClientGrant(request, resource);
    const redemption = await clientCredentials.redeem(request);
    if (parameter(request.parameters, 'scope') !== undefined) return redemption;
    const own = scopesIn(request.client.scope).filter(name => !identityScopes.includes(name));
    const scopes = resource === `${request.server.issuer}/api/v2/` ? ofManagement(request, own) : own;
    return { ...redemption, scopes, authorization: { ...redemption.authorization, scopes } };
  },
};

/** The scopes for the Management API: those that the client has, or all for a client whose entry names no scopes. */
function ofManagement({ server, client }: TokenRequest, own: readonly string[]): readonly string[] {
  const asked = scopesIn(client.scope);
  const isUnlimited = [...server.scopes.keys()].every(name => asked.includes(name));
  return isUnlimited ? managementScopes : own.filter(name => managementScopes.includes(name));
}

/** A client that names its APIs may call no other. One that names none may call those that are known. */
function requireClientGrant({ client }: TokenRequest, resource: string): void {
  if (client.audience.length === 0 || client.audience.includes(resource)) return;
  throw new OAuthError('access_denied', 'client_grant_missing', `${client.client_id} has no grant for this API`, {
    sent: resource,
    expected: client.audience.join(', '),
  });
}

/** The password grant, which asks for the second factor of users that have one. */
const passwords: GrantHandler = { ...password, redeem: withSecondFactor(password.redeem) };

/** The same for the users of one connection, which the parameter `realm` names. The sandbox has one list of users. */
const passwordRealm: GrantHandler = {
  ...passwords,
  grantType: 'http://auth0.com/oauth/grant-type/password-realm',
  registeredAs: 'password',
  parameters: [...password.parameters, 'realm'],
  redeem(request) {
    requiredParameter(request.parameters, 'realm');
    return passwords.redeem(request);
  },
};

/** Grants that differ from the usual ones, or have names of their own. */
export const grants: readonly GrantHandler[] = [machine, passwords, passwordRealm, ...secondFactorGrants];

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
