import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seededKey } from '../../../src/protocol/tokens/seeded-keys.ts';
import { signingAlgs } from '../../../src/protocol/tokens/signing-key.ts';

/** One of each kind of key. */
const kinds = ['RS256', 'ES256', 'ES384', 'ES512', 'Ed25519'] as const;

async function made(seed: string, alg: string, generation = 0) {
  const { kid, privateKey } = await seededKey(seed, alg, generation);
  return { kid, jwk: privateKey.export({ format: 'jwk' }) };
}

describe('a key from a seed', () => {
  it.each(kinds)('is the same each time, as its kid, for %s', async alg => {
    const [one, again] = [await made('a seed', alg), await made('a seed', alg)];
    expect(again).toEqual(one);
    expect(one.kid).toMatch(/^grantbox-[\w-]{8}$/);
  });

  it.each(kinds)('signs, for %s', async alg => {
    const { privateKey } = await seededKey('a seed', alg, 0);
    const digest = alg === 'Ed25519' ? null : 'sha256';
    const data = Buffer.from('data');
    expect(verify(digest, data, createPublicKey(privateKey), sign(digest, data, privateKey))).toBe(true);
  });

  it('differs for a different seed, algorithm or generation', async () => {
    const keys = [
      await made('a seed', 'ES256'),
      await made('another seed', 'ES256'),
      await made('a seed', 'ES256', 1),
      await made('a seed', 'ES384'),
      await made('a seed', 'EdDSA'),
      await made('a seed', 'Ed25519'),
    ];
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
    expect(new Set(keys.map(({ jwk }) => jwk.d)).size).toBe(keys.length);
  });

  it('has 2048 bits and all members for RSA, as RFC 8017 §3.2 relates them', async () => {
    const { jwk } = await made('a seed', 'RS256');
    const big = (name: 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi') =>
      BigInt(`0x${Buffer.from(String(jwk[name]), 'base64url').toString('hex')}`);
    const [p, q, e, d] = [big('p'), big('q'), big('e'), big('d')];
    expect(big('n')).toBe(p * q);
    expect(big('n').toString(2).length).toBe(2048);
    expect((e * d) % ((p - 1n) * (q - 1n))).toBe(1n);
    expect([big('dp'), big('dq'), (big('qi') * q) % p]).toEqual([d % (p - 1n), d % (q - 1n), 1n]);
  });

  it.each([
    ['ES256', { kid: 'grantbox-yZnitWBa', jwk: { x: 'DjJAKuBioNcRTuWcXbNXqcz3MtxTPTiI45SAJdB8aOA' } }],
    ['Ed25519', { kid: 'grantbox-PoZnp_ac', jwk: { x: 'lVrPOD71448Zfvqd8HYWXj4Ma-RxRb2Dg9IbyhshwpI' } }],
    [
      'RS256',
      {
        kid: 'grantbox-4Ncjg_5r',
        jwk: { n: expect.stringMatching(/^5nQ1kA9YvdZI5HBa.*r7lyOZbEow2w0atgfEm9liBGTNL6TDkrr3F65w$/) },
      },
    ],
  ])('does not change from one release to the next, for %s', async (alg, key) => {
    expect(await made('grantbox', alg)).toMatchObject(key);
  });

  it.each(['none', 'HS256', 'constructor'])('is never made for %s', async alg => {
    expect(signingAlgs).not.toContain(alg);
    await expect(seededKey('a seed', alg, 0)).rejects.toThrow('is not a signing algorithm');
  });
});
