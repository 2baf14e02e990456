import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { errorOf, problemsOf } from './support.ts';

type Jwk = Record<string, unknown>;
const rsa: Jwk = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  alg: 'RS256',
  kid: 'r',
};
const ec: Jwk = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  alg: 'ES256',
};
const ed: Jwk = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), alg: 'Ed25519' };

function keysIn(content: unknown, env: Record<string, string> = {}) {
  return { cwd: newFolder({ 'keys.json': content }), env: { KEYS_FILE: 'keys.json', ...env } };
}

describe('the keys file', () => {
  it('gives the private keys', async () => {
    expect((await loadConfig(keysIn({ keys: [rsa, ec, ed] }))).keys).toEqual([rsa, ec, ed]);
    expect((await loadConfig(keysIn({ keys: [ec] }, { SIGNING_ALG: 'ES256' }))).keys).toEqual([ec]);
  });

  it('named in a configuration file lies beside it', async () => {
    const beside = newFolder({ 'keys.json': { keys: [rsa] }, 'clients.config.json': { keysFile: 'keys.json' } });
    const flags = { config: join(beside, 'clients.config.json') };
    expect((await loadConfig({ flags, cwd: newFolder() })).keys).toEqual([rsa]);
  });

  it.each<[string, unknown, string, RegExp]>([
    ['is not JSON', '{', 'environment KEYS_FILE', /not valid JSON/],
    ['is no JWK Set', [rsa], 'environment KEYS_FILE', /a JWK Set/],
    ['is empty', { keys: [] }, 'environment KEYS_FILE', /at least one key/],
    ['holds a key without alg', { keys: [{ ...rsa, alg: undefined }] }, 'keys.json: keys[0].alg', /one of RS256/],
    [
      'holds a symmetric key',
      { keys: [{ kty: 'oct', k: 'AAAA', alg: 'HS256' }] },
      'keys.json: keys[0].alg',
      /one of RS256/,
    ],
    [
      'holds a public key',
      { keys: [{ kty: 'RSA', n: rsa.n, e: rsa.e, alg: 'RS256' }] },
      'keys.json: keys[0].d',
      /a private key/,
    ],
    ['holds a key of another type', { keys: [{ ...ec, alg: 'RS256' }] }, 'keys.json: keys[0].kty', /RSA, for RS256/],
    ['holds a key on another curve', { keys: [{ ...ec, alg: 'ES384' }] }, 'keys.json: keys[0].crv', /P-384, for ES384/],
    ['holds a broken key', { keys: [{ ...rsa, p: 'AAAA' }] }, 'keys.json: keys[0]', /a complete private key/],
    [
      'holds a key whose public part is of another key',
      { keys: [rsa, { ...ed, x: generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x }] },
      'keys.json: keys[1]',
      /a complete private key/,
    ],
    ['holds one kid twice', { keys: [rsa, { ...ec, kid: 'r' }] }, 'keys.json: keys[1].kid', /no other key has/],
    ['holds no key for the signing algorithm', { keys: [ec] }, 'keys.json: keys', /signing algorithm RS256/],
  ])('is refused where it %s', async (_, content, source, expected) => {
    const problems = await problemsOf(keysIn(content));
    expect(problems.map(problem => problem.source)).toEqual([source]);
    expect(problems[0]?.expected).toMatch(expected);
  });

  it('is refused where it does not exist', async () => {
    expect(await problemsOf({ cwd: newFolder(), flags: { 'keys-file': 'no.json' } })).toEqual([
      { source: 'flag --keys-file', value: '"no.json"', expected: 'a file that exists and can be read' },
    ]);
  });

  it('never shows in a problem', async () => {
    const error = await errorOf(keysIn({ keys: [{ ...rsa, alg: 'RS25' }, { ...rsa, n: 'x' }, String(rsa.d)] }));
    for (const member of ['d', 'p', 'q', 'n']) expect(error.message).not.toContain(String(rsa[member]).slice(0, 12));
  });
});
