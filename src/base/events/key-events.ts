/** A signing key was created. */
export interface KeyCreated {
  readonly type: 'key.created';
  readonly kid: string;
  readonly alg: string;
}

/** A new key of an algorithm replaced the signing one. */
export interface KeyRotated {
  readonly type: 'key.rotated';
  readonly alg: string;
  /** `kid` of the key that signs from now on. */
  readonly kid: string;
  /** `kid` of the previous key. */
  readonly replaced: string;
  /** Unix seconds: until then the key before it is in the JWK Set. */
  readonly publishedUntil: number;
}

export type KeyEvent = KeyCreated | KeyRotated;
