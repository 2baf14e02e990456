import { isIPv4, isIPv6 } from 'node:net';

/** The 4 or 16 bytes of an IP address; undefined for a host name. */
export function inAddressBytes(host: string): Buffer | undefined {
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
