import { BlockList, isIP, isIPv4 } from 'node:net';

/** The kind of an address: this machine, a private network, the internet, or forbidden. */
export type AddressKind = 'loopback' | 'private' | 'public' | 'forbidden';

/** RFC 1918, RFC 6598 (carriers, and container networks), RFC 2544 (some VPNs), RFC 4193. */
const privateRanges = blockList([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
]);

const loopbackRanges = blockList(['127.0.0.0/8', '::1/128']);

/** IPv6 addresses of the internet. All others that are not loopback or private have a special purpose. */
const globalUnicast = blockList(['2000::/3']);

/** Special-purpose ranges (RFC 6890), tunnels that hide a different address, and metadata services of clouds. */
const forbiddenRanges = blockList([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '100.100.100.200/32', // Alibaba Cloud, in the range of RFC 6598
  '168.63.129.16/32', // Azure, in a public range
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fd00:ec2::/32', // AWS, in the range of RFC 4193
  'fd20:ce::/32', // Google Cloud, likewise
]);

/** The kind of an IPv4 or IPv6 address in any notation; `forbidden` for any other text. */
export function addressKind(address: string): AddressKind {
  const plain = address.replace(/%.*$/, ''); // without its zone
  if (isIP(plain) === 0) return 'forbidden';
  if (isIPv4(plain)) return kindOf(plain, 'ipv4');
  const groups = canonical(plain);
  const mapped = embedded(groups, /^::ffff:([0-9a-f]+):([0-9a-f]+)$/);
  if (mapped !== undefined) return kindOf(mapped, 'ipv4');
  const translated = embedded(groups, /^64:ff9b::([0-9a-f]+):([0-9a-f]+)$/);
  // RFC 6052 §3.1: behind a translator only the internet is reached
  if (translated !== undefined) return kindOf(translated, 'ipv4') === 'public' ? 'public' : 'forbidden';
  return kindOf(plain, 'ipv6');
}

function kindOf(address: string, family: 'ipv4' | 'ipv6'): AddressKind {
  if (loopbackRanges.check(address, family)) return 'loopback';
  if (forbiddenRanges.check(address, family)) return 'forbidden';
  if (privateRanges.check(address, family)) return 'private';
  return family === 'ipv4' || globalUnicast.check(address, 'ipv6') ? 'public' : 'forbidden';
}

/** RFC 5952 in hexadecimal groups throughout, which is how URLs are normalised. */
function canonical(ipv6: string): string {
  return new URL(`http://[${ipv6}]/`).hostname.slice(1, -1);
}

/** The IPv4 address in the last two groups. */
function embedded(groups: string, form: RegExp): string | undefined {
  const match = form.exec(groups);
  if (match === null) return undefined;
  const [high = 0, low = 0] = match.slice(1).map(group => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
