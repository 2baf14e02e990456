import { hash, type KeyObject, sign } from 'node:crypto';
import type { AuthorizationServer } from '../authorization-server.ts';
import { algorithmOf, type PublicJwk, type SigningKey } from './signing-key.ts';

const made = new WeakMap<KeyObject, Buffer>();

/** A certificate of a key that it signed itself (RFC 5280 §4.1), as DER. Those who verify tokens read only its key. */
function certificateOf(key: SigningKey): Buffer {
  const known = made.get(key.privateKey) ?? selfSigned(key);
  made.set(key.privateKey, known);
  return known;
}

/** The JWK Set with `x5c`, `x5t#S256` and `x5t` in each key (RFC 7517 §4.7 to §4.9). */
export async function certifiedKeys({
  keys,
}: Pick<AuthorizationServer, 'keys'>): Promise<{ readonly keys: readonly CertifiedJwk[] }> {
  const published = (await keys.jwks()).keys;
  const all = await Promise.all(published.map(jwk => keys.find(jwk.kid)));
  return { keys: published.map((jwk, index) => withCertificate(jwk, all[index])) };
}

interface CertifiedJwk extends PublicJwk {
  readonly x5c?: readonly string[];
  readonly x5t?: string;
  readonly 'x5t#S256'?: string;
}

function withCertificate(jwk: PublicJwk, key: SigningKey | undefined): CertifiedJwk {
  if (key === undefined) return jwk; // removed in between
  const der = certificateOf(key);
  const [sha1, sha256] = ['sha1', 'sha256'].map(name => hash(name, der, 'base64url'));
  return { ...jwk, x5c: [der.toString('base64')], ...(sha1 && sha256 && { x5t: sha1, 'x5t#S256': sha256 }) };
}

// DER (X.690): the types that a certificate has
const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]) => der(0x31, Buffer.concat(parts));
const integer = (value: number) => der(0x02, Buffer.from([value]));
const time = (text: string) => der(0x18, Buffer.from(text));
const commonName = Buffer.from('0603550403', 'hex');
const noParameters = der(0x05, Buffer.alloc(0));

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** Signatures of certificates by type of key and digest: RFC 4055 §5, RFC 5758 §3.2, RFC 8410 §3. */
const signatures: Readonly<Record<string, { readonly oid: string; readonly hasNull?: true }>> = {
  'rsa sha256': { oid: '2a864886f70d01010b', hasNull: true },
  'rsa sha384': { oid: '2a864886f70d01010c', hasNull: true },
  'rsa sha512': { oid: '2a864886f70d01010d', hasNull: true },
  'ec sha256': { oid: '2a8648ce3d040302' },
  'ec sha384': { oid: '2a8648ce3d040303' },
  'ec sha512': { oid: '2a8648ce3d040304' },
  'ed25519 null': { oid: '2b6570' },
};

/** Its times are constant, so that a key has nearly the same certificate in each run: signatures of ES256 are random. */
function selfSigned({ alg, privateKey, publicKey, kid }: SigningKey): Buffer {
  const { keyType, digest } = algorithmOf(alg);
  const { oid = '', hasNull } = signatures[`${keyType} ${digest}`] ?? {};
  const algorithm = sequence(der(0x06, Buffer.from(oid, 'hex')), ...(hasNull ? [noParameters] : []));
  const name = sequence(set(sequence(commonName, der(0x0c, Buffer.from(`Grantbox ${kid}`.slice(0, 64))))));
  const content = sequence(
    der(0xa0, integer(2)), // version 3
    integer(1),
    algorithm,
    name,
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign(digest, content, privateKey);
  return sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
}
