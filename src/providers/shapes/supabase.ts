import { shapePreset } from './claim-shape.ts';

const person = {
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
      rules: [{ when: 'user', claims: { ...person, aud: ['authenticated'] } }],
    },
  },
  unserved: [
    { path: '/signup', what: 'the sign-up of Supabase Auth', instead: 'POST /_sandbox/users creates a user.' },
    { path: '/otp', what: 'logins by a code', instead: 'The login page of the sandbox signs a user in.' },
    { path: '/verify', what: 'logins by a code', instead: 'The login page of the sandbox signs a user in.' },
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
