import { type Exchange, headersOf } from '../base/events/exchange.ts';

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

/** A command for a POSIX shell. Neither the shell nor curl expands anything in it: no variable, no `@file`, no `{a,b}`. */
export function asCurl({ method, url, headers, body }: HttpCall): string {
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const parts = [
    `curl ${[...methodOf(method, body), ...urlFlags(url), quote(url)].join(' ')}`,
    ...headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // curl would label any body as a form
    ...(body === undefined || hasType ? [] : [`-H 'Content-Type:'`]),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

function methodOf(method: string, body: string | undefined): string[] {
  if (method === 'HEAD') return ['--head'];
  const implied = body === undefined ? 'GET' : 'POST';
  return method === implied ? [] : ['-X', quote(method)];
}

function urlFlags(url: string): string[] {
  return [...(/[[\]{}]/.test(url) ? ['--globoff'] : []), ...(/\/\.{1,2}(?:\/|$|\?)/.test(url) ? ['--path-as-is'] : [])];
}

/** Quotes a word for a POSIX shell. In single quotes, only the quote itself must be escaped. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A `fetch` call for Node, Deno, Bun or the console of a browser, which sets `Cookie` and `Origin` itself. */
export function asFetch({ method, url, headers, body }: HttpCall): string {
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)},`]),
    ...headersLines(headers),
    ...(body === undefined ? [] : [`body: ${literal(body)},`]),
    `redirect: 'manual',`,
  ];
  return [
    `const response = await fetch(${literal(url)}, {`,
    ...lines.map(line => `  ${line}`),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function headersLines(headers: HttpCall['headers']): string[] {
  if (headers.length === 0) return [];
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  // an object cannot have the same name twice
  if (names.size < headers.length) {
    return ['headers: [', ...headers.map(([name, value]) => `  [${literal(name)}, ${literal(value)}],`), '],'];
  }
  return ['headers: {', ...headers.map(([name, value]) => `  ${literal(name)}: ${literal(value)},`), '},'];
}

function literal(text: string): string {
  const json = JSON.stringify(text);
  return /["'\\]/.test(text) || json.length !== text.length + 2 ? json : `'${text}'`;
}

/**
 * A request for `.http` files (JetBrains, the REST Client of VS Code, Visual Studio). The format has no quotes, so lines that
 * would begin a new request, read a file or name a variable cannot be written. A body with such a line is left out.
 */
export function asHttpFile({ method, url, headers, body }: HttpCall): string {
  const head = [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)].map(line => line.trimEnd());
  if (head.some(line => line.includes('{{')))
    return '# A part of the request would name a variable in such a file. Use curl instead.\n';
  if (body === undefined) return `${head.join('\n')}\n`;
  if (cannotBeWritten(body)) {
    return ['# The body has a line with a special meaning in such a file. Use curl for it.', ...head, ''].join('\n');
  }
  return `${head.join('\n')}\n\n${body}\n`;
}

function cannotBeWritten(body: string): boolean {
  return /^(?:###|<|>)|\{\{|\r/m.test(body);
}

/** A request in all formats, for `partials/copies.ejs`. `prefix` keeps ids unique if a page shows several requests. */
export function copiesOf(call: HttpCall, prefix = 'copy') {
  return [
    { id: `${prefix}-curl`, name: 'curl', code: asCurl(call) },
    { id: `${prefix}-fetch`, name: 'fetch', code: asFetch(call) },
    { id: `${prefix}-http`, name: '.http', code: asHttpFile(call) },
  ];
}
