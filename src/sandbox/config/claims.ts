import type { Finding } from './problem.ts';
import type { Rule } from './schema.ts';

/** Claims of every access token (RFC 9068 §2.2). */
const accessTokenClaims = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'client_id', 'scope'];

/** Claims of every ID token (OIDC Core §2). */
const idTokenClaims = ['iss', 'sub', 'aud', 'exp', 'iat', 'azp', 'nonce', 'at_hash', 'auth_time', 'sid'];

/** Claims of the protocol cannot be configured. */
export const claimsRule: Rule<{ readonly claims?: Readonly<Record<string, unknown>> }> = {
  reads: ['claims'],
  check: ({ claims = {} }) => reservedFindings('claims', claims, idTokenClaims),
};
export const accessTokenClaimsRule: Rule<{ readonly access_token_claims?: Readonly<Record<string, unknown>> }> = {
  reads: ['access_token_claims'],
  check: ({ access_token_claims = {} }) =>
    reservedFindings('access_token_claims', access_token_claims, accessTokenClaims),
};

function reservedFindings(member: string, claims: object, reserved: readonly string[]): Finding[] {
  return Object.keys(claims)
    .filter(name => reserved.includes(name))
    .map(name => ({ path: [member, name], expected: `a different name: the server sets ${name} itself` }));
}

/** OIDC Core §5.4 with the members of §5.1: the claims each standard scope releases. */
export const standardScopes: Readonly<
  Record<string, { readonly description: string; readonly claims: readonly string[] }>
> = {
  openid: { description: 'know who you are', claims: [] },
  profile: {
    description: 'see your name and profile',
    claims: [
      'name',
      'family_name',
      'given_name',
      'middle_name',
      'nickname',
      'preferred_username',
      'profile',
      'picture',
      'website',
      'gender',
      'birthdate',
      'zoneinfo',
      'locale',
      'updated_at',
    ],
  },
  email: { description: 'see your e-mail address', claims: ['email', 'email_verified'] },
  address: { description: 'see your postal address', claims: ['address'] },
  phone: { description: 'see your phone number', claims: ['phone_number', 'phone_number_verified'] },
  offline_access: { description: 'keep its access while you are away', claims: [] },
};

/** Every claim a standard scope releases. */
export const standardClaims: readonly string[] = Object.values(standardScopes).flatMap(({ claims }) => claims);
