import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import type { EventFact } from '../../../src/base/events/event.ts';
import { generateSigningKey, type PrivateJwk, signingAlgs } from '../../../src/protocol/tokens/signing-key.ts';
import { createSigningKeys, type SigningKeys } from '../../../src/protocol/tokens/signing-keys.ts';

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** A key as a file has it. */
async function privateJwk(kid: string): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: 'ES256', kid } as PrivateJwk;
}

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
    const keys = createSigningKeys({ algs: ['ES256', 'EdDSA'], jwks: [await privateJwk('from-a-file')] });
    expect(keys.algs).toEqual(['ES256', 'EdDSA']);
    expect(await keys.forAlg('ES256')).toMatchObject({ kid: 'from-a-file' });
    expect((await keys.jwks()).keys[0]).not.toHaveProperty('d');
  });

  it('are made when they are first asked for, one for all who ask', async () => {
    const keys = createSigningKeys({ algs: ['ES256'] });
    expect(keys.algs).toEqual(['ES256']);
    const [one, other] = await Promise.all([keys.forAlg('ES384'), keys.forAlg('ES384')]);
    expect(one).toBe(other);
    expect(keys.algs).toEqual(['ES256', 'ES384']);
    expect((await keys.jwks()).keys.map(({ kid }) => kid)).toContain(one.kid);
    expect(await keys.find(one.kid)).toBe(one);
  });

  it('are published before anybody asks for them, in the same order afterwards', async () => {
    const events: EventFact[] = [];
    const keys = createSigningKeys({ algs: ['ES256'], emit: fact => void events.push(fact) });
    const before = keys.revision();
    await Promise.all([keys.prepare('EdDSA'), keys.prepare('EdDSA'), keys.prepare('ES256')]);
    await keys.prepare('ES384'); // by itself, because a key is published when it is made
    const { keys: published } = await keys.jwks();
    expect([keys.algs, published.map(({ alg }) => alg)]).toEqual([['ES256'], ['ES256', 'EdDSA', 'ES384']]);
    // each is told when it is made, which may take one longer than the next
    expect(new Set(events.map(fact => 'kid' in fact && fact.kid))).toEqual(new Set(published.map(({ kid }) => kid)));
    const between = keys.revision();
    expect(await keys.forAlg('ES384')).toMatchObject({ kid: published[2]?.kid });
    expect(keys.algs).toEqual(['ES256', 'ES384']);
    expect(await keys.jwks()).toEqual({ keys: published });
    expect(new Set([before, between, keys.revision()]).size).toBe(3);
    expect(events).toHaveLength(3);
  });

  it('are the same if they are needed while they are prepared, and with a seed', async () => {
    const [one, other] = [createSigningKeys({ algs: [], seed: 'a' }), createSigningKeys({ algs: [], seed: 'a' })];
    const preparing = one.prepare('ES256');
    const [needed] = await Promise.all([one.forAlg('ES256'), preparing]);
    expect(await one.jwks()).toEqual({ keys: [needed.publicJwk] });
    await other.prepare('ES256');
    expect(await other.jwks()).toEqual(await one.jwks());
  });

  it('are left to another replica that is at it, and taken over from one that was first', async () => {
    const [one, other] = [createSigningKeys({ algs: ['ES256'] }), createSigningKeys({ algs: ['ES256'] })];
    const inTurn = (work: () => Promise<unknown>) => work();
    expect(await other.prepare('ES384', { alone: async () => {}, inTurn })).toBe(false);
    expect((await other.jwks()).keys).toHaveLength(1);
    expect(await one.prepare('ES384')).toBe(true);
    const hear = async () => other.keep(await one.kept());
    await other.prepare('ES384', { alone: work => hear().then(work), inTurn });
    expect([other.algs, await other.jwks()]).toEqual([['ES256'], await one.jwks()]);
    const late = createSigningKeys({ algs: ['ES256'] });
    await late.prepare('ES384', {
      alone: work => work(),
      inTurn: async work => late.keep(await one.kept()).then(work),
    });
    expect(await late.jwks()).toEqual(await one.jwks());
    const { kid } = await other.forAlg('ES384');
    await one.keep(await other.kept());
    expect([one.algs, (await one.forAlg('ES384')).kid]).toEqual([['ES256', 'ES384'], kid]);
  });

  it('are logged once they are made', async () => {
    const events: EventFact[] = [];
    const keys = createSigningKeys({ algs: ['ES256'], emit: fact => void events.push(fact) });
    const made = [await keys.forAlg('ES256'), await keys.forAlg('EdDSA')];
    expect(events).toEqual(made.map(({ kid, alg }) => ({ type: 'key.created', kid, alg })));
  });

  it('are all published where a file has several for an algorithm, and the first signs', async () => {
    const jwks = await Promise.all(['first', 'second'].map(kid => privateJwk(kid)));
    const keys = createSigningKeys({ algs: ['ES256'], jwks });
    expect(await keys.forAlg('ES256')).toMatchObject({ kid: 'first' });
    expect((await keys.jwks()).keys.map(({ kid }) => kid)).toEqual(['first', 'second']);
    expect(await keys.find('second')).toMatchObject({ kid: 'second' });
  });

  it.each(['none', 'HS256', 'constructor', 'RS1'])(
    'are refused for %s, which is not among them afterwards',
    async alg => {
      const keys = createSigningKeys({ algs: ['ES256'] });
      await expect(keys.forAlg(alg)).rejects.toThrow(`${alg} is not a signing algorithm`);
      expect(keys.algs).toEqual(['ES256']);
    },
  );

  it.each(['none', 'HS256', 'constructor', 'RS1'])('are never made for %s', async alg => {
    await expect(generateSigningKey(alg)).rejects.toThrow();
  });
});

describe('rotation (OIDC Core §10.1.1)', () => {
  async function rotated(seed?: string) {
    let now = 1000;
    const keys = createSigningKeys({ algs: ['ES256'], clock: () => now, seed });
    const first = await keys.forAlg('ES256');
    const before = keys.revision();
    const { replaced, key } = await keys.rotate('ES256', 1300);
    const pass = (seconds: number) => {
      now += seconds;
    };
    return { keys, first, before, replaced, key, pass };
  }
  const kids = async (keys: SigningKeys) => (await keys.jwks()).keys.map(({ kid }) => kid);

  it('makes a new key that signs at once', async () => {
    const { keys, first, replaced, key } = await rotated();
    expect(replaced).toBe(first);
    expect(key.kid).not.toBe(first.kid);
    expect(await keys.forAlg('ES256')).toBe(key);
  });

  it('keeps the old key published until then, and known for verification beyond', async () => {
    const { keys, first, key, pass } = await rotated();
    pass(299);
    expect(await kids(keys)).toEqual([key.kid, first.kid]);
    pass(1);
    expect(await kids(keys)).toEqual([key.kid]);
    expect(await keys.find(first.kid)).toBe(first);
  });

  it('shows in the revision, as does the end of the overlap', async () => {
    const { keys, before, pass } = await rotated();
    const between = keys.revision();
    pass(300);
    expect(new Set([before, between, keys.revision()]).size).toBe(3);
    expect(keys.revision()).toBe(keys.revision());
  });

  it('remembers a bounded number of old keys', async () => {
    const { keys, first } = await rotated();
    for (let n = 0; n < 100; n++) await keys.rotate('ES256', 1300);
    expect(await keys.find(first.kid)).toBeUndefined();
    expect((await kids(keys)).length).toBe(101);
  });

  it('follows from the seed too', async () => {
    const [one, same] = [await rotated('a seed'), await rotated('a seed')];
    expect(await kids(same.keys)).toEqual(await kids(one.keys));
    expect(new Set(await kids(one.keys)).size).toBe(2);
  });
});
