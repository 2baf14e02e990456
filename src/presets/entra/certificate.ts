import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { type SigningKey, signatureOf } from '../../oauth/tokens/signing-key.ts';

const made = new WeakMap<SigningKey, Promise<Buffer>>();

/** A certificate of a key that it signed itself (RFC 5280 §4.1), as DER. Validators of tokens read only its key. */
export async function certificateOf(server: Pick<AuthorizationServer, 'keys'>, kid: string): Promise<Buffer> {
  const key = await server.keys.find(kid);
  if (key === undefined) throw new Error(`the key ${kid} is published but gone`);
  const known = made.get(key) ?? selfSigned(key);
  made.set(key, known);
  return known;
}

// DER (X.690): tags of the types that a certificate has
const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]) => der(0x31, Buffer.concat(parts));
const integer = (bytes: Buffer) => der(0x02, bytes);
const time = (text: string) => der(0x18, Buffer.from(text));
const commonName = Buffer.from('0603550403', 'hex');
/** sha256WithRSAEncryption, 1.2.840.113549.1.1.11 */
const algorithm = sequence(Buffer.from('06092a864886f70d01010b', 'hex'), der(0x05, Buffer.alloc(0)));

/** Its times are constant, so that the same key has the same certificate in each run. */
async function selfSigned(key: SigningKey): Promise<Buffer> {
  const name = sequence(set(sequence(commonName, der(0x0c, Buffer.from('accounts.accesscontrol.sandbox')))));
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.from([1])),
    algorithm,
    name,
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    name,
    key.publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = await signatureOf({ ...key, alg: 'RS256' }, content.toString('latin1'));
  return sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
