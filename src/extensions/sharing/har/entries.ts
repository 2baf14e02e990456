import { defined } from '../../../base/defined.ts';
import type { RecordedBody } from '../../../base/events/exchange.ts';
import { isRecord, recordIn } from '../../../base/text/record.ts';

export interface HarEntry {
  /** LoginPlace among the requests that are kept. */
  readonly index: number;
  readonly method: string;
  readonly url: URL;
  /** Parameters of the query, then those of a form or of a JSON object. */
  readonly parameters: URLSearchParams;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  readonly requestBody?: RecordedBody;
  readonly status: number;
  readonly responseHeaders: readonly (readonly [name: string, value: string])[];
  readonly responseBody?: RecordedBody;
  /** The answer as a JSON object; empty if it is not one. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** Where the answer redirects to. */
  readonly location?: URL;
  /** Unix seconds, at the end of the request. */
  readonly at: number;
  readonly milliseconds: number;
}

/** Bounds for hostile recordings. */
const mostEntries = 5000;
const mostHeaders = 200;
const mostParameters = 200;
const mostBody = 64 * 1024;
const longestUrl = 16 * 1024;

/** Reads the requests of a HAR log (http://www.softwareishard.com/blog/har-12-spec/) in the order of their answers. */
export function readEntries(log: Readonly<Record<string, unknown>>): readonly HarEntry[] {
  const entries = Array.isArray(log.entries) ? log.entries.slice(0, mostEntries) : [];
  const read = entries.flatMap(entry => (isRecord(entry) ? (entryOf(entry) ?? []) : []));
  return read.sort((a, b) => a.at - b.at).map((entry, index) => ({ ...entry, index }));
}

function entryOf(entry: Readonly<Record<string, unknown>>): HarEntry | undefined {
  const { request, response, startedDateTime, time } = entry;
  if (!isRecord(request) || !isRecord(response) || typeof request.url !== 'string') return undefined;
  if (request.url.length > longestUrl || !/^https?:/i.test(request.url) || !URL.canParse(request.url)) return undefined;
  const url = new URL(request.url);
  const started = Date.parse(String(startedDateTime)) / 1000;
  const milliseconds = Math.max(0, numberIn(time) ?? 0);
  const requestHeaders = withDefault(
    withDefault(headersOf(request.headers), 'Host', url.host),
    'Content-Type',
    typeOf(request),
  );
  const responseHeaders = headersOf(response.headers);
  const requestBody = sentBody(request.postData);
  const responseBody = answeredBody(response.content);
  const location = locationOf(response, responseHeaders, url);
  return {
    ...{ index: 0, method: methodOf(request.method), url, requestHeaders, responseHeaders, milliseconds },
    ...defined({ requestBody, responseBody, location }),
    parameters: parametersOf(url, requestBody?.text ?? ''),
    status: statusOf(response.status),
    answer: recordIn(responseBody?.text ?? '') ?? {},
    at: (Number.isFinite(started) ? started : 0) + milliseconds / 1000,
  };
}

function methodOf(method: unknown): string {
  const text = String(method).toUpperCase();
  return /^[A-Z]{1,20}$/.test(text) ? text : 'GET';
}

/** 0 in a HAR: the browser got no answer. */
function statusOf(status: unknown): number {
  const number = numberIn(status) ?? 0;
  return Number.isInteger(number) && number >= 0 && number < 1000 ? number : 0;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Some browsers join headers of one name by line feeds. Names of HTTP/2 such as `:path` are left out. */
function headersOf(list: unknown): HarEntry['requestHeaders'] {
  const pairs = Array.isArray(list) ? list.slice(0, mostHeaders) : [];
  return pairs.flatMap(pair => {
    if (!isRecord(pair) || typeof pair.name !== 'string' || typeof pair.value !== 'string') return [];
    const { name, value } = pair;
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) return [];
    return value.split(/\r?\n/).map(line => [name, line] as const);
  });
}

/** A browser may leave out headers that it knows from elsewhere. */
function withDefault(headers: HarEntry['requestHeaders'], name: string, value: string): HarEntry['requestHeaders'] {
  const isThere = value === '' || headers.some(([each]) => each.toLowerCase() === name.toLowerCase());
  return isThere ? headers : [[name, value], ...headers];
}

function typeOf({ postData }: Readonly<Record<string, unknown>>): string {
  const type = isRecord(postData) ? postData.mimeType : undefined;
  return typeof type === 'string' && /^[\w.+/;= -]{1,200}$/.test(type) ? type : '';
}

/** The text of a form, also where a browser recorded only its parameters. */
function sentBody(sent: unknown): RecordedBody | undefined {
  if (!isRecord(sent)) return undefined;
  if (typeof sent.text === 'string' && sent.text !== '') return bodyOf(sent.text);
  const params = Array.isArray(sent.params) ? sent.params.slice(0, mostParameters) : [];
  const pairs = params.flatMap(each => (isRecord(each) ? [[String(each.name), String(each.value ?? '')]] : []));
  return pairs.length === 0 ? undefined : bodyOf(new URLSearchParams(pairs).toString());
}

function answeredBody(content: unknown): RecordedBody | undefined {
  if (!isRecord(content) || typeof content.text !== 'string' || content.text === '') return undefined;
  const isEncoded = content.encoding === 'base64';
  return bodyOf(isEncoded ? Buffer.from(content.text, 'base64').toString('utf8') : content.text);
}

function bodyOf(text: string): RecordedBody {
  const bytes = Buffer.byteLength(text);
  return text.length <= mostBody ? { text, bytes } : { text: text.slice(0, mostBody), bytes, cut: true };
}

function locationOf(
  { redirectURL }: Readonly<Record<string, unknown>>,
  headers: HarEntry['responseHeaders'],
  url: URL,
): URL | undefined {
  const header = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const to = header ?? (typeof redirectURL === 'string' && redirectURL !== '' ? redirectURL : undefined);
  return to !== undefined && to.length <= longestUrl && URL.canParse(to, url) ? new URL(to, url) : undefined;
}

function parametersOf(url: URL, body: string): URLSearchParams {
  const all = new URLSearchParams([...url.searchParams].slice(0, mostParameters));
  const json = body.trimStart().startsWith('{') ? recordIn(body) : undefined;
  const pairs =
    json === undefined
      ? [...new URLSearchParams(body)]
      : Object.entries(json).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  for (const [name, value] of pairs.slice(0, mostParameters)) all.append(name, value);
  return all;
}

/** A request header; the name is in lower case. */
export function headerIn({ requestHeaders }: HarEntry, name: string): string | undefined {
  return requestHeaders.find(([each]) => each.toLowerCase() === name)?.[1];
}
