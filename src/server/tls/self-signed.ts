import './reflect-metadata.ts';
import { isIPv4, isIPv6 } from 'node:net';
import { Extension, type JsonGeneralNames } from '@peculiar/x509';
import { createCertificateAuthority } from './certificate-authority.ts';
import type { CertifiedKey } from './tls-options.ts';

/** A certificate for this server, and its CA. */
export interface SelfSigned {
  readonly server: CertifiedKey;
  /** The CA certificate for browsers and tools to trust, PEM. It is constrained to the hosts of this sandbox. */
  readonly ca: string;
}

/** The host names of every sandbox. */
const ownHosts = ['localhost', '127.0.0.1', '::1'];

/** The CA and the server certificate that `TLS=self-signed` makes at the start, in memory only, for the hosts of this sandbox. */
export async function createSelfSigned(furtherHosts: readonly string[], now: Date): Promise<SelfSigned> {
  const hosts = [
    ...new Set([...ownHosts, ...furtherHosts.map(host => host.toLowerCase().replace(/^\[(.*)\]$/, '$1'))]),
  ];
  const authority = await createCertificateAuthority({
    commonName: 'Grantbox local CA',
    now,
    extensions: [nameConstraints(hosts)],
  });
  const server = await authority.issue({
    subject: 'CN=localhost',
    names: hosts.flatMap(toNames),
    usage: 'server',
    now,
  });
  return { server, ca: authority.certificate };
}

/** `localhost` comes with every name below it: they are all loopback (RFC 6761 §6.3), and all answered. */
function toNames(host: string): JsonGeneralNames {
  if (inAddressBytes(host) !== undefined) return [{ type: 'ip', value: host }];
  const names: JsonGeneralNames = [{ type: 'dns', value: host }];
  return host === 'localhost' ? [...names, { type: 'dns', value: '*.localhost' }] : names;
}

/** Name constraints (RFC 5280 §4.2.1.10), so that trusting the CA affects no other host. The library has no class for it. */
export function nameConstraints(hosts: readonly string[]): Extension {
  const bases = hosts.map(host => {
    const address = inAddressBytes(host);
    if (address === undefined) return der(0x82, Buffer.from(host, 'latin1'));
    return der(0x87, Buffer.concat([address, Buffer.alloc(address.length, 0xff)])); // with the mask that means no other
  });
  const subtrees = bases.map(base => der(0x30, base));
  const permitted = der(0xa0, Buffer.concat(subtrees));
  return new Extension('2.5.29.30', true, new Uint8Array(der(0x30, permitted)));
}

/** One value of DER (X.690 §8.1): tag, length, content of less than 64 KiB. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** The 4 or 16 bytes of an IP address; undefined for a host name. */
function inAddressBytes(host: string): Buffer | undefined {
  if (isIPv4(host)) return Buffer.from(host.split('.').map(Number));
  if (!isIPv6(host)) return undefined;
  // the URL parser writes every IPv6 address the one way that is easy to read
  const [head = '', tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::');
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const words = [...before, ...new Array<number>(zeros).fill(0), ...after];
  return Buffer.from(words.flatMap(word => [word >> 8, word & 0xff]));
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16));
}
