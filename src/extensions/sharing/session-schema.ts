import * as v from 'valibot';
import { sessionFormat, sessionVersion } from '../../record/flows/exports/json.ts';
import { flowKinds, joinRules } from '../../record/flows/flow.ts';
import { fileEvent } from './event-shapes.ts';
import { flag, id, maybe, number, text, texts, word } from './values.ts';

const status = word('open', 'ok', 'failed', 'abandoned');

const step = v.object({
  ...{ requestId: id, at: number, endpoint: text, method: text, path: text, status: number, milliseconds: number },
  channel: word('front', 'back', 'browser'),
  actor: word('browser', 'client', 'api', 'tool', 'unknown'),
  joinedBy: word(...joinRules),
  faults: maybe(texts),
  refusal: maybe(v.object({ error: text, reason: text, description: text })),
});

const flow = v.object({
  ...{ id, kind: word(...flowKinds), client_id: maybe(text), sub: maybe(text), status },
  ...{ startedAt: number, lastAt: number, lastEventId: number, steps: v.array(step, 'a list of steps') },
  ...{ tokenIds: v.array(id), authorizationIds: texts, redirect_uri: maybe(text), resources: maybe(texts) },
  ...{ sid: maybe(text), waitsUntil: maybe(number), incomplete: flag },
});

const body = v.object({ text, bytes: number, cut: maybe(v.literal(true)) });

/** A line feed would begin another header. */
const headerPart = v.pipe(text, v.regex(/^[^\n]*$/, 'text without a line feed'));

const message = v.object({
  headers: v.array(v.tuple([headerPart, headerPart], 'a name and a value'), 'a list of headers'),
  body: maybe(body),
});

const request = v.object({
  ...{ id: number, at: number, requestId: id, endpoint: text, method: text, path: text, status: number },
  ...{ milliseconds: number, faults: maybe(texts), by: maybe(text), url: text, ip: text },
  ...{ request: message, response: message, events: v.array(fileEvent, 'a list of events') },
});

const pieces = v.array(v.object({ text, differs: flag }), 'a list of pieces');

const comparison = v.object({
  ...{ sentLabel: text, sent: pieces, expectedLabel: text },
  expected: v.array(v.object({ value: pieces, differs: text, about: maybe(text) }), 'a list of values'),
});

const explanation = v.object({
  ...{ title: text, comparison: maybe(comparison), why: text, certainty: word('certain', 'likely'), others: texts },
  fields: maybe(v.array(v.object({ name: text, sent: text, expected: text, isRight: flag }), 'a list of fields')),
  fixes: v.array(
    v.object({ text, snippets: v.array(v.object({ where: text, code: text }), 'a list of snippets') }),
    'a list of fixes',
  ),
  note: maybe(v.object({ title: text, text })),
  references: texts,
});

const problem = v.object({
  ...{ id, kind: word('refusal', 'silent'), client_id: maybe(text), code: text, reason: text, title: text },
  ...{ count: number, firstAt: number, lastAt: number, requestId: id, lastEventId: number, explanation },
  ...{ requestIds: v.array(id, 'a list of ids'), isByTool: maybe(v.literal(true)) },
});

/** Checked where it is used: `grantbox reproduce` reads it as a configuration. */
const entry = v.record(text, v.unknown(), 'an object');
const entries = v.array(entry, 'a list of objects');

const setup = v.object({
  ...{ clients: entries, users: entries, scopes: entries, collections: entries },
  settings: v.record(text, text, 'an object of texts'),
  clock: v.object({ offset: number, frozen: flag }),
});

/** The most requests, flows and problems in a file: those of the longest history. */
const most = 100_000;

function list<const Item extends v.GenericSchema>(item: Item, of: string) {
  return v.pipe(v.array(item, `a list of ${of}`), v.maxLength(most, `at most ${most} ${of}`));
}

const address = v.pipe(
  text,
  v.check(value => /^https?:\/\//i.test(value) && URL.canParse(value), 'an address that begins with http or https'),
);

/** A session file. Members that this version does not know are left out. */
export const sessionSchema = v.object({
  format: v.literal(sessionFormat, `"${sessionFormat}"`),
  version: v.literal(sessionVersion, `${sessionVersion}: a newer version of Grantbox wrote the file`),
  issuer: address,
  exportedAt: number,
  redacted: flag,
  flows: list(flow, 'flows'),
  requests: list(request, 'requests'),
  problems: maybe(list(problem, 'problems')),
  setup: maybe(v.union([setup, v.strictObject({})], 'an object with clients, users, scopes, settings and clock')),
});

export type FileSession = v.InferOutput<typeof sessionSchema>;

export type FileRequest = FileSession['requests'][number];
