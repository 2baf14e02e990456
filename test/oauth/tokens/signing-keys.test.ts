import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { signingAlgs } from '../../../src/oauth/tokens/algorithms.ts';
import { createSigningKeys, generateSigningKey, type PrivateJwk } from '../../../src/oauth/tokens/signing-keys.ts';

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

describe('the JWK Set (RFC 7517 §5)', () => {
  it('has a well-formed public key for each algorithm, each with kid, alg and use', async () => {
    const algs = signingAlgs.filter(alg => !/^[RP]S/.test(alg));
    const { keys } = await createSigningKeys({ algs }).jwks();
    expect(keys.map(({ alg }) => alg)).toEqual(algs);
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(algs.length);
    for (const key of keys) {
      expect(key).toMatchObject({
        use: 'sig',
        kid: expect.stringMatching(/^grantbox-/),
        kty: expect.stringMatching(/^(EC|OKP)$/),
      });
      expect(privateMembers.filter(member => member in key)).toEqual([]);
    }
  });

  it('has no private member of an RSA key', async () => {
    const { publicJwk } = await generateSigningKey('RS256');
    expect(Object.keys(publicJwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(Buffer.from(String(publicJwk.n), 'base64url').length).toBe(256);
  });
});

describe('signing keys', () => {
  it('differ from one server to the next', async () => {
    const [one, other] = [createSigningKeys({ algs: ['ES256'] }), createSigningKeys({ algs: ['ES256'] })];
    expect((await one.forAlg('ES256')).publicJwk.x).not.toBe((await other.forAlg('ES256')).publicJwk.x);
  });

  it('are found by kid', async () => {
    const keys = createSigningKeys({ algs: ['ES256', 'EdDSA'] });
    const key = await keys.forAlg('EdDSA');
    expect(await keys.find(key.kid)).toBe(key);
    for (const kid of [undefined, '', 'unknown', '__proto__']) expect(await keys.find(kid)).toBeUndefined();
  });

  it('may come from a file, with their own kid', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), alg: 'ES256', kid: 'from-a-file' } as PrivateJwk;
    const keys = createSigningKeys({ algs: ['ES256', 'EdDSA'], jwks: [jwk] });
    expect(keys.algs).toEqual(['ES256', 'EdDSA']);
    expect(await keys.forAlg('ES256')).toMatchObject({ kid: 'from-a-file' });
    expect((await keys.jwks()).keys[0]).not.toHaveProperty('d');
  });

  it('are refused for an algorithm without one', async () => {
    await expect(createSigningKeys({ algs: ['ES256'] }).forAlg('RS256')).rejects.toThrow('no key for RS256');
  });

  it.each(['none', 'HS256', 'constructor', 'RS1'])('are never made for %s', async alg => {
    await expect(generateSigningKey(alg)).rejects.toThrow();
  });
});
