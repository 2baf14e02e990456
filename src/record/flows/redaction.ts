import { type Exchange, headerOf, headersOf, type RecordedBody } from '../../base/events/exchange.ts';
import { type Sweep, sweepOf } from './redaction-sweep.ts';
import {
  credentialHeaders,
  formDecoded,
  isMasked,
  maskForm,
  maskJson,
  maskText,
  maskToken,
  type OnSecret,
  redacted,
} from './redaction-text.ts';

/**
 * Removes secrets from an exchange: codes, verifiers, refresh and opaque tokens, passwords, cookies, credentials in headers, and the
 * signatures of JWTs, in URLs, headers, forms, JSON and HTML of the request and the response. `known` has secrets of other exchanges
 * (`secretsOf`) that this one may quote. The recorded sizes do not change.
 */
export function redact(exchange: Exchange, known: Iterable<string> = []): Exchange {
  const { exchange: masked, secrets } = maskedExchange(exchange);
  const sweep = sweepOf(new Set([...known, ...secrets]));
  return sweptExchange(masked, text => redactTextWith(text, sweep));
}

/** An exchange whose secrets are masked where their name tells them, with these secrets, which other parts may quote. */
export function maskedExchange(exchange: Exchange): {
  readonly exchange: Exchange;
  readonly secrets: Iterable<string>;
} {
  const secrets = new Set<string>();
  return { exchange: maskExchange(exchange, secret => void secrets.add(secret)), secrets };
}

/** A masked exchange without the secrets that it quotes, which `sweep` removes from a text. */
export function sweptExchange(masked: Exchange, sweep: (text: string) => string): Exchange {
  return {
    url: sweep(masked.url),
    ip: masked.ip,
    requestHeaders: sweep(masked.requestHeaders),
    ...(masked.requestBody === undefined ? {} : { requestBody: sweepBody(masked.requestBody, sweep) }),
    responseHeaders: sweep(masked.responseHeaders),
    ...(masked.responseBody === undefined ? {} : { responseBody: sweepBody(masked.responseBody, sweep) }),
  };
}

/** The secrets in an exchange, for `redactText` and for `redact` of other exchanges. */
export function secretsOf(exchange: Exchange): ReadonlySet<string> {
  const found = new Set<string>();
  maskExchange(exchange, secret => void found.add(secret));
  return found;
}

/** Removes these secrets in all their spellings, signatures of JWTs, and values such as `code=…` from a text. */
export function redactText(text: string, secrets: Iterable<string>): string {
  return redactTextWith(text, sweepOf(secrets));
}

/** Like `redactText`, for many texts with the same secrets. */
export function redactTextWith(text: string, sweep: Sweep): string {
  return sweep(maskText(text));
}

function sweepBody(body: RecordedBody, sweep: (text: string) => string): RecordedBody {
  return { ...body, text: sweep(body.text) };
}

function maskExchange(exchange: Exchange, onSecret: OnSecret): Exchange {
  const { requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  return {
    url: maskUrl(exchange.url, onSecret),
    ip: exchange.ip,
    requestHeaders: maskHeaders(requestHeaders, onSecret),
    ...(requestBody === undefined ? {} : { requestBody: maskBody(requestBody, requestHeaders, onSecret) }),
    responseHeaders: maskHeaders(responseHeaders, onSecret),
    ...(responseBody === undefined ? {} : { responseBody: maskBody(responseBody, responseHeaders, onSecret) }),
  };
}

/** Masks query and fragment of a URL, which are forms (WHATWG URL §5). */
function maskUrl(url: string, onSecret: OnSecret): string {
  const [, before = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url) ?? [url, url];
  const part = (sign: string, text?: string) => (text === undefined ? '' : sign + maskForm(text, onSecret));
  return `${before}${part('?', query)}${part('#', fragment)}`;
}

function maskHeaders(recorded: string, onSecret: OnSecret): string {
  const masked = headersOf(recorded).map(
    ([name, value]) => `${name}\n${maskHeader(name.toLowerCase(), value, onSecret)}`,
  );
  return masked.join('\n');
}

function maskHeader(name: string, value: string, onSecret: OnSecret): string {
  if (name === 'cookie')
    return value
      .split(/; */)
      .map(pair => maskCookie(pair, onSecret))
      .join('; ');
  if (name === 'set-cookie') {
    const [pair = '', ...attributes] = value.split(';');
    return [maskCookie(pair, onSecret), ...attributes].join(';');
  }
  if (credentialHeaders.has(name)) return maskCredentials(value, onSecret);
  if (name === 'location' || name === 'referer') return maskUrl(value, onSecret);
  return maskText(value, onSecret);
}

function maskCookie(pair: string, onSecret: OnSecret): string {
  const equals = pair.indexOf('=');
  onSecret(pair.slice(equals + 1));
  return pair.slice(equals + 1) === '' ? pair : `${pair.slice(0, equals + 1)}${redacted}`;
}

function maskCredentials(value: string, onSecret: OnSecret): string {
  const [, scheme = '', credentials = ''] = /^([\w-]+ +)?(.*)$/s.exec(value) ?? [];
  if (isMasked(credentials)) return value; // from a file that was redacted before
  onSecret(credentials);
  if (/^basic /i.test(scheme)) {
    // both parts are encoded as a form before they are put together (RFC 6749 §2.3.1)
    for (const part of Buffer.from(credentials, 'base64').toString('utf8').split(':').slice(1))
      onSecret(formDecoded(part));
  }
  return scheme + maskToken(credentials);
}

function maskBody(body: RecordedBody, headers: string, onSecret: OnSecret): RecordedBody {
  const type = headerOf(headers, 'content-type')?.toLowerCase() ?? '';
  return { ...body, text: maskTyped(body.text, type, onSecret) };
}

function maskTyped(text: string, type: string, onSecret: OnSecret): string {
  if (type.startsWith('application/x-www-form-urlencoded')) return maskForm(text, onSecret);
  if (/^application\/(?:[\w.-]+\+)?json/.test(type)) return maskJson(text, onSecret);
  return maskText(text, onSecret);
}
