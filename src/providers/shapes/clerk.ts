import { shapePreset } from './claim-shape.ts';

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
