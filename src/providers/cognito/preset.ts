import type { MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { PresetOptions, ProviderPreset } from '../../sandbox/provider.ts';
import { forms } from './claims.ts';
import { errors } from './errors.ts';
import { routes } from './routes.ts';

/** Amazon Cognito: one user pool is one issuer. The hosted UI and the user pool API have the same address. */
export const cognito: ProviderPreset = {
  title: 'Cognito',
  dialect: options => ({
    identifier: identifierOf(options),
    metadata,
    forms,
    accessTokenType: 'JWT',
    redirectUriNeeded: true,
    errors,
  }),
  paths: {
    jwks: '/${options.pool}/.well-known/jwks.json',
    userinfo: '/oauth2/userInfo',
    endSession: '/logout',
    confirmLogout: '/logout/confirm',
  },
  routes,
  management: {
    paths: () => [],
    header: 'x-amz-target',
    load: async () => (await import('./pool/user-pool.ts')).createPoolApi,
  },
  unserved: [
    {
      path: '/signup',
      what: 'the sign-up page',
      instead: 'Type a new name on the login page, or call SignUp of the user pool API.',
    },
    {
      path: '/forgotPassword',
      what: 'the page for a forgotten password',
      instead: 'Call ForgotPassword of the user pool API.',
    },
    {
      path: '/oauth2/idpresponse',
      what: 'identity providers behind the pool',
      instead: 'Add the users of the other provider to `users`, with the claim `identities`.',
    },
    {
      path: '/saml2',
      what: 'SAML',
      instead: 'Add the users of the other provider to `users`, with the claim `identities`.',
    },
  ],
  pageIds: { loginButtonName: 'signInSubmitButton' },
};

/** The address with the pool, the identifier of that pool at AWS, or the one that was chosen. */
function identifierOf({ pool = '', issuer = '' }: PresetOptions): string {
  if (issuer === 'local') return '${issuer}/${options.pool}';
  return issuer === 'aws' ? `https://cognito-idp.${pool.split('_')[0]}.amazonaws.com/${pool}` : issuer;
}

/**
 * The metadata of a user pool, which names little: no `code_challenge_methods_supported`, although PKCE works. Clients that
 * look for that member stop, as at Cognito. `response_types_supported` has `token` only if a client may ask for it.
 */
const metadata: MetadataForm = {
  keep: [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'revocation_endpoint',
    'end_session_endpoint',
    'jwks_uri',
    'response_types_supported',
  ],
  add: {
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  },
};
