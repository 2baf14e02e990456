import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { App } from './app.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = publicKey.export({ format: 'jwk' });

/** RFC 9449 §4.2. */
export const prove: NonNullable<App['prove']> = async (htm, url, token) => {
  const ath = token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') };
  const proof = new SignJWT({ htm, htu: url, jti: randomUUID(), ...ath }).setIssuedAt();
  return { DPoP: await proof.setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk }).sign(privateKey) };
};
