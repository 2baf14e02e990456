import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodePage } from '../../../src/dashboard/decode/decode-pages.ts';
import { verifyWith } from '../../../src/dashboard/decode/verify-with.ts';
import type { PageContext } from '../../../src/dashboard/page.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { createLog, deskFor, now } from '../running-dashboard.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const secret = 'your-256-bit-secret';
const foreign = { iss: 'https://login.example', sub: '1234567890', exp: now + 60 };

const signed = (alg: string, key: KeyObject, kid?: string) =>
  new SignJWT(foreign).setProtectedHeader({ alg, typ: 'JWT', ...(kid === undefined ? {} : { kid }) }).sign(key);
const pem = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }));
const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more });

/** Signed with HS256 by hand, because jose refuses nothing of it. */
function withSecret(bytes: string | Buffer): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(foreign)}`;
  return `${text}.${createHmac('sha256', bytes).update(text).digest('base64url')}`;
}

async function said(token: string, pasted: string): Promise<string> {
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
  const verified = await verifyWith(token, header, pasted);
  return 'problem' in verified ? verified.problem : `${verified.check.level}: ${verified.check.text}`;
}

describe('a foreign token fits', () => {
  it('a secret, as text or in base64', async () => {
    expect(await said(withSecret(secret), ` ${secret}\n`)).toBe('pass: signature HS256, fits the secret');
    const bytes = Buffer.from('ffeeddccbbaa99887766554433221100', 'hex');
    expect(await said(withSecret(bytes), bytes.toString('base64'))).toBe(
      'pass: signature HS256, fits the secret, read as base64',
    );
    expect(await said(withSecret(secret), 'another')).toMatch(/^fail: signature HS256, does not fit/);
  });

  it.each([
    ['RS256', rsa],
    ['PS256', rsa],
    ['ES256', ec],
  ])('a public key as PEM or JWK: %s', async (alg, { publicKey, privateKey }) => {
    const token = await signed(alg, privateKey);
    expect(await said(token, pem(publicKey))).toBe(`pass: signature ${alg}, fits the public key`);
    expect(await said(token, JSON.stringify(jwk(publicKey)))).toBe(`pass: signature ${alg}, fits the key`);
  });

  it('the key of a JWK Set that it names, or any that it does not', async () => {
    const set = JSON.stringify({
      keys: [jwk(rsa.publicKey, { kid: 'r' }), jwk(otherEc.publicKey, { kid: 'a' }), jwk(ec.publicKey, { kid: 'b' })],
    });
    expect(await said(await signed('ES256', ec.privateKey, 'b'), set)).toBe(
      'pass: signature ES256, fits the key b of the set',
    );
    expect(await said(await signed('ES256', ec.privateKey), set)).toBe(
      'pass: signature ES256, fits the key b of the set',
    );
    expect(await said(await signed('ES256', ec.privateKey, 'a'), set)).toMatch(
      /^fail: .* does not fit the key a of the set/,
    );
    expect(await said(await signed('ES256', ec.privateKey, 'c'), set)).toBe(
      'The set has no key with the kid c. It has r, a, b.',
    );
    expect(
      await said(await signed('ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey), set),
    ).toMatch(/does not fit any key of the set/);
  });

  it('a secret as JWK', async () => {
    const key = { kty: 'oct', k: Buffer.from(secret).toString('base64url') };
    expect(await said(withSecret(secret), JSON.stringify(key))).toBe('pass: signature HS256, fits the key');
  });
});

describe('a paste that cannot verify is answered by a sentence', () => {
  const rsaToken = signed('RS256', rsa.privateKey);
  const privatePem = String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  it.each([
    ['an address', 'https://login.example/jwks', /nothing is fetched/],
    ['a secret for a public key', 'secret', /RS256 is verified with a public key/],
    ['a private key', privatePem, /private key. Paste the public key/],
    ['a private JWK', JSON.stringify(jwk(rsa.privateKey)), /private key. Paste the public key/],
    ['a key of another kind', JSON.stringify(jwk(ec.publicKey)), /signed with RS256, and the key is for the type EC/],
    ['half a PEM', '-----BEGIN PUBLIC KEY-----\nMIIB', /The PEM cannot be read/],
    ['half a JSON', '{"keys": [', /The JSON cannot be read/],
    ['other JSON', '{"sub": "alice"}', /neither a JWK, which has kty, nor a JWK Set/],
    ['an empty set', '{"keys": []}', /neither a JWK/],
    ['an RSA key without n', '{"kty":"RSA","e":"AQAB"}', /The JWK cannot be read/],
    [
      'a key that is too small',
      pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
      /cannot verify RS256/,
    ],
  ])('%s', async (_, pasted, words) => {
    expect(await said(await rsaToken, pasted)).toMatch(words);
  });

  it('a public key for a shared secret, and a token without a signature', async () => {
    expect(await said(withSecret(secret), pem(rsa.publicKey))).toMatch(/and not with a public key/);
    expect(await said(`${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`, secret)).toMatch(/not signed/);
  });
});

describe('the page', () => {
  const page = (token: string, verify: string) => decodePage(token, deskFor(createLog()) as PageContext, { verify });
  const lines = (found: Awaited<ReturnType<typeof page>>) =>
    (found.tokens[0]?.verdict ?? []).map(({ level, text }) => `${level}: ${text}`);

  it('says that the token is valid where the key fits, and blames no unknown keys', async () => {
    const found = await page(withSecret(secret), secret);
    expect(lines(found)[0]).toBe('pass: signature HS256, fits the secret');
    expect(lines(found).join()).not.toContain('its keys are unknown here');
    expect(found.tokens[0]?.state).toBe('valid');
    expect(found.tokens[0]?.raw.map(({ words }) => words)).toEqual([
      'HS256, JWT',
      '3 claims',
      '32 bytes, fits the key',
    ]);
    expect((await page(withSecret(secret), '')).tokens[0]?.state).toBe('');
  });

  it('goes on as without a key where the paste is wrong', async () => {
    const found = await page(withSecret(secret), 'https://login.example/jwks');
    expect(found.verifyProblems).toEqual([expect.stringContaining('nothing is fetched')]);
    expect(lines(found)[0]).toMatch(/^note: signature not verified/);
  });

  it('needs no paste for the JWK Set of the sandbox itself', async () => {
    await using sandbox = await createSandbox();
    const { token } = await sandbox.issueToken({ client: 'frontend', user: 'alice' });
    const body = new URLSearchParams({ token, verify: `${sandbox.issuer}/oauth2/jwks` });
    const html = await (await fetch(`${sandbox.url}/dashboard/decode`, { method: 'POST', body })).text();
    expect(html).toContain('the current signing key');
    expect(html).not.toContain('decode-verify-problem');
  });
});

describe('a pasted secret', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox();
  });
  afterAll(() => sandbox.stop());

  it('is in no event, and so in no recorded request, log or file of a session', async () => {
    const body = new URLSearchParams({ token: withSecret('s3cret-of-nobody'), verify: 's3cret-of-nobody' });
    const answer = await fetch(`${sandbox.url}/dashboard/decode`, { method: 'POST', body });
    expect(await answer.text()).toContain('fits the secret');
    await sandbox.events.caughtUp();
    expect(JSON.stringify([...sandbox.events.keptSince(0)])).not.toContain('s3cret-of-nobody');
  });
});
