/** What can be wrong with a minted token on purpose, each in a sentence: it breaks one check that must be made, and no other. */
export const defects = {
  expired: 'It expired an hour ago (RFC 7519 §4.1.4).',
  not_yet_valid: 'Its nbf is an hour from now (RFC 7519 §4.1.5).',
  wrong_issuer: 'Its iss is another issuer (RFC 9068 §4, OIDC Core §3.1.3.7).',
  wrong_audience:
    'Its aud is an API, or a client, that is not the one it is sent to (RFC 9068 §4, OIDC Core §3.1.3.7).',
  wrong_type: 'Its typ is that of the other token: JWT for an access token, at+jwt for an ID Token (RFC 8725 §3.11).',
  missing_claim: 'A claim that must be there is not: exp, or the one that is named in missing (RFC 9068 §2.2).',
  wrong_nonce: 'Its nonce is none that the client has sent (OIDC Core §3.1.3.7). For ID Tokens.',
  tampered: 'Its payload was changed after it was signed (RFC 7515 §5.2).',
  bad_signature: 'One bit of its signature is another (RFC 7515 §5.2).',
  wrong_key: 'A key that was never published has signed it, and its kid names one that is (RFC 7515 §4.1.4).',
  unknown_kid: 'Its kid names no key of the JWK Set (RFC 7517 §4.5).',
  alg_none: 'It is not signed at all, and its alg says none (RFC 8725 §3.1).',
  hs256_with_public_key:
    'It is signed by HS256 with the public key as the secret, which everybody has (RFC 8725 §2.1).',
  unknown_crit: 'Its header calls critical what nobody knows (RFC 7515 §4.1.11).',
} as const satisfies Readonly<Record<string, string>>;

export type Defect = keyof typeof defects;

export const defectNames = Object.keys(defects) as readonly Defect[];

/** Those of the header or the signature, which only a JWT has. */
export const jwtDefects: readonly Defect[] = [
  ...(['wrong_type', 'tampered', 'bad_signature', 'wrong_key', 'unknown_kid', 'alg_none'] as const),
  ...(['hs256_with_public_key', 'unknown_crit'] as const),
];
