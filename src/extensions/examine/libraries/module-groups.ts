// The names of modules that one line mends together, and sentences that several libraries share.

/** The line of a library for some modules. */
export interface MendLine {
  /** The ids of modules. */
  readonly modules: readonly string[];
  /** A sentence. */
  readonly mend: string;
}

export const claims = [
  ...['invalid-iss', 'missing-iss', 'missing-sub', 'invalid-aud', 'missing-aud', 'expired', 'missing-exp'],
  ...['invalid-missing-iss', 'invalid-missing-aud', 'invalid-expired-exp', 'invalid-missing-exp'],
];
export const otherClaims = ['missing-iat', 'not-yet-valid', 'invalid-secondary-aud'];
export const signature = ['invalid-sig-rs256', 'invalid-sig-es256', 'unknown-kid'];
export const otherHeaders = ['invalid-sig-none', 'invalid-null-alg', 'hs256-public-key', 'crit-unknown'];
export const wholeToken = [...claims, ...otherClaims, ...signature, ...otherHeaders];
export const nonce = ['nonce-invalid', 'missing-nonce', 'invalid-nonce', 'invalid-missing-nonce'];
export const state = [
  ...['invalid-state', 'missing-state'],
  ...['invalid-state', 'invalid-missing-state'].map(it => `ensure-authorization-response-with-${it}-fails`),
];
export const dpop = ['happy-path', 'sender-constrained-tokens', 'rs-dpop-auth-scheme-case-insensitivity'];
export const jarm = [
  ...['iss', 'aud', 'exp'].map(claim => `ensure-jarm-without-${claim}-fails`),
  ...['invalid-iss', 'invalid-aud', 'expired-exp', 'invalid-sig'].map(it => `ensure-jarm-with-${it}-fails`),
  'ensure-jarm-signature-is-not-none',
];
export const pkce = ['pkce', 'pkce-downgrade', 'pkce-s256', 'code-injection'];
export const userInfo = ['userinfo-invalid-sub', 'userinfo-missing-sub'];
export const responseIssuer = ['invalid-authorization-response-iss', 'remove-authorization-response-iss'];
export const wholeResponse = ['token-in-response', 'error-and-code', 'reversed-parameters', 'authorization-error'];
export const codeHash = ['invalid-chash', 'missing-chash'];
export const proofs = ['token-without-proof', 'proof-reused'];
export const refused = ['refresh-expired', 'refresh-race'];
export const assertion = ['client-authentication', 'client-assertion-aud', 'client-assertion-lifetime'];
export const signOut = ['rp-init-logout', 'rp-init-logout-other-state', 'rp-init-logout-no-state'];
export const logoutToken = [
  ...['alg-none', 'wrong-alg', 'invalid-sig', 'wrong-iss', 'wrong-aud', 'expired', 'no-event', 'wrong-event'],
  'with-nonce',
].map(it => `back-channel-${it}`);
export const polling = ['respects-interval', 'slow-down', 'access-denied', 'expired-token'];

/** Libraries that leave the validation of the ID token to somebody else. */
export const decodesAlone = (library: string, compared: string) =>
  `${library} decodes the ID token and compares ${compared}: let your back end validate it with jose, jwtVerify(idToken, keys, { issuer, audience: client_id }), before it believes who signed in.`;

/** Libraries that read no logout token. */
export const readsNoLogoutToken = (library: string) =>
  `${library} reads no logout token: call jose, jwtVerify(logoutToken, keys, { issuer, audience: client_id, algorithms, requiredClaims: ['iat', 'exp', 'jti', 'events'] }), require its event, refuse a nonce, and answer 400 where any of that fails.`;
