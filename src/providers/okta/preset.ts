import type { AnswerHeaders, ProviderPreset } from '../../sandbox/provider.ts';
import { oktaForm } from './api-errors.ts';
import { formsOf } from './claims.ts';
import { errors } from './errors.ts';
import { metadataOf } from './metadata.ts';
import { routes } from './routes.ts';
import { isOrg, pathsOf } from './servers.ts';

/** Okta: a custom authorization server of an org is one issuer, or the authorization server of the org itself. */
export const okta: ProviderPreset = {
  title: 'Okta',
  issuerPath: options => (isOrg(options) ? '' : `/oauth2/${options.server}`),
  dialect: options => ({
    metadata: metadataOf(options),
    forms: formsOf(options),
    messages: { okta_post_message: '${response}' },
    accessTokenType: '',
    takesBasicId: true,
    scopeNeeded: true,
    redirectUriNeeded: true,
    errors,
  }),
  paths: pathsOf,
  routes,
  form: oktaForm,
  headers,
  management: {
    paths: () => ['/api/v1', '/oauth2/v1/clients'],
    load: async () => (await import('./admin/admin.ts')).createAdminApi,
  },
  unserved: [
    {
      path: '/v1/interact',
      what: 'the Identity Engine (IDX)',
      instead:
        'Begin a login at the authorization endpoint, by a redirect or with a sessionToken of POST /api/v1/authn.',
    },
    {
      path: '/v1/challenge',
      what: 'Direct Authentication with factors',
      instead: 'Begin a login at the authorization endpoint.',
    },
    {
      path: '/v1/oob-authenticate',
      what: 'Direct Authentication out of band',
      instead: 'Use backchannel authentication (POST /v1/bc/authorize) or the device grant.',
    },
    {
      path: '/idp',
      what: 'the Identity Engine (IDX) and MyAccount',
      instead: 'Begin a login at the authorization endpoint. GET /api/v1/users/me answers the profile.',
    },
    {
      path: '/sso',
      what: 'SAML and identity brokering',
      instead: 'The sandbox speaks OpenID Connect: use the endpoints of its metadata.',
    },
    {
      path: '/app',
      what: 'the app links of the end-user dashboard',
      instead: 'Begin a login at the authorization endpoint.',
    },
    {
      path: '/scim',
      what: 'SCIM provisioning',
      instead: 'Create users by POST /api/v1/users.',
    },
  ],
  // those of the Sign-In Widget before the Identity Engine
  pageIds: { username: 'okta-signin-username', password: 'okta-signin-password', loginButton: 'okta-signin-submit' },
};

/** Requests in a minute that Okta allows to most endpoints of a trial org. */
const usualLimit = 600;

/**
 * The headers of each answer of Okta. The requests of the current minute are counted, and refused only where `RATE_LIMIT`
 * is set.
 */
function headers(clock: () => number, limit: number): ReturnType<AnswerHeaders> {
  const most = limit === 0 ? usualLimit : limit;
  let minute = 0;
  let count = 0;
  return requestId => {
    const now = Math.floor(clock() / 60);
    count = now === minute ? count + 1 : 1;
    minute = now;
    return {
      'X-Okta-Request-Id': requestId,
      'X-Rate-Limit-Limit': String(most),
      'X-Rate-Limit-Remaining': String(Math.max(0, most - count)),
      'X-Rate-Limit-Reset': String((minute + 1) * 60),
    };
  };
}
