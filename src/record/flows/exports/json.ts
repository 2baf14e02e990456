import { headersOf, type RecordedBody } from '../../../base/events/exchange.ts';
import { isRecord } from '../../../base/text/record.ts';
import type { TextPieces } from '../../../base/turns.ts';
import type { Export, ExportedRequest } from './export.ts';

interface SessionExtras {
  readonly problems: Iterable<object>;
  readonly setup: object;
}

/** The `format` of a session file. */
export const sessionFormat = 'grantbox-session';

/** The `version` of a session file. */
export const sessionVersion = 1;

/** Writes the full model for scripts and agents, and to be opened again. */
export function* asJson(exported: Export, { problems, setup }: SessionExtras = noExtras): TextPieces {
  const { issuer, exportedAt, redacted, flows, requests, stringify } = exported;
  const head = { format: sessionFormat, version: sessionVersion, issuer, exportedAt, redacted };
  yield* jsonInPieces({ ...head, flows, requests: modelsOf(requests, requestOf), problems, setup }, stringify);
  yield '\n';
}

const noExtras: SessionExtras = { problems: [], setup: {} };

/** Writes one request per line, oldest first (NDJSON). */
export function* asNdjson({ requests, stringify }: Export): TextPieces {
  for (const request of requests) yield `${stringify(requestOf(request))}\n`;
}

function requestOf({ exchange, facts, type: _, ...request }: ExportedRequest): object {
  const { url, ip, requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  return {
    ...request,
    url,
    ip,
    request: message(requestHeaders, requestBody),
    response: message(responseHeaders, responseBody),
    events: facts.map(({ requestId: _id, ...fact }) => fact),
  };
}

function message(headers: string, body: RecordedBody | undefined): object {
  return { headers: headersOf(headers), body };
}

type Stringify = (value: unknown, indent: number) => string | undefined;

/** An object with a list of so many items is written member by member, and the list item by item. */
const long = 50;

/** Writes what `stringify(value, 2)` would, in short pieces. Lists may be any iterable, whose items are made as they are written. */
export function* jsonInPieces(value: unknown, stringify: Stringify, depth = 0): TextPieces {
  if (isList(value) && (depth === 0 || !isShort(value))) {
    const items = itemsOf(value, stringify, depth + 1);
    return yield* enclosed('[]', items, depth);
  }
  if (isRecord(value) && (depth === 0 || hasLists(value))) {
    return yield* enclosed('{}', membersOf(value, stringify, depth + 1), depth);
  }
  yield stringify(value, 2)?.replaceAll('\n', lineAt(depth)) ?? 'null';
}

type Entry = readonly [name: string, pieces: TextPieces];

function* itemsOf(list: Iterable<unknown>, stringify: Stringify, depth: number): Iterable<Entry> {
  for (const item of list) yield ['', jsonInPieces(item, stringify, depth)];
}

function* membersOf(record: Readonly<Record<string, unknown>>, stringify: Stringify, depth: number): Iterable<Entry> {
  for (const [name, value] of Object.entries(record))
    if (value !== undefined) yield [`${JSON.stringify(name)}: `, jsonInPieces(value, stringify, depth)];
}

function* enclosed([open, close]: string, entries: Iterable<Entry>, depth: number): TextPieces {
  yield open ?? '';
  let separator = '';
  for (const [name, pieces] of entries) {
    yield separator + lineAt(depth + 1) + name;
    yield* pieces;
    separator = ',';
  }
  yield (separator === '' ? '' : lineAt(depth)) + (close ?? '');
}

function lineAt(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}

/** True if a list is inside that is long, or whose items are still to be made. */
function hasLists(value: Readonly<Record<string, unknown>>): boolean {
  return Object.values(value).some(member => isList(member) && !isShort(member));
}

function isShort(list: Iterable<unknown>): boolean {
  return Array.isArray(list) && list.length < long && !list.some(item => isRecord(item) && hasLists(item));
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** The items as they are written, each made when it is its turn. */
export function* modelsOf<T>(items: Iterable<T>, modelOf: (item: T) => object): Generator<object, void, void> {
  for (const item of items) yield modelOf(item);
}
