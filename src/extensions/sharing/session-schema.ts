import * as v from 'valibot';
import type { CoreEvent, EventFact, EventType } from '../../base/events/event.ts';
import { isRecord } from '../../base/text/record.ts';
import { sessionFormat, sessionVersion } from '../../record/flows/exports/json.ts';
import { flowKinds, joinRules } from '../../record/flows/flow.ts';
import { flag, id, maybe, number, type RecordedAs, recordedAs, text, texts, word } from '../../sandbox/recorded.ts';

/** Any JSON object. Names that would change a prototype are left out. */
const anyObject = v.record(text, v.unknown(), 'an object');

const registered = { client_id: text, client_name: text, redirect_uris: texts, scope: text };
const decided = { authorizationId: text, client_id: text, sub: text };
const by = word('dashboard', 'api', 'library');
const channel = { client_id: text, url: text, status: maybe(number), milliseconds: maybe(number) };
const issued = {
  tokenId: id,
  token: text,
  authorizationId: text,
  parentTokenId: maybe(id),
  client_id: text,
  sub: maybe(text),
  scope: maybe(text),
  iat: number,
  exp: number,
};
const ended = { tokenId: id, authorizationId: text, client_id: text };
const amr = { sub: text, sid: text, amr: texts };
const loginRules = ['click', 'password', 'next_login', 'sandbox_login', 'login_hint', 'client', 'environment'] as const;
const effects = [
  ...(['wait', 'hold', 'rotate', 'demand_nonce', 'race', 'answer'] as const),
  ...(['bend', 'respond', 'replace', 'forge', 'cut'] as const),
] as const;

/** The members of each event of the core that pages read. */
const coreShapes: RecordedAs<Exclude<CoreEvent['type'], Elsewhere>> = recordedAs({
  'client.authenticated': { client_id: text, method: text },
  'token.requested': { client_id: text, grant_type: text, scope: maybe(text), ignored: texts },
  'authorization.requested': {
    ...{ client_id: text, redirect_uri: text, response_type: text, response_mode: text },
    ...{ source: maybe(word('pushed', 'request_object')), scope: maybe(text), prompt: maybe(text) },
    ...{ code_challenge_method: maybe(text), ignored: texts },
  },
  'authorization.pushed': {
    ...{ client_id: text, redirect_uri: text, request_uri: text, scope: maybe(text), isSigned: flag, ignored: texts },
  },
  'login.succeeded': {
    ...{ ...amr, client_id: maybe(text), by: maybe(word(...loginRules, 'control')), edited: maybe(texts) },
    ...{ silently: maybe(v.literal(true)) },
  },
  'answer.replaced': {
    ...{ client_id: text, choice: word('wrong_state', 'no_answer') },
    ...{ by: word('login_screen', 'next_login', 'control') },
  },
  'device.requested': {
    ...{ authorizationId: text, client_id: text, scope: maybe(text), user_code: text },
    ...{ verification_uri_complete: text, exp: number, ignored: texts },
  },
  'device.approved': decided,
  'device.denied': decided,
  'ciba.requested': {
    ...{ ...decided, scope: text, binding_message: maybe(text), delivery: word('poll', 'ping') },
    ...{ approvals_uri: text, exp: number, ignored: texts },
  },
  'ciba.approved': decided,
  'ciba.denied': decided,
  'ciba.notified': { authorizationId: text, ...channel, failure: maybe(text) },
  'consent.granted': { sub: text, client_id: text, scope: maybe(text), withheld: texts, remembered: flag },
  'consent.denied': { sub: text, client_id: text },
  'code.issued': { ...issued, redirect_uri: text },
  'token.issued': {
    ...{ ...issued, tokenType: word('access', 'refresh', 'id'), format: word('jwt', 'opaque'), grant_type: text },
    ...{ kid: maybe(text), alg: maybe(text), signed: maybe(text), edited: maybe(texts) },
    ...{ written: maybe(v.object({ by: text, claims: texts })), ruled: maybe(v.record(text, text)) },
    ...{ requested: maybe(texts), resources: maybe(texts), unknownResources: maybe(texts) },
    ...{ claims: maybe(anyObject), minted: maybe(v.literal(true)) },
    defect: maybe(text),
  },
  'token.revoked': {
    ...{ authorizationId: text, client_id: text },
    reason: word(
      ...(['code_replayed', 'refresh_token_reused', 'revoked_by_client'] as const),
      ...(['revoked_by_owner', 'session_ended'] as const),
    ),
  },
  'token.ended': ended,
  'token.resumed': ended,
  'token.introspected': {
    ...{ client_id: text, about: maybe(id), issuedTo: maybe(text) },
    state: word(
      ...(['active', 'expired', 'ended', 'not_yet_valid', 'revoked'] as const),
      ...(['replaced', 'key_withdrawn', 'unknown'] as const),
    ),
  },
  'token.used': { ...ended, endpoint: word('api', 'userinfo'), sub: maybe(text) },
  'session.ended': {
    ...{ sub: text, sid: text, client_id: maybe(text), replacedBy: maybe(text), endedBy: maybe(v.literal('owner')) },
  },
  'logout.notified': { ...channel, sid: text, channel: word('back', 'front'), failure: maybe(text) },
  'error.returned': {
    ...{ endpoint: text, status: number, error: text, reason: text, description: text, sent: maybe(text) },
    ...{ expected: maybe(text), client_id: maybe(text), about: maybe(id), authorizationId: maybe(text) },
    form: word('json', 'page', 'redirect', 'challenge', 'problem', 'cors'),
  },
  'key.created': { kid: text, alg: text },
  'key.rotated': { alg: text, kid: text, replaced: text, publishedUntil: number },
  'client_keys.fetched': { client_id: text, jwks_uri: text, kids: texts },
  'client.registered': registered,
  'client.updated': registered,
  'client.deleted': { client_id: text },
  'client_document.fetched': { client_id: text, keptFor: number, milliseconds: number },
  'client_document.refused': { client_id: text, description: text },
  'sandbox.reset': { part: maybe(word('history', 'configuration', 'resources', 'sessions', 'clock', 'faults')) },
  'state.imported': { by },
  'configuration.changed': {
    ...{ what: word('client', 'user', 'scope', 'collection', 'keys', 'rules'), subject: text, members: texts },
    ...{ change: word('created', 'changed', 'deleted'), by: word('dashboard', 'api', 'library', 'login_screen') },
  },
  'issuer.created': { issuer: text, expiresAt: maybe(number), by: word('api', 'library', 'request') },
  'issuer.ended': { issuer: text, by: word('dashboard', 'api', 'library', 'lifetime') },
  'clock.changed': { who: word('all', 'issuer', 'api'), by, offset: number, frozen: maybe(v.literal(true)) },
  'response.held': { breakpointId: text, endpoint: text, status: number, location: maybe(text) },
  'response.continued': { endpoint: text, by: word('call', 'breakpoint', 'time', 'gone') },
  'fault.applied': {
    ...{ fault: text, effect: word(...effects), faultId: maybe(text), endpoint: text },
    ...{ client_id: maybe(text), sub: maybe(text) },
  },
  'fault.armed': {
    ...{ faultId: text, fault: text, endpoint: text, client_id: maybe(text), sub: maybe(text), by },
    times: v.union([number, v.literal('always')], 'a number, or always'),
  },
  'fault.disarmed': { faultId: text, fault: text, met: number },
});

/** An event of a session file with its place in the history. */
type FileEvent = FileFact & { readonly id: number; readonly at: number };

const stamp = v.object({ id: number, at: number });

/** Checks an event. An event of a type that this version does not know is undefined: a newer version wrote it. */
const fileEvent = (shapes: Readonly<Record<string, v.GenericSchema>>) =>
  v.pipe(
    v.looseObject({ type: text }, 'an event'),
    v.rawTransform<{ type: string }, FileEvent | undefined>(({ dataset, addIssue }) => {
      const { type } = dataset.value;
      const known = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
      if (known === undefined) return undefined;
      const read = v.safeParse(v.intersect([known, stamp]), dataset.value);
      if (read.success && isRecord(read.output)) return read.output as FileEvent; // its type chose the schema
      for (const { message, path, input } of read.issues ?? [])
        addIssue({ message, input, ...(path === undefined ? {} : { path }) } as Parameters<typeof addIssue>[0]);
      return undefined;
    }),
  );

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

const request = (shapes: Parameters<typeof fileEvent>[0]) =>
  v.object({
    ...{ id: number, at: number, requestId: id, endpoint: text, method: text, path: text, status: number },
    ...{ milliseconds: number, faults: maybe(texts), by: maybe(text), url: text, ip: text },
    ...{ request: message, response: message, events: v.array(fileEvent(shapes), 'a list of events') },
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

/** A session file with the events of the core and these. Members that this version does not know are left out. */
export const sessionSchema = (added: Partial<RecordedAs<EventType>> = {}) =>
  v.object({
    format: v.literal(sessionFormat, `"${sessionFormat}"`),
    version: v.literal(sessionVersion, `${sessionVersion}: a newer version of Grantbox wrote the file`),
    issuer: address,
    exportedAt: number,
    redacted: flag,
    flows: list(flow, 'flows'),
    requests: list(request({ ...added, ...coreShapes }), 'requests'),
    problems: maybe(list(problem, 'problems')),
    setup: maybe(v.union([setup, v.strictObject({})], 'an object with clients, users, scopes, settings and clock')),
  });

export type FileSession = v.InferOutput<ReturnType<typeof sessionSchema>>;

export type FileRequest = FileSession['requests'][number];

/** Events that belong to no request of a client, and the request itself, which a file writes in a different form. */
type Elsewhere = 'request.completed' | 'page.served' | 'configuration.reloaded' | 'configuration.refused';

type FileFact = Exclude<EventFact, { type: Elsewhere }>;
