import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { type DecodedJwt, decodeJwt } from '../../../../base/text/jwt.ts';

/** Header and claims of a JWT. */
export type TokenContent = Pick<DecodedJwt, 'header' | 'claims'>;

export function contentOf(token: string): TokenContent {
  return decodeJwt(token) ?? { header: {}, claims: {} };
}

/** A token without a signature (RFC 7519 §6). */
export function unsigned({ header, claims }: TokenContent): string {
  return `${signingInput({ header: { ...header, alg: 'none' }, claims })}.`;
}

/** A token whose HMAC has the public key as its secret. */
export function signedByPublicKey({ header, claims }: TokenContent, key: JsonWebKey): string {
  const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const input = signingInput({ header: { ...header, alg: 'HS256' }, claims });
  return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`;
}

/** A key pair of the attacker, and its JWK Set. */
export function createForger(): { readonly privateKey: KeyObject; readonly jwks: object } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'mallory', alg: 'ES256' }] } };
}

/** A token that names the JWK Set at `jku` as the keys of its issuer. */
export function signedByForger({ header, claims }: TokenContent, privateKey: KeyObject, jku: string): string {
  const input = signingInput({ header: { ...header, alg: 'ES256', kid: 'mallory', jku }, claims });
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

function signingInput({ header, claims }: TokenContent): string {
  return [header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}
