import type { EndpointPaths } from '../../protocol/authorization-server.ts';
import type { PresetOptions } from '../../sandbox/provider.ts';

/** The value of the option `server` that means the authorization server of the org itself. */
const org = 'org';

/** Whether the issuer is the org itself, and not one of its custom authorization servers. */
export function isOrg({ server }: PresetOptions): boolean {
  return server === org;
}

/** Paths below the issuer. Those of the org authorization server are below `/oauth2`, because its issuer is the org. */
export function pathsOf(options: PresetOptions): Partial<EndpointPaths> {
  const at = isOrg(options) ? '/oauth2/v1' : '/v1';
  return {
    authorize: `${at}/authorize`,
    token: `${at}/token`,
    jwks: `${at}/keys`,
    userinfo: `${at}/userinfo`,
    endSession: `${at}/logout`,
    introspect: `${at}/introspect`,
    revoke: `${at}/revoke`,
    pushedAuthorizationRequest: `${at}/par`,
    deviceAuthorization: `${at}/device/authorize`,
    deviceVerification: '/activate',
    backchannelAuthentication: `${at}/bc/authorize`,
    register: isOrg(options) ? '/oauth2/v1/clients' : '/v1/clients',
  };
}

/** The id of the org, which is the identity provider of its users. */
export const orgId = '00ograntboxsandbox00';
