import { type Exchange, headersOf } from '../../base/events/exchange.ts';

/** A request that somebody may copy and send again. */
export interface HttpCall {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}

/** Headers that belong to one connection (RFC 9110 §7.6.1), to the length of one body, or to one browser. */
const notCopied = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'accept-encoding',
  'accept-language',
  'user-agent',
  'priority',
  'dnt',
  'upgrade-insecure-requests',
  'cache-control',
  'pragma',
  'if-none-match',
  'if-modified-since',
  'sec-gpc',
]);

/** Whether a header belongs into a copy, because it describes the request itself. */
export function isCopied(name: string, value: string): boolean {
  const plain = name.toLowerCase();
  if (plain === 'accept') return value !== '*/*';
  return !notCopied.has(plain) && !plain.startsWith('sec-fetch-') && !plain.startsWith('sec-ch-');
}

/** A recorded request as a call of this sandbox at `origin`. */
export function callOf({ method, exchange }: { method: string; exchange: Exchange }, origin: string): HttpCall {
  return {
    method,
    url: origin + exchange.url,
    headers: headersOf(exchange.requestHeaders).filter(([name, value]) => isCopied(name, value)),
    ...(exchange.requestBody === undefined ? {} : { body: exchange.requestBody.text }),
  };
}
