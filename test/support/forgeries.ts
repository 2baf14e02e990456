import { createHmac } from 'node:crypto';
import { CompactSign, generateKeyPair } from 'jose';
import type { AuthorizationServer } from '../../src/protocol/authorization-server.ts';
import type { SigningKey } from '../../src/protocol/tokens/signing-key.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function parts(jwt: string): [string, string, string] {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  return [header, payload, signature];
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

/** The same JWT with other claims or header members, and the signature it had. */
export function altered(jwt: string, claims: Record<string, unknown>, header: Record<string, unknown> = {}): string {
  const [head, payload, signature] = parts(jwt);
  return [encode({ ...decoded(head), ...header }), encode({ ...decoded(payload), ...claims }), signature].join('.');
}

/** Signed by this server's own key, whatever it says. */
export async function signed(
  server: AuthorizationServer,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> {
  const key = await server.keys.forAlg(server.signingAlg);
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
    .sign(key.privateKey);
}

/** The forgeries of RFC 8725 §2: name and token. */
export async function forgeries(jwt: string, key: SigningKey): Promise<[string, string][]> {
  const [header, payload, signature] = parts(jwt);
  const stranger = await generateKeyPair('ES256');
  const byStranger = (head: Record<string, unknown>) =>
    new CompactSign(Buffer.from(payload, 'base64url'))
      .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', ...head })
      .sign(stranger.privateKey);
  const { publicKey } = key;
  const macs = [publicKey.export({ type: 'spki', format: 'pem' }), JSON.stringify(key.publicJwk)].map(secret => {
    const input = `${encode({ ...decoded(header), alg: 'HS256' })}.${payload}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  });
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  return [
    ['other claims', altered(jwt, { sub: 'mallory' })],
    ['another signature', `${header}.${payload}.${flipped}`],
    ['no signature', `${header}.${payload}.`],
    ['padding behind it', `${jwt}==`],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${jwt}.${signature}`],
    ['alg none', `${encode({ ...decoded(header), alg: 'none' })}.${payload}.`],
    ['alg None', `${encode({ ...decoded(header), alg: 'None' })}.${payload}.`],
    ['alg none with a signature', altered(jwt, {}, { alg: 'none' })],
    ['HMAC with the public key as PEM', macs[0] ?? ''],
    ['HMAC with the public key as JWK', macs[1] ?? ''],
    ...['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'HS512', 'constructor', '']
      .filter(alg => alg !== key.alg)
      .map((alg): [string, string] => [`our kid with alg ${alg}`, altered(jwt, {}, { alg })]),
    ['an unknown kid', altered(jwt, {}, { kid: 'unknown' })],
    ['no kid', altered(jwt, {}, { kid: undefined })],
    ['a kid that is no string', altered(jwt, {}, { kid: { a: 1 } })],
    ['a foreign key under our kid', await byStranger({ kid: key.kid })],
    ['a foreign key in jwk', await byStranger({ jwk: { kty: 'EC' } })],
    ['a foreign key at jku', await byStranger({ kid: key.kid, jku: 'http://127.0.0.1:1/jwks' })],
    ['a critical header we do not know', altered(jwt, {}, { crit: ['b64'], b64: false })],
    ['a payload that is no JSON', `${header}.${Buffer.from('nonsense').toString('base64url')}.${signature}`],
    ['a header that is no JSON', `${Buffer.from('{').toString('base64url')}.${payload}.${signature}`],
    ['a header that is an array', `${encode([])}.${payload}.${signature}`],
    ['garbage', 'garbage'],
    ['dots', '..'],
    ['a very long one', 'x'.repeat(8000)],
  ];
}
