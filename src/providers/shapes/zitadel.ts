import { isRecord } from '../../base/text/record.ts';
import type { TokenContext } from '../../protocol/dialects/dialect-data.ts';
import type { PresetOptions } from '../../sandbox/provider.ts';
import { shapePreset } from './claim-shape.ts';

const iam = 'urn:zitadel:iam:org:project';

/** Each role is an object of the organizations in which the user has it. */
function rulesOf({ organization = '', domain = '', project = '' }: PresetOptions) {
  const byRole = ({ user, scope }: TokenContext) => {
    const given: unknown = scope[`${iam}s:roles`] && user?.claims.roles;
    const names: readonly unknown[] = Array.isArray(given) ? given : Object.keys(isRecord(given) ? given : {});
    if (names.length === 0) return undefined;
    const roles = Object.fromEntries(names.map(name => [name, { [organization]: domain }]));
    return { [`${iam}:roles`]: roles, [`${iam}:${project}:roles`]: roles };
  };
  return [
    byRole,
    {
      when: ['user', 'scope[urn:zitadel:iam:user:resourceowner]'],
      claims: {
        'urn:zitadel:iam:user:resourceowner:id': organization,
        'urn:zitadel:iam:user:resourceowner:name': domain,
        'urn:zitadel:iam:user:resourceowner:primary_domain': domain,
      },
    },
  ];
}

/** Zitadel: roles as an object of objects, by the scopes that Zitadel reserves. */
export const zitadel = shapePreset({
  title: 'Zitadel',
  paths: {
    authorize: '/oauth/v2/authorize',
    token: '/oauth/v2/token',
    jwks: '/oauth/v2/keys',
    introspect: '/oauth/v2/introspect',
    revoke: '/oauth/v2/revoke',
    deviceAuthorization: '/oauth/v2/device_authorization',
    userinfo: '/oidc/v1/userinfo',
    endSession: '/oidc/v1/end_session',
  },
  forms: options => {
    const rules = rulesOf(options);
    return {
      accessToken: { omit: ['acr', 'amr'], rules },
      idToken: { omit: [], rules: [{ claims: { azp: '${client.client_id}' } }, ...rules] },
      userinfo: { omit: [], rules },
    };
  },
  unserved: [
    { path: '/v2', what: 'the management API of Zitadel', instead: 'The control API, /_sandbox/users, has users.' },
    {
      path: '/management/v1',
      what: 'the management API of Zitadel',
      instead: 'The control API has users and clients.',
    },
  ],
});
