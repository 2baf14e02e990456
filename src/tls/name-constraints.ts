import { Extension } from '@peculiar/x509';
import { inAddressBytes } from './address-bytes.ts';

/**
 * The name constraints (RFC 5280 §4.2.1.10) of a CA that may vouch for these hosts and no other: who trusts it on their
 * machine trusts it with nothing else. The library has no class for it, and it is three tags deep.
 */
export function nameConstraints(hosts: readonly string[]): Extension {
  const bases = hosts.map(host => {
    const address = inAddressBytes(host);
    return address === undefined ? der(0x82, Buffer.from(host, 'latin1')) : der(0x87, withMask(address));
  });
  const subtrees = bases.map(base => der(0x30, base));
  const permitted = der(0xa0, Buffer.concat(subtrees));
  return new Extension('2.5.29.30', true, new Uint8Array(der(0x30, permitted)));
}

/** An address and the mask that means no other. */
function withMask(address: Buffer): Buffer {
  return Buffer.concat([address, Buffer.alloc(address.length, 0xff)]);
}

/** One value of DER (X.690 §8.1): tag, length, content of less than 64 KiB. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
