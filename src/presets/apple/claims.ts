import type { DialectData } from '../../oauth/dialects/dialect-data.ts';

/** Tokens and answers. `areTexts` writes the booleans about the address as text, as older tokens have them. */
export function forms(areTexts: boolean): DialectData['forms'] {
  return {
    idToken: {
      omit: ['azp', 'sid', 'acr', 'amr'],
      ...(areTexts && { texts: ['email_verified', 'is_private_email'] }),
      rules: [
        { when: 'token.nonce', claims: { nonce_supported: true } },
        {
          when: ['user', 'scope.email'],
          claims: {
            email: '${user.claims.email}',
            email_verified: '${user.claims.email_verified}',
            is_private_email: false,
          },
        },
        {
          // a user who hides the own address has one at Apple, which is always verified
          when: ['user.claims.relay_email', 'scope.email'],
          claims: { email: '${user.claims.relay_email}', email_verified: true, is_private_email: true },
        },
        { when: 'user', claims: { real_user_status: '${user.claims.real_user_status}' } },
        { when: 'user', claims: { transfer_sub: '${user.claims.transfer_sub}' } },
      ],
    },
    tokenResponse: { omit: ['scope'], rules: [] },
  };
}
