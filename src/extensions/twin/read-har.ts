import { isRecord } from '../../base/text/record.ts';
import { readJson } from '../import/read-json.ts';
import type { SampleMembers } from './samples.ts';

/** One request of a recording, with its answer. */
export interface RecordedExchange {
  readonly method: string;
  readonly url: URL;
  /** The parameters of the query and of a form. */
  readonly parameters: URLSearchParams;
  readonly headers: ReadonlyMap<string, string>;
  readonly status: number;
  readonly answered: ReadonlyMap<string, string>;
  /** The body of the answer, if it is a JSON object or a form. */
  readonly body: SampleMembers | undefined;
}

/** Bounds for hostile recordings. */
const mostEntries = 5000;
const mostBody = 1024 * 1024;
const mostParameters = 200;

/** The exchanges of a HAR file (http://www.softwareishard.com/blog/har-12-spec/); undefined for any other file. */
export function readHar(value: unknown): readonly RecordedExchange[] | undefined {
  const log = isRecord(value) && isRecord(value.log) ? value.log : undefined;
  if (!Array.isArray(log?.entries)) return undefined;
  return log.entries.slice(0, mostEntries).flatMap(entry => exchangeOf(entry) ?? []);
}

function exchangeOf(entry: unknown): RecordedExchange | undefined {
  const request = isRecord(entry) && isRecord(entry.request) ? entry.request : {};
  const response = isRecord(entry) && isRecord(entry.response) ? entry.response : {};
  const { url } = request;
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const target = new URL(url);
  const answered = headersOf(response.headers);
  return {
    method: String(request.method ?? 'GET').toUpperCase(),
    url: target,
    parameters: parametersOf(target, request.postData),
    headers: headersOf(request.headers),
    status: Number(response.status ?? 0),
    answered,
    body: bodyOf(response.content, answered),
  };
}

function headersOf(list: unknown): ReadonlyMap<string, string> {
  const pairs = Array.isArray(list) ? list.slice(0, mostParameters) : [];
  return new Map(
    pairs.flatMap(pair =>
      isRecord(pair) && typeof pair.name === 'string' ? [[pair.name.toLowerCase(), String(pair.value ?? '')]] : [],
    ),
  );
}

/** `params` of a form, or its text; Auth0 sends JSON. */
function parametersOf(url: URL, sent: unknown): URLSearchParams {
  const all = new URLSearchParams([...url.searchParams].slice(0, mostParameters));
  if (!isRecord(sent)) return all;
  const text = typeof sent.text === 'string' ? sent.text.slice(0, mostBody) : '';
  const json = text.trimStart().startsWith('{') ? objectIn(text) : undefined;
  const params = Array.isArray(sent.params) ? sent.params.slice(0, mostParameters) : [];
  const pairs: (readonly [string, string])[] = [
    ...params.flatMap(each =>
      isRecord(each) ? [[String(each.name), decoded(String(each.value ?? ''))] as const] : [],
    ),
    ...(params.length === 0 && json === undefined ? new URLSearchParams(text) : []),
    ...Object.entries(json ?? {}).map(([name, value]) => [name, String(value)] as const),
  ];
  for (const [name, value] of pairs.slice(0, mostParameters)) all.append(name, value);
  return all;
}

/** Some browsers record parameters encoded. */
function decoded(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('v') ?? text;
}

function bodyOf(content: unknown, headers: ReadonlyMap<string, string>): SampleMembers | undefined {
  if (!isRecord(content) || typeof content.text !== 'string' || content.text.length > mostBody) return undefined;
  const text = content.encoding === 'base64' ? Buffer.from(content.text, 'base64').toString('utf8') : content.text;
  const type = String(content.mimeType ?? headers.get('content-type') ?? '');
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  return objectIn(text);
}

function objectIn(text: string): SampleMembers | undefined {
  const read = readJson(text);
  return 'value' in read && isRecord(read.value) ? read.value : undefined;
}
