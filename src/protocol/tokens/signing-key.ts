import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  type SigningOptions,
  sign,
  verify,
} from 'node:crypto';
import type { Emit } from '../../base/events/event.ts';
import { generatePrivateKey, type KeyKind } from '../key-pair.ts';
import { mostClaims, refuseLongClaims } from '../protocol-claims.ts';
import { randomId } from '../random.ts';

/** A key pair this server signs with. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** As published (RFC 7517 §4): `kid`, `alg` and `use`, no private member. */
  readonly publicJwk: PublicJwk;
}

export interface PublicJwk extends JsonWebKey {
  readonly kid: string;
  readonly alg: string;
  readonly use: 'sig';
}

/** A private JWK from a keys file. */
export type PrivateJwk = JsonWebKey & { readonly alg?: string; readonly kid?: string };

interface Algorithm extends KeyKind {
  /** Null if the type of key determines the digest. */
  readonly digest: string | null;
  readonly options?: SigningOptions;
}

/** ECDSA signatures are R and S one after the other, not DER (RFC 7518 §3.4). */
const p1363: SigningOptions = { dsaEncoding: 'ieee-p1363' };
const pss = (bits: number): SigningOptions => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: bits / 8 });

/** The algorithms a sandbox may sign with (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2): asymmetric ones only. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  RS256: { keyType: 'rsa', digest: 'sha256' },
  RS384: { keyType: 'rsa', digest: 'sha384' },
  RS512: { keyType: 'rsa', digest: 'sha512' },
  PS256: { keyType: 'rsa', digest: 'sha256', options: pss(256) },
  PS384: { keyType: 'rsa', digest: 'sha384', options: pss(384) },
  PS512: { keyType: 'rsa', digest: 'sha512', options: pss(512) },
  ES256: { keyType: 'ec', namedCurve: 'P-256', digest: 'sha256', options: p1363 },
  ES384: { keyType: 'ec', namedCurve: 'P-384', digest: 'sha384', options: p1363 },
  ES512: { keyType: 'ec', namedCurve: 'P-521', digest: 'sha512', options: p1363 },
  EdDSA: { keyType: 'ed25519', digest: null },
  Ed25519: { keyType: 'ed25519', digest: null },
};

export const signingAlgs: readonly string[] = Object.keys(algorithms);

/** @throws for an unknown algorithm, which the configuration should have refused */
export function algorithmOf(alg: string): Algorithm {
  const algorithm = Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined;
  if (algorithm === undefined) throw new Error(`${alg} is not a signing algorithm`);
  return algorithm;
}

/** Makes a key. Its `kid` names Grantbox, so that nobody takes it for the key of a real server. */
export async function generateSigningKey(alg: string): Promise<SigningKey> {
  return signingKey(alg, await generatePrivateKey(algorithmOf(alg)), `grantbox-${randomId().slice(0, 8)}`);
}

/** A key from a keys file. */
export function importSigningKey(jwk: PrivateJwk): SigningKey {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return signingKey(jwk.alg ?? 'RS256', key, jwk.kid ?? `grantbox-${randomId().slice(0, 8)}`);
}

/** Whether a JWK is a private key for its algorithm, and its public part verifies what it signs. Importing a key checks neither. */
export function canSign(jwk: Readonly<Record<string, unknown>>): boolean {
  try {
    const { alg, privateKey, publicJwk } = importSigningKey(jwk as PrivateJwk); // it throws for everything else
    const { keyType, namedCurve, digest, options } = algorithmOf(alg);
    const isOfAlg = privateKey.asymmetricKeyType === keyType && (namedCurve ?? publicJwk.crv) === publicJwk.crv;
    const text = Buffer.from(alg);
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const signature = sign(digest, text, { key: privateKey, ...options });
    return isOfAlg && verify(digest, text, { key: publicKey, ...options }, signature);
  } catch {
    return false;
  }
}

/** Adds the public parts to a private key: `publicKey`, and `publicJwk` as the JWK Set publishes it. */
export function signingKey(alg: string, privateKey: KeyObject, kid: string): SigningKey {
  const publicKey = createPublicKey(privateKey);
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } as const;
  return { kid, alg, privateKey, publicKey, publicJwk };
}

/**
 * A signed JWT in compact form (RFC 7515 §3.1, RFC 7519 §7.1). `crypto.sign` makes the signature on the thread pool:
 * WebCrypto, which jose uses, costs 10 µs more for each token, and time at every start.
 */
export async function signJwt(key: SigningKey, typ: string, claims: object): Promise<string> {
  const input = `${headerOf(key, typ)}.${base64url(claims)}`;
  return `${input}.${(await signatureOf(key, input)).toString('base64url')}`;
}

/** True for an algorithm whose key is the secret of a client. */
export function isHmac(alg: string): boolean {
  return alg.startsWith('HS');
}

/** Signature over the text before the last dot (RFC 7515 §5.1). */
export function signatureOf(key: SigningKey, input: string): Promise<Buffer> {
  if (isHmac(key.alg))
    return Promise.resolve(
      createHmac(`sha${key.alg.slice(2)}`, key.privateKey)
        .update(input, 'latin1')
        .digest(),
    );
  const { digest, options } = algorithmOf(key.alg);
  const signer = options === undefined ? key.privateKey : { key: key.privateKey, ...options };
  return new Promise((resolve, reject) => {
    sign(digest, Buffer.from(input, 'latin1'), signer as KeyObject, (error, signature) => {
      if (error === null) resolve(signature);
      else reject(error);
    });
  });
}

/** Read once: it is compared for each token. */
const longestText = mostClaims;

function base64url(value: object): string {
  const text = JSON.stringify(value);
  if (text.length > longestText) refuseLongClaims('the claims of this token have');
  return Buffer.from(text).toString('base64url');
}

const headers = new WeakMap<SigningKey, Map<string, string>>();

function headerOf(key: SigningKey, typ: string): string {
  const byType = headers.get(key) ?? new Map<string, string>();
  headers.set(key, byType);
  const header = byType.get(typ) ?? base64url({ alg: key.alg, kid: key.kid || undefined, typ: typ || undefined });
  byType.set(typ, header);
  return header;
}

/** The kinds of JWT that this server signs for clients. `logout`: of back-channel logout. `response`: an authorization response (JARM §2.1). */
export type TokenOfServer = 'access' | 'id' | 'logout' | 'response';

/** A JWT before it is signed, and its recipient. */
export interface JwtDraft {
  readonly kind: TokenOfServer;
  readonly key: SigningKey;
  readonly typ: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly client_id: string;
  /** The user as stored in the directory; absent if a client acts for itself. */
  readonly sub?: string;
  readonly emit: Emit;
}

/** The tampered JWT that is sent in place of the real one, with its contents. */
export interface BentJwt {
  readonly token: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Name of its defect, such as `expired`. */
  readonly defect: string;
}

/** The one place where a JWT may be damaged on purpose before it is signed. A server without it never lies. */
export interface Tampering {
  /** The JWT to send instead; undefined if this one is to be sent as it is. */
  jwt(draft: JwtDraft): Promise<BentJwt | undefined> | undefined;
}
