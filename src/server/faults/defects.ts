import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { generateSigningKey, isHmac, type SigningKey, signatureOf } from '../../protocol/tokens/signing-key.ts';
import type { Defect } from './fault-names.ts';

/** The times of a token in Unix seconds. */
export interface Times {
  readonly iat: number;
  readonly exp: number;
  /** Set if the token gets an `nbf` that it would not have by default. */
  readonly nbf?: number;
}

/** A deliberate defect of a token: it breaks exactly one check that verifiers must make. */
export interface DefectKind {
  /** A few words for a button. */
  readonly title: string;
  /** One sentence with the section that requires verifiers to refuse the token. */
  readonly about: string;
  /** Set if only ID tokens can have the defect. */
  readonly tokens?: readonly ['id'];
  readonly times?: (times: Times, now: number) => Times;
  /** `missing` is the claim to leave out. */
  readonly claims?: (claims: ParsedObject, missing: string) => ParsedObject;
  /** Header members that replace the default ones; `null` removes one. */
  readonly header?: (typ: string) => ParsedObject;
  readonly signature?: (key: SigningKey, input: string) => Promise<Buffer>;
  /** Claims in the token that differ from the signed ones. */
  readonly shown?: (claims: ParsedObject) => ParsedObject;
}

const hour = 3600;

/** All defects, for minted tokens and for token faults. */
export const defects: Readonly<Record<Defect, DefectKind>> = {
  expired: {
    title: 'Expired',
    about: 'The token expired an hour ago (RFC 7519 §4.1.4).',
    times: (times, now) => (times.exp < now ? times : moved(times, now - hour - times.exp)),
  },
  not_yet_valid: {
    title: 'Not yet valid',
    about: 'The token becomes valid in an hour, by its nbf (RFC 7519 §4.1.5).',
    times(times, now) {
      const later = moved(times, now + hour - times.iat);
      return { ...later, nbf: later.iat };
    },
  },
  wrong_issuer: {
    title: 'Wrong issuer',
    about: 'The token names a different issuer (RFC 9068 §4, OIDC Core §3.1.3.7).',
    claims: claims => ({ ...claims, iss: 'https://another-issuer.example' }),
  },
  wrong_audience: {
    title: 'Wrong audience',
    about: 'The token is for a different API or client (RFC 9068 §4, OIDC Core §3.1.3.7).',
    claims: claims => ({ ...claims, aud: 'https://another-api.example' }),
  },
  wrong_type: {
    title: 'Wrong type',
    about: 'An access token has the typ JWT, an ID token the typ at+jwt (RFC 8725 §3.11).',
    header: typ => ({ typ: typ === 'JWT' ? 'at+jwt' : 'JWT' }),
  },
  missing_claim: {
    title: 'Missing claim',
    about: 'A required claim is missing: exp, or the named one (RFC 9068 §2.2).',
    claims: (claims, missing) => Object.fromEntries(Object.entries(claims).filter(([name]) => name !== missing)),
  },
  wrong_nonce: {
    title: 'Wrong nonce',
    about: 'The ID token has a nonce that the client did not send (OIDC Core §3.1.3.7).',
    tokens: ['id'],
    claims: claims => ({ ...claims, nonce: 'never-sent-by-the-client' }),
  },
  wrong_subject: {
    title: 'Wrong subject',
    about: 'The sub of the token is an unknown user (OIDC Core §5.3.2).',
    claims: claims => ({ ...claims, sub: 'somebody-else' }),
  },
  tampered: {
    title: 'Changed after signing',
    about: 'The payload was changed after it was signed (RFC 7515 §5.2).',
    shown: claims => ({ ...claims, tampered: true }),
  },
  bad_signature: {
    title: 'Bad signature',
    about: 'One bit of the signature is flipped (RFC 7515 §5.2).',
    async signature(key, input) {
      const signature = await signatureOf(key, input);
      signature[0] = (signature[0] ?? 0) ^ 1;
      return signature;
    },
  },
  wrong_key: {
    title: 'Wrong key',
    about: 'The token is signed with an unpublished key, but its kid names a published one (RFC 7515 §4.1.4).',
    signature: async (key, input) => signatureOf(await strangerOf(key), input),
  },
  unknown_kid: {
    title: 'Unknown kid',
    about: 'The kid names a key that is not in the JWK Set, as after a rotation without overlap (RFC 7517 §4.5).',
    header: () => ({ kid: 'grantbox-never-published' }),
  },
  alg_none: {
    title: 'alg none',
    about: 'The token has no signature, and its alg is none (RFC 8725 §3.1).',
    header: () => ({ alg: 'none', kid: null }),
    signature: async () => Buffer.alloc(0),
  },
  hs256_with_public_key: {
    title: 'HS256 with the public key',
    about: 'The token is signed with HS256 and the public key as the secret, which anybody can do (RFC 8725 §2.1).',
    header: () => ({ alg: 'HS256' }),
    signature: async ({ publicKey }, input) =>
      createHmac('sha256', publicKey.type === 'secret' ? '' : publicKey.export({ type: 'spki', format: 'pem' }))
        .update(input)
        .digest(),
  },
  unknown_crit: {
    title: 'Unknown critical header',
    about: 'The header marks an unknown parameter as critical (RFC 7515 §4.1.11).',
    header: () => ({ crit: ['urn:grantbox:unknown'], 'urn:grantbox:unknown': true }),
  },
  huge_token: {
    title: 'Huge token',
    about: 'The token is larger than 16 kB, the limit of Node and many proxies for all headers together.',
    claims: claims => ({ ...claims, groups: Array.from({ length: 1000 }, (_, at) => `group-number-${at}`) }),
  },
};

/** Replaces the times in claims. If the claims have `nbf`, it becomes equal to `iat`, unless `times` sets it. */
export function withTimes(claims: ParsedObject, times: Times): ParsedObject {
  return { ...claims, ...('nbf' in claims ? { nbf: times.iat } : {}), ...times };
}

/** True if only a JWT can have the defect, because it is in the header or the signature. */
export function isOfJwt(defect: Defect): boolean {
  const { header, signature, shown } = defects[defect];
  return header !== undefined || signature !== undefined || shown !== undefined;
}

function moved({ iat, exp }: Times, by: number): Times {
  return { iat: iat + by, exp: exp + by };
}

// made once for each key, and collected with it
const strangers = new WeakMap<SigningKey, Promise<SigningKey>>();

/** Returns an unpublished key of the same algorithm. */
function strangerOf(key: SigningKey): Promise<SigningKey> {
  if (isHmac(key.alg)) return Promise.resolve({ ...key, privateKey: createSecretKey(randomBytes(64)) });
  const stranger = strangers.get(key) ?? generateSigningKey(key.alg);
  strangers.set(key, stranger);
  return stranger;
}
