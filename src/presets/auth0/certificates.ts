import { hash, sign } from 'node:crypto';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { Reply } from '../../oauth/endpoints/endpoint.ts';
import type { SigningKey } from '../../oauth/tokens/signing-key.ts';

const made = new WeakMap<SigningKey, Buffer>();

/** The public keys, RSA keys with a certificate that they signed themselves: `x5c` and `x5t` (RFC 7517 §4.7, §4.8). */
export async function jwksWithCertificates({ keys, issuer }: AuthorizationServer): Promise<Reply> {
  const published = (await keys.jwks()).keys;
  const { host } = new URL(issuer);
  const all = published.map(async jwk => {
    const key = await keys.find(jwk.kid);
    if (key === undefined || key.publicKey.asymmetricKeyType !== 'rsa') return jwk;
    const certificate = made.get(key) ?? certificateOf(key, host);
    made.set(key, certificate);
    return { ...jwk, x5c: [certificate.toString('base64')], x5t: hash('sha1', certificate, 'base64url') };
  });
  return { kind: 'json', status: 200, body: { keys: await Promise.all(all) } };
}

/** sha256WithRSAEncryption, as an AlgorithmIdentifier (RFC 8017 §A.2.4). */
const algorithm = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
const version3 = Buffer.from('a003020102', 'hex');
/** id-at-commonName (RFC 5280 §4.1.2.4). */
const commonName = Buffer.from('0603550403', 'hex');

/** A certificate (RFC 5280 §4.1) for the host, the same for the same key. */
function certificateOf({ kid, publicKey, privateKey }: SigningKey, host: string): Buffer {
  const serial = Buffer.from(`01${hash('sha256', kid).slice(0, 16)}`, 'hex');
  const name = der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from(host)))));
  const validity = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const contents = der(0x30, version3, der(0x02, serial), algorithm, name, validity, name, spki);
  const signature = sign('sha256', contents, privateKey);
  return der(0x30, contents, algorithm, der(0x03, Buffer.from([0]), signature));
}

/** A value of ASN.1 with its tag and length (X.690 §8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const hex = content.length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const length = content.length < 0x80 ? bytes : Buffer.concat([Buffer.from([0x80 + bytes.length]), bytes]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}
