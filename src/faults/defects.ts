import { createHmac } from 'node:crypto';
import type { ParsedObject } from '../oauth/json-parameter.ts';
import { generateSigningKey, type SigningKey, signatureOf } from '../oauth/tokens/signing-key.ts';
import type { Defect } from './fault-names.ts';

/** When a token begins and ends, in Unix seconds. */
export interface Times {
  readonly iat: number;
  readonly exp: number;
  /** Where it is said although it is not usual. */
  readonly nbf?: number;
}

/** A deliberate defect of a token: it breaks exactly one check that verifiers must make. */
export interface DefectKind {
  /** A few words, for a button. */
  readonly title: string;
  /** One sentence, with the section that has it refused. */
  readonly about: string;
  /** Where only one kind of token can have it. */
  readonly tokens?: readonly ['id'];
  readonly times?: (times: Times, now: number) => Times;
  /** `missing` is the claim to leave out. */
  readonly claims?: (claims: ParsedObject, missing: string) => ParsedObject;
  /** Members in place of the usual ones; `null` leaves one out. */
  readonly header?: (typ: string) => ParsedObject;
  readonly signature?: (key: SigningKey, input: string) => Promise<Buffer>;
  /** Claims in the token that differ from the signed ones. */
  readonly shown?: (claims: ParsedObject) => ParsedObject;
}

const hour = 3600;

/** All of them: for the tokens that somebody mints, and for those that a fault bends. */
export const defects: Readonly<Record<Defect, DefectKind>> = {
  expired: {
    title: 'Expired',
    about: 'The token expired an hour ago (RFC 7519 §4.1.4).',
    times: (times, now) => (times.exp < now ? times : moved(times, now - hour - times.exp)),
  },
  not_yet_valid: {
    title: 'Not yet valid',
    about: 'The token begins in an hour, and its nbf says so (RFC 7519 §4.1.5).',
    times(times, now) {
      const later = moved(times, now + hour - times.iat);
      return { ...later, nbf: later.iat };
    },
  },
  wrong_issuer: {
    title: 'Another issuer',
    about: 'The token says that another issuer made it (RFC 9068 §4, OIDC Core §3.1.3.7).',
    claims: claims => ({ ...claims, iss: 'https://another-issuer.example' }),
  },
  wrong_audience: {
    title: 'Another audience',
    about: 'The token is for an API, or a client, that is not the one it is sent to (RFC 9068 §4, OIDC Core §3.1.3.7).',
    claims: claims => ({ ...claims, aud: 'https://another-api.example' }),
  },
  wrong_type: {
    title: 'Another type',
    about: 'The typ is that of the other token: JWT for an access token, at+jwt for an ID Token (RFC 8725 §3.11).',
    header: typ => ({ typ: typ === 'JWT' ? 'at+jwt' : 'JWT' }),
  },
  missing_claim: {
    title: 'A claim is missing',
    about: 'A claim that must be there is not: exp, or the one that is named (RFC 9068 §2.2).',
    claims: (claims, missing) => Object.fromEntries(Object.entries(claims).filter(([name]) => name !== missing)),
  },
  wrong_nonce: {
    title: 'Another nonce',
    about: 'The ID Token has a nonce that the client did not send (OIDC Core §3.1.3.7).',
    tokens: ['id'],
    claims: claims => ({ ...claims, nonce: 'never-sent-by-the-client' }),
  },
  wrong_subject: {
    title: 'Another subject',
    about: 'The token is of somebody whom nobody knows (OIDC Core §5.3.2).',
    claims: claims => ({ ...claims, sub: 'somebody-else' }),
  },
  tampered: {
    title: 'Changed after it was signed',
    about: 'The payload was changed after it was signed (RFC 7515 §5.2).',
    shown: claims => ({ ...claims, tampered: true }),
  },
  bad_signature: {
    title: 'Bad signature',
    about: 'One bit of the signature is another (RFC 7515 §5.2).',
    async signature(key, input) {
      const signature = await signatureOf(key, input);
      signature[0] = (signature[0] ?? 0) ^ 1;
      return signature;
    },
  },
  wrong_key: {
    title: 'Signed by another key',
    about: 'A key that was never published has signed it, and its kid names one that is (RFC 7515 §4.1.4).',
    signature: async (key, input) => signatureOf(await strangerOf(key), input),
  },
  unknown_kid: {
    title: 'An unknown kid',
    about: 'The kid names no key of the JWK Set, as after a rotation that was too quick (RFC 7517 §4.5).',
    header: () => ({ kid: 'grantbox-never-published' }),
  },
  alg_none: {
    title: 'alg none',
    about: 'The token is not signed at all, and its alg says none (RFC 8725 §3.1).',
    header: () => ({ alg: 'none', kid: null }),
    signature: async () => Buffer.alloc(0),
  },
  hs256_with_public_key: {
    title: 'HS256 with the public key',
    about: 'The token is signed by HS256 with the public key as the secret, which everybody has (RFC 8725 §2.1).',
    header: () => ({ alg: 'HS256' }),
    signature: async ({ publicKey }, input) =>
      createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
        .update(input)
        .digest(),
  },
  unknown_crit: {
    title: 'Critical, and unknown',
    about: 'The header calls critical what nobody knows (RFC 7515 §4.1.11).',
    header: () => ({ crit: ['urn:grantbox:unknown'], 'urn:grantbox:unknown': true }),
  },
  huge_token: {
    title: 'A huge token',
    about: 'The token is larger than the 16 kB that Node, and many a proxy, takes in all headers together.',
    claims: claims => ({ ...claims, groups: Array.from({ length: 1000 }, (_, at) => `group-number-${at}`) }),
  },
};

/** The claims of a token that begins and ends at other times; `nbf` goes with `iat`, where there is one. */
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

// as with the header of a key: made once for each, and forgotten with it
const strangers = new WeakMap<SigningKey, Promise<SigningKey>>();

/** A key of the same kind that is published nowhere. */
function strangerOf(key: SigningKey): Promise<SigningKey> {
  const stranger = strangers.get(key) ?? generateSigningKey(key.alg);
  strangers.set(key, stranger);
  return stranger;
}
