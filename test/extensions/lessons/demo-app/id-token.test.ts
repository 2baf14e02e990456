import { createHmac, generateKeyPairSync } from 'node:crypto';
import { type JWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { type Protection, protectionNames } from '../../../../src/extensions/lessons/demo-app/checks.ts';
import { readIdToken } from '../../../../src/extensions/lessons/demo-app/id-token.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keys = { keys: [publicKey.export({ format: 'jwk' }) as JWK] };
const now = 1_800_000_000;
const claims = { iss: 'https://idp.example', sub: 'mallory', iat: now, exp: now + 60 };
const all: ReadonlySet<Protection> = new Set(protectionNames);
const careless = new Set(protectionNames.filter(name => name !== 'alg'));

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = `${part({ alg: 'none' })}.${part(claims)}.`;
const signed = (exp = claims.exp) =>
  new SignJWT({ ...claims, exp }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);

function signedWithPublicKey(secret = publicKey.export({ type: 'spki', format: 'pem' })): string {
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

describe('the demo application reads an ID token', () => {
  it('that a key of the provider signed', async () => {
    expect(await readIdToken(await signed(), keys, now, all)).toMatchObject({ sub: 'mallory' });
  });

  it.each([
    ['without a signature', unsigned, 'none'],
    ['signed with the public key as a secret', signedWithPublicKey(), 'HS256'],
  ])('%s only where it does not compare the algorithm', async (_, token, alg) => {
    await expect(readIdToken(token, keys, now, all)).rejects.toMatchObject({
      why: 'alg',
      sent: alg,
      expected: 'RS256',
    });
    expect(await readIdToken(token, keys, now, careless)).toMatchObject({ sub: 'mallory' });
  });

  it('and refuses every other signature, whatever is switched off', async () => {
    const token = await signed();
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.${Buffer.alloc(256, 7).toString('base64url')}`;
    await expect(readIdToken(forged, keys, now, careless)).rejects.toMatchObject({ why: 'signature' });
    const secret = signedWithPublicKey('a different secret');
    await expect(readIdToken(secret, keys, now, careless)).rejects.toMatchObject({ why: 'signature' });
    await expect(readIdToken('no JWT', keys, now, careless)).rejects.toMatchObject({ why: 'signature' });
  });

  it('and refuses one that has expired', async () => {
    await expect(readIdToken(await signed(now - 1), keys, now, all)).rejects.toMatchObject({ why: 'exp' });
  });

  it.each(['sub', 'exp', 'iat'] as const)('and refuses one without %s', async why => {
    const lacking = new SignJWT({ ...claims, [why]: undefined }).setProtectedHeader({ alg: 'RS256' });
    const idToken = await lacking.sign(privateKey);
    await expect(readIdToken(idToken, keys, now, all)).rejects.toMatchObject({ why, sent: 'nothing' });
  });
});
