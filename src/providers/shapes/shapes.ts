import { type AnyMembers, isRecord } from '../../base/text/record.ts';
import type { DialectData, TokenContext } from '../../protocol/dialects/dialect-data.ts';
import type { PresetOptions, ProviderPreset } from '../../sandbox/provider.ts';

/** A provider of which the sandbox imitates the tokens and the addresses of the standard endpoints, and no API of its own. */
interface ClaimShape extends Omit<ProviderPreset, 'dialect'>, Pick<DialectData, 'metadata'> {
  readonly forms: DialectData['forms'] | ((options: PresetOptions) => DialectData['forms']);
}

/** A preset of a provider by the shape of its tokens. */
export function shapePreset({ forms, metadata = {}, ...preset }: ClaimShape): ProviderPreset {
  return {
    ...preset,
    dialect: options => ({
      metadata,
      forms: typeof forms === 'function' ? forms(options) : forms,
      accessTokenType: 'JWT',
      errors: {},
    }),
  };
}

const firebasePerson = {
  user_id: '${token.sub}',
  auth_time: '${session.auth_time}',
  name: '${user.claims.name}',
  picture: '${user.claims.picture}',
  email: '${user.claims.email}',
  email_verified: '${user.claims.email_verified}',
  phone_number: '${user.claims.phone_number}',
  firebase: {
    identities: { email: ['${user.claims.email}'] },
    sign_in_provider: 'password',
    tenant: '${user.claims.tenant}',
  },
};

/** Custom claims of a user are at the top level of the token. */
const firebaseRules = [
  { when: 'user', claims: firebasePerson },
  { when: 'user.claims.app_metadata', claims: { '...': '${user.claims.app_metadata}' } },
];

/** Firebase Authentication: a back end verifies the ID token of a project, whatever issued it. */
export const firebase = shapePreset({
  title: 'Firebase Authentication',
  issuerPath: ({ project }) => `/${project}`,
  paths: { jwks: '/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com' },
  forms: {
    accessToken: {
      omit: ['client_id', 'scope', 'nbf', 'acr', 'amr', 'sid'],
      rules: [...firebaseRules, { when: 'user', claims: { aud: ['${options.project}'] } }],
    },
    idToken: { omit: [], rules: firebaseRules },
  },
  unserved: [
    {
      path: '/v1/accounts',
      what: 'the REST API of Firebase Authentication',
      instead: 'POST /_sandbox/tokens mints a token for a user, and /oauth2/token one for a sign-in.',
    },
  ],
});

const supabasePerson = {
  role: 'authenticated',
  email: '${user.claims.email}',
  phone: '${user.claims.phone_number}',
  app_metadata: { provider: 'email', providers: ['email'], '...': '${user.claims.app_metadata}' },
  user_metadata: { '...': '${user.claims.user_metadata}', email: '${user.claims.email}', name: '${user.claims.name}' },
  aal: 'aal1',
  amr: [{ method: 'password', timestamp: '${session.auth_time}' }],
  session_id: '${session.sid}',
  is_anonymous: false,
};

/** Supabase Auth: the access token that row level security reads. */
export const supabase = shapePreset({
  title: 'Supabase Auth',
  issuerPath: () => '/auth/v1',
  paths: {
    authorize: '/oauth/authorize',
    token: '/oauth/token',
    userinfo: '/oauth/userinfo',
    jwks: '/.well-known/jwks.json',
  },
  forms: {
    accessToken: {
      omit: ['nbf', 'acr', 'amr', 'sid', 'auth_time'],
      rules: [{ when: 'user', claims: { ...supabasePerson, aud: ['authenticated'] } }],
    },
  },
  unserved: [
    { path: '/signup', what: 'the sign-up of Supabase Auth', instead: 'POST /_sandbox/users creates a user.' },
    { path: '/otp', what: 'sign-ins by a code', instead: 'The sign-in page of the sandbox signs a user in.' },
    { path: '/verify', what: 'sign-ins by a code', instead: 'The sign-in page of the sandbox signs a user in.' },
    { path: '/recover', what: 'new passwords by e-mail', instead: 'PUT /_sandbox/users/{sub} sets a password.' },
    { path: '/admin', what: 'the admin API of Supabase Auth', instead: 'The control API, /_sandbox/users, has users.' },
    {
      path: '/token',
      what: 'the password grant of Supabase Auth',
      instead: 'POST /auth/v1/oauth/token has the grants.',
    },
    { path: '/user', what: 'the user of Supabase Auth', instead: 'GET /auth/v1/oauth/userinfo has the claims.' },
  ],
});

const iam = 'urn:zitadel:iam:org:project';

/** Each role is an object of the organizations in which the user has it. */
function zitadelRules({ organization = '', domain = '', project = '' }: PresetOptions) {
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
    const rules = zitadelRules(options);
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

const ofUser = { roles: '${user.claims.roles}', username: '${user.username}' };

/** Organizations are in ID tokens by scopes that Logto reserves; the roles are pairs of an organization and a role. */
const logtoRules = [
  { when: ['user', 'scope.roles'], claims: { roles: ofUser.roles } },
  { when: ['user', 'scope.profile'], claims: { username: ofUser.username } },
  { when: ['user', 'scope.custom_data'], claims: { custom_data: '${user.claims.user_metadata}' } },
  { when: ['user', 'scope.identities'], claims: { identities: '${user.claims.identities}' } },
  ({ user, scope }: TokenContext) => ({
    organizations: scope['urn:logto:scope:organizations'] && listed(user, ({ id }) => id),
    organization_roles:
      scope['urn:logto:scope:organization_roles'] &&
      listed(user, ({ id, roles }) => (Array.isArray(roles) ? roles.map(role => `${id}:${role}`) : [])),
  }),
];

/** What `each` makes of the organizations of a user that have an id; undefined where that is nothing. */
function listed(user: TokenContext['user'], each: (organization: AnyMembers) => unknown): unknown {
  const all = [user?.claims.organizations ?? []].flat().filter(isRecord);
  const found = all.filter(({ id }) => id !== undefined).flatMap(each);
  return found.length === 0 ? undefined : found;
}

/** Logto: the paths of node-oidc-provider, and its organizations. */
export const logto = shapePreset({
  title: 'Logto',
  issuerPath: () => '/oidc',
  paths: {
    authorize: '/auth',
    token: '/token',
    jwks: '/jwks',
    userinfo: '/me',
    endSession: '/session/end',
    introspect: '/token/introspection',
    revoke: '/token/revocation',
    deviceAuthorization: '/device/auth',
    deviceVerification: '/device',
    register: '/reg',
    pushedAuthorizationRequest: '/request',
  },
  forms: {
    accessToken: { omit: ['nbf', 'acr', 'amr', 'sid', 'auth_time'], rules: [] },
    idToken: { omit: [], rules: logtoRules },
    userinfo: { omit: [], rules: logtoRules },
  },
});

/** The first organization of the user is the active one. */
const active = 'user.claims.organizations.0';

/** Clerk: the claims of a session token, version 2. */
export const clerk = shapePreset({
  title: 'Clerk',
  paths: {
    authorize: '/oauth/authorize',
    token: '/oauth/token',
    userinfo: '/oauth/userinfo',
    revoke: '/oauth/token/revoke',
    introspect: '/oauth/token_info',
    jwks: '/.well-known/jwks.json',
  },
  forms: {
    accessToken: {
      omit: ['client_id', 'aud', 'scope', 'acr', 'amr', 'auth_time'],
      rules: [
        { when: 'user', claims: { v: 2, sts: 'active', fva: [0, -1], azp: '${client.web_origins.0}' } },
        {
          when: active,
          claims: { o: { id: `\${${active}.id}`, slg: `\${${active}.name}` } },
        },
        {
          when: `${active}.roles.0`,
          claims: { o: { id: `\${${active}.id}`, slg: `\${${active}.name}`, rol: `\${${active}.roles.0}` } },
        },
      ],
    },
  },
  unserved: [
    {
      path: '/v1',
      what: 'the backend and frontend API of Clerk',
      instead: 'The control API, /_sandbox/users, has users.',
    },
  ],
});
