import { shapePreset } from './claim-shape.ts';

const person = {
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
const rules = [
  { when: 'user', claims: person },
  { when: 'user.claims.app_metadata', claims: { '...': '${user.claims.app_metadata}' } },
];

/** Firebase Authentication: a back end verifies the ID Token of a project, whatever issued it. */
export const firebase = shapePreset({
  title: 'Firebase Authentication',
  issuerPath: ({ project }) => `/${project}`,
  paths: { jwks: '/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com' },
  forms: {
    accessToken: {
      omit: ['client_id', 'scope', 'nbf', 'acr', 'amr', 'sid'],
      rules: [...rules, { when: 'user', claims: { aud: ['${options.project}'] } }],
    },
    idToken: { omit: [], rules },
  },
  unserved: [
    {
      path: '/v1/accounts',
      what: 'the REST API of Firebase Authentication',
      instead: 'POST /_sandbox/tokens issues a token for a user, and /oauth2/token one for a login.',
    },
  ],
});
