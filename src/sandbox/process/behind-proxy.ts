import type { IncomingMessage, RequestListener } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { addressKind } from '../../server/outbound/address.ts';

type Trust = (address: string) => boolean;

/** Headers that only a trusted proxy may send. */
const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-prefix'] as const;

/**
 * Believes what trusted proxies say about a request: its sender (`X-Forwarded-For`) and the path that they took away
 * (`X-Forwarded-Prefix`). The forwarded headers of all other senders are removed. Loaded only with `TRUST_PROXY`.
 */
export function behindProxy(trusted: readonly string[], next: RequestListener): RequestListener {
  const isTrusted = trustIn(trusted);
  const peers = new WeakMap<Socket, string>();
  return (req, res) => {
    const { socket } = req;
    const peer = peers.get(socket) ?? plainAddress(socket.remoteAddress ?? '');
    peers.set(socket, peer);
    const isFromProxy = isTrusted(peer);
    if (isFromProxy) restorePath(req);
    else for (const name of forwarded) delete req.headers[name];
    // requests of one connection are answered in turn, so the address is right until the answer was sent
    const value = isFromProxy ? senderOf(isTrusted, peer, req.headers['x-forwarded-for']) : peer;
    Object.defineProperty(socket, 'remoteAddress', { value, configurable: true });
    next(req, res);
  };
}

/** The words are kinds of addresses; the others are addresses and networks. */
function trustIn(trusted: readonly string[]): Trust {
  const list = new BlockList();
  for (const entry of trusted.filter(each => !isKind(each))) {
    const [address = '', bits] = entry.split('/');
    const [family, all] = isIP(address) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    list.addSubnet(address, bits === undefined ? all : Number(bits), family);
  }
  return address => {
    const version = isIP(address);
    if (version === 0) return false;
    return trusted.includes(addressKind(address)) || list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}

function isKind(entry: string): boolean {
  return entry === 'loopback' || entry === 'private';
}

/** The last address that is not a trusted proxy. Anybody may have made up the addresses to the left of it. */
function senderOf(isTrusted: Trust, peer: string, header: string | readonly string[] | undefined): string {
  const hops = String(header ?? '')
    .split(',')
    .map(each => plainAddress(each.trim()));
  let sender = peer;
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) return sender;
    sender = hop;
    if (!isTrusted(hop)) return sender;
  }
  return sender;
}

/** Without the port and the brackets that some proxies add, and IPv4 as IPv4. */
function plainAddress(address: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare;
}

/** A proxy that strips the prefix of the issuer says which it was. */
function restorePath(req: IncomingMessage): void {
  const [prefix = ''] = String(req.headers['x-forwarded-prefix'] ?? '').split(',');
  const path = prefix.trim().replace(/\/$/, '');
  const { url = '' } = req;
  const isThere = url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
  if (/^(?:\/[\w.~-]+)+$/.test(path) && !isThere) req.url = path + url;
}
