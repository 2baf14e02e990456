import type { DialectData } from '../../oauth/dialects/dialect-data.ts';

/** The answers of the token endpoint: to an OAuth app without an end, to a GitHub App without scopes. */
export const forms: Readonly<Record<'oauth-app' | 'app', DialectData['forms']>> = {
  'oauth-app': {
    tokenResponse: {
      omit: ['expires_in', 'scope'],
      rules: [{ claims: { scope: '', token_type: 'bearer' } }, { claims: { scope: '${scopes}' } }],
    },
  },
  app: {
    tokenResponse: {
      omit: ['scope'],
      rules: [
        { claims: { scope: '', token_type: 'bearer' } },
        { when: 'token.refresh_token', claims: { refresh_token_expires_in: '${lifetimes.refreshToken}' } },
      ],
    },
  },
};
