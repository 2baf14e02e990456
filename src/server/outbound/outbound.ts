import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { type Outbound, type OutboundAnswer, OutboundError, type OutboundOptions } from '../../protocol/outbound.ts';
import { AnswerTooLong, send, type WireRequest } from '../wire/send.ts';
import { type AddressKind, addressKind } from './address.ts';

/** The addresses that may be called; each value includes those before it. Metadata services never are. */
const outboundReaches = ['loopback', 'private', 'any'] as const;
export type OutboundReach = (typeof outboundReaches)[number];

/** Settings of outbound requests. */
interface OutboundSettings {
  readonly reach: OutboundReach;
  /** All addresses of a host name. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Milliseconds for the whole exchange, from the name lookup to the last byte of the body. Default: 5 s. */
  readonly timeoutMs?: number;
  /** A certificate authority, PEM, that is trusted in addition to those of Node. */
  readonly ca?: string;
}

const defaultMaxBytes = 64 * 1024;
const defaultTimeoutMs = 5000;

/**
 * Calls other servers over `http` and `https`. A name is resolved once, its addresses are checked, and the connection
 * uses a checked address, so that a second lookup cannot change it. It follows no redirects, keeps no connections and
 * uses no proxy.
 */
export function createOutbound(settings: OutboundSettings): Outbound {
  const longest = settings.timeoutMs ?? defaultTimeoutMs;

  async function call(
    method: 'GET' | 'POST',
    address: string,
    body: string | undefined,
    { headers, maxBytes = defaultMaxBytes, timeoutMs = longest }: OutboundOptions,
  ): Promise<OutboundAnswer> {
    const url = checkedUrl(address);
    const milliseconds = Math.min(timeoutMs, longest);
    const signal = AbortSignal.timeout(milliseconds);
    const startedAt = performance.now();
    try {
      const addresses = await inTime(allowedAddresses(url, settings), signal);
      const request = {
        method,
        body,
        signal,
        maxBytes,
        lookup: pinned(addresses),
        headers: { Accept: '*/*', 'User-Agent': 'Grantbox', ...headers },
      };
      const answer = await inTime(sendTrusting(settings.ca, url, request), signal);
      return { ...answer, milliseconds: performance.now() - startedAt };
    } catch (error) {
      throw failure(error, url, signal, milliseconds);
    }
  }

  return {
    get: (url, options = {}) => call('GET', url, undefined, options),
    post: (url, body, options = {}) => call('POST', url, body, options),
  };
}

/**
 * A lookup for one request to this address, for a caller that has to follow redirects or to keep cookies.
 * @throws OutboundError if it may not be called
 */
export async function lookupFor(address: string, reach: OutboundReach): Promise<LookupFunction> {
  return pinned(await allowedAddresses(checkedUrl(address), { reach }));
}

function checkedUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) throw new OutboundError('url_invalid', 'this is not an absolute URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('url_invalid', `only http and https are called, not ${url.protocol.slice(0, -1)}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('url_invalid', 'a URL with a user name or password in it is not called');
  }
  return url;
}

/** The addresses of the host that may be called. */
async function allowedAddresses(
  url: URL,
  { reach, resolve = systemResolve }: OutboundSettings,
): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const all = isIP(host) === 0 ? await resolve(host) : [host];
  const allowed = all.filter(each => isAllowed(addressKind(each), reach));
  const [first] = all;
  if (allowed.length > 0) return allowed;
  if (first === undefined) throw new OutboundError('unreachable', `${host} has no address`);
  throw new OutboundError('address_forbidden', `${host} is not called: ${whyNot(first)}`);
}

async function systemResolve(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function isAllowed(kind: AddressKind, reach: OutboundReach): boolean {
  if (kind === 'forbidden') return false;
  return outboundReaches.indexOf(kind === 'public' ? 'any' : kind) <= outboundReaches.indexOf(reach);
}

function whyNot(address: string): string {
  const kind = addressKind(address);
  if (kind === 'forbidden') return `${address} is link-local, a metadata service or otherwise special`;
  return `${address} is a ${kind} address, which OUTBOUND=${kind === 'public' ? 'any' : kind} allows`;
}

/** Error codes of OpenSSL for a chain without a trusted CA. */
const untrusted: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Trusts the CAs of Node, including `NODE_EXTRA_CA_CERTS`, and then one more: the option `ca` alone would replace them.
 * The retry is safe, because nothing of the request was sent before the handshake failed.
 */
async function sendTrusting(
  ca: string | undefined,
  url: URL,
  request: WireRequest,
): Promise<Omit<OutboundAnswer, 'milliseconds'>> {
  const { status, headersDistinct, text } = await send(url, request).catch(error => {
    const isUntrusted = error instanceof Error && 'code' in error && untrusted.has(error.code);
    if (ca === undefined || !isUntrusted) throw error;
    return send(url, { ...request, ca });
  });
  const headers = Object.entries(headersDistinct).map(([name, values]) => [name, values?.[0] ?? '']);
  return { status, headers: Object.fromEntries(headers), body: text };
}

/** A lookup that always returns the checked addresses. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map(address => ({ address, family: isIP(address) }));
  return (_host, { all: wantsAll = false }, callback) => {
    if (wantsAll) callback(null, all);
    else callback(null, all[0]?.address ?? '', all[0]?.family);
  };
}

/** The work or its timeout: a silent name server cannot be interrupted, so its answer is ignored. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

function failure(error: unknown, url: URL, signal: AbortSignal, timeoutMs: number): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof AnswerTooLong) return new OutboundError('too_large', error.message);
  if (signal.aborted) return new OutboundError('timeout', `${url.host} did not answer within ${timeoutMs} ms`, error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection';
  return new OutboundError('unreachable', `${url.host} could not be reached: ${code}`, error);
}
