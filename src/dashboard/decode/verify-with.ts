import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import { isRecord } from '../../base/text/record.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { checkCompact } from '../../protocol/unverified-jwt.ts';
import { check, type TokenCheck } from '../claims/checks.ts';

/** The answer to a pasted secret or key: what it says of the signature, or a sentence about what is wrong with the paste. */
export type Verified = { readonly check: TokenCheck } | { readonly problem: string };

interface Candidate {
  readonly key: KeyObject;
  /** Completes "fits": `the public key`, `the key a1 of the set`. */
  readonly words: string;
}

/** Throws a sentence about the pasted text. */
class PasteError extends Error {}

/** Checks the signature of a token with a secret, a public key or a JWK Set that somebody pasted. Nothing is fetched. */
export async function verifyWith(token: string, header: ParsedObject, pasted: string): Promise<Verified> {
  const { alg } = header;
  try {
    if (typeof alg !== 'string' || alg.toLowerCase() === 'none')
      throw new PasteError('The token is not signed: no key fits it.');
    const candidates = candidatesIn(pasted.trim(), alg, header.kid);
    checkCompact(token);
    for (const { key, words } of candidates) {
      if (await fits(token, key, alg))
        return { check: check('signature', 'pass', `signature ${alg}, fits ${words}`, reference) };
    }
    const all = candidates.length === 1 ? candidates[0]?.words : 'any key of the set';
    const why = 'the token was changed, or a different key signed it';
    return { check: check('signature', 'fail', `signature ${alg}, does not fit ${all}: ${why}`, reference) };
  } catch (error) {
    if (error instanceof PasteError) return { problem: error.message };
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `This cannot verify ${String(alg)}: ${why}.` };
  }
}

const reference = 'RFC 7515 §5.2';

async function fits(token: string, key: KeyObject, alg: string): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [alg] });
    return true;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return false;
    throw error;
  }
}

function candidatesIn(text: string, alg: string, kid: unknown): readonly Candidate[] {
  if (/^https?:\/\/\S+$/.test(text)) {
    throw new PasteError('This is an address, and nothing is fetched. Open it, and paste the text of the JWK Set.');
  }
  if (text.includes('-----BEGIN')) return [ofPem(text, alg)];
  if (/^[{[]/.test(text)) return ofJson(text, alg, kid);
  if (!isSecretAlg(alg)) {
    throw new PasteError(
      `${alg} is verified with a public key: paste it as PEM, as JWK or as JWK Set, and not a secret.`,
    );
  }
  return secretsIn(text);
}

function isSecretAlg(alg: string): boolean {
  return /^HS\d/.test(alg);
}

/** A secret is text, or bytes in base64 or base64url: the paste does not say which. */
function secretsIn(text: string): readonly Candidate[] {
  const plain = { key: createSecretKey(text, 'utf8'), words: 'the secret' };
  if (!/^[\w+/-]+={0,2}$/.test(text)) return [plain];
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 0 ? [plain] : [plain, { key: createSecretKey(bytes), words: 'the secret, read as base64' }];
}

const notPublic = 'This is a private key. Paste the public key: it is all that a verifier needs.';

function ofPem(text: string, alg: string): Candidate {
  if (/BEGIN (?:[A-Z]+ )?(?:ENCRYPTED )?PRIVATE KEY/.test(text)) throw new PasteError(notPublic);
  if (isSecretAlg(alg))
    throw new PasteError(`${alg} is verified with the secret that both sides share, and not with a public key.`);
  try {
    return { key: createPublicKey(text), words: text.includes('CERTIFICATE') ? 'the certificate' : 'the public key' };
  } catch {
    throw new PasteError(
      'The PEM cannot be read. It must be whole: from -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----.',
    );
  }
}

/** The most keys of a set without `kid` that are tried. */
const mostKeys = 20;

function ofJson(text: string, alg: string, kid: unknown): readonly Candidate[] {
  const value = jsonIn(text);
  const isSet = isRecord(value) && Array.isArray(value.keys);
  const keys = (isSet ? (value.keys as unknown[]) : [value].flat()).filter(isRecord);
  if (keys.length === 0 || keys.some(({ kty }) => typeof kty !== 'string')) {
    throw new PasteError('This JSON is neither a JWK, which has kty, nor a JWK Set, which has keys.');
  }
  if (keys.length === 1 && keys[0] !== undefined) return [ofJwk(keys[0], alg, isSet)];
  const named = typeof kid === 'string' ? keys.filter(key => key.kid === kid) : keys.filter(key => isOfAlg(key, alg));
  if (named.length === 0) throw new PasteError(noneNamed(keys, alg, kid));
  return named.slice(0, mostKeys).map(key => ofJwk(key, alg, true));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PasteError('The JSON cannot be read. Paste the whole JWK or JWK Set.');
  }
}

function noneNamed(keys: readonly ParsedObject[], alg: string, kid: unknown): string {
  if (typeof kid !== 'string') return `The set has no key for ${alg}.`;
  const names = keys.map(key => String(key.kid)).slice(0, mostKeys);
  return `The set has no key with the kid ${kid}. It has ${names.join(', ')}.`;
}

const typesOf: readonly (readonly [alg: RegExp, kty: string])[] = [
  [/^HS/, 'oct'],
  [/^[RP]S/, 'RSA'],
  [/^ES/, 'EC'],
  [/^Ed/, 'OKP'],
];

function isOfAlg(key: ParsedObject, alg: string): boolean {
  const kty = typesOf.find(([pattern]) => pattern.test(alg))?.[1];
  return key.kty === kty && (key.alg === undefined || key.alg === alg);
}

function ofJwk(jwk: ParsedObject, alg: string, isInSet: boolean): Candidate {
  if ('d' in jwk) throw new PasteError(notPublic);
  if (!isOfAlg(jwk, alg)) {
    throw new PasteError(
      `The token is signed with ${alg}, and the key is for ${String(jwk.alg ?? `the type ${String(jwk.kty)}`)}.`,
    );
  }
  const name = typeof jwk.kid === 'string' ? `the key ${jwk.kid}` : 'the key';
  const words = isInSet ? `${name} of the set` : name;
  if (jwk.kty === 'oct') return { key: createSecretKey(Buffer.from(String(jwk.k), 'base64url')), words };
  try {
    return { key: createPublicKey({ key: { ...jwk }, format: 'jwk' }), words };
  } catch {
    throw new PasteError(
      `The JWK cannot be read: a member that a key of the type ${String(jwk.kty)} needs is missing or wrong.`,
    );
  }
}
