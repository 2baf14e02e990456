/** What a library leaves unchecked, with the modules of the examiner that show it. docs/examine.md says the same in a table. */
export const leftUnchecked = {
  /** The ID token comes from the token endpoint over TLS, which OIDC Core §3.1.3.7 accepts in place of the signature. */
  signature: [
    ...['invalid-sig-rs256', 'invalid-sig-none', 'hs256-public-key', 'invalid-sig-es256', 'unknown-kid'],
    'crit-unknown',
  ],
  /** The hash of the access token, which OIDC Core §3.1.3.8 recommends. */
  hash: ['invalid-athash'],
  notBefore: ['not-yet-valid'],
  /** No claim of the ID token but `nonce` is compared, although only the signature may be left out. */
  claims: [
    ...['invalid-iss', 'missing-iss', 'invalid-aud', 'missing-aud', 'invalid-secondary-aud'],
    ...['expired', 'missing-exp', 'missing-iat'],
  ],
  sub: ['missing-sub'],
  userinfo: ['userinfo-invalid-sub', 'userinfo-missing-sub'],
  /** The issuer in the metadata. */
  metadata: ['discovery-issuer-mismatch'],
  /** RFC 9207. */
  responseIssuer: ['invalid-authorization-response-iss', 'remove-authorization-response-iss'],
  /** The same, where two issuers are known. */
  secondIssuer: ['mix-up'],
  pkce: ['pkce'],
  tokenInResponse: ['token-in-response'],
  /** It is sent, and in the body. */
  secret: ['client-secret-basic'],
  tokenType: ['token-type-unknown'],
  /** Tokens are kept in sessionStorage unless the app says otherwise. */
  storage: ['tokens-in-storage'],
} as const;

/** A part of them. */
export type LeftUnchecked = keyof typeof leftUnchecked;
