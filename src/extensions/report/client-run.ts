import type { EventOf } from '../../base/events/event.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { groupInPieces, type Pieces } from '../../base/turns.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { readUnverified } from '../../protocol/unverified-jwt.ts';
import { clientNamed, codeIn, sentHandles, toldHandles } from '../../record/flows/correlation/handles.ts';
import { type Completed, RecordedRequest, requestIn } from '../../record/flows/recorded-request.ts';
import type { Known } from '../../record/problems/known.ts';
import { purposeOf } from '../../record/problems/on-purpose.ts';
import type { SilentFailure, SilentFailures } from '../../record/problems/problem.ts';

/** A refusal with its request, if the history still has it. */
export interface RunRefusal {
  readonly error: EventOf<'error.returned'>;
  readonly request?: RecordedRequest;
}

/** The requests of one client, oldest first, without those that a fault changed or this server sent itself. */
export interface ClientRun {
  readonly client_id: string;
  /** The issuer identifier. */
  readonly iss: string;
  /** Absent if the client is not registered, or no longer is. */
  readonly client?: RegisteredClient;
  readonly requests: readonly RecordedRequest[];
  /** The requests that a fault changed. */
  readonly staged: readonly RecordedRequest[];
  /** The token request with the code of an authorization response; undefined if there was none. */
  redemptionOf(response: RecordedRequest): RecordedRequest | undefined;
  /** The requests of one endpoint, by its name in events. */
  at(endpoint: string): readonly RecordedRequest[];
  request(requestId: string): RecordedRequest | undefined;
  /** Each login once: a request that showed the login page and was repeated with a session counts as one. */
  readonly logins: readonly RecordedLogin[];
  /** The logins that returned a code or token. */
  readonly finished: readonly RecordedLogin[];
  readonly refusals: readonly RunRefusal[];
  readonly issued: readonly IssuedEvent[];
  /** The findings of a detector of silent failures for this client. */
  silences(detector: string): readonly SilentFailure[];
  /** The token or code with this raw value, issued to any client. */
  issuedAs(token: string): IssuedEvent | undefined;
}

/**
 * The runs of all clients in the log, or of the client `only`, sorted by `client_id`.
 */
export function* clientRuns(
  known: Known,
  silent: SilentFailures,
  only: string | undefined,
): Pieces<readonly ClientRun[]> {
  const log = yield* readLog(known, silent);
  const registered = new Map([...known.registered()].map(client => [client.client_id, client]));
  const ids = new Set([...log.own.keys(), ...log.staged.keys()]);
  const runs: ClientRun[] = [];
  for (const id of [...ids].sort()) {
    if (only === undefined || id === only) runs.push(yield* runOf(id, log, registered.get(id)));
  }
  return runs;
}

function* runOf(client_id: string, log: ReadLog, client: RegisteredClient | undefined): Pieces<ClientRun> {
  const requests = log.own.get(client_id) ?? [];
  const byEndpoint = yield* groupInPieces(requests, ({ event }) => event.endpoint);
  const at = (endpoint: string) => byEndpoint.get(endpoint) ?? [];
  const logins: RecordedLogin[] = [];
  for (const request of at('authorize')) {
    logins.push(loginRequest(request, log.pushed));
    yield;
  }
  const refusals: RunRefusal[] = [];
  for (const request of requests) {
    refusals.push(...refusalsIn(log.known, request));
    yield;
  }
  return {
    client_id,
    iss: log.known.iss,
    requests,
    staged: log.staged.get(client_id) ?? [],
    at,
    refusals,
    client,
    redemptionOf: log.redemptionOf,
    request: log.request,
    issuedAs: log.issuedAs,
    logins: onceEach(logins),
    finished: logins.filter(({ isFinished }) => isFinished),
    issued: requests.flatMap(({ facts }) => facts.filter(isIssuedTo(client_id))),
    silences: detector => log.silences(detector, client_id),
  };
}

function isIssuedTo(client_id: string) {
  return (fact: RecordedRequest['facts'][number]): fact is IssuedEvent =>
    (fact.type === 'code.issued' || fact.type === 'token.issued') && fact.client_id === client_id;
}

/** Refusals in a request, without those that were requested on purpose. */
function refusalsIn(known: Known, request: RecordedRequest): RunRefusal[] {
  return request.facts.flatMap(fact => {
    if (fact.type !== 'error.returned') return [];
    return purposeOf(known, { error: fact, request: request.event }) === undefined ? [{ error: fact, request }] : [];
  });
}

/** Requests by `client_id`. */
type ByClient = ReadonlyMap<string, readonly RecordedRequest[]>;

interface ReadLog extends Pick<ClientRun, 'issuedAs' | 'request' | 'redemptionOf'> {
  readonly known: Known;
  readonly own: ByClient;
  readonly staged: ByClient;
  readonly pushed: PushedRequests;
  silences(detector: string, client_id: string): readonly SilentFailure[];
}

function* readLog(known: Known, silent: SilentFailures): Pieces<ReadLog> {
  const { issuedAs } = known.events;
  const requests = yield* allRequests(known);
  const { own, staged, consequences, redemptionOf } = yield* partStaged(requests);
  const byId = new Map([...own, ...consequences].map(request => [request.event.requestId, request]));
  const sender = (request: RecordedRequest) => clientOf(request, issuedAs);
  return {
    known,
    issuedAs,
    redemptionOf,
    pushed: yield* pushedRequests(known),
    request: id => byId.get(id),
    own: yield* groupInPieces(own, sender),
    staged: yield* groupInPieces(staged, sender),
    silences: yield* silencesIn(silent, byId),
  };
}

/** Oldest first. */
function* allRequests({ events }: Known): Pieces<readonly RecordedRequest[]> {
  const requests: RecordedRequest[] = [];
  for (const event of events.keptSince(0, ['request.completed'])) {
    if (events.isKept(event)) requests.push(parsedOnce(event, events));
    yield;
  }
  return requests;
}

const parsed = new WeakMap<Completed, RecordedRequest>();

/** The next report finds it parsed. */
function parsedOnce(event: Completed, events: Known['events']): RecordedRequest {
  const known = parsed.get(event);
  if (known !== undefined) return known;
  const request = new RecordedRequest(event, events.ofRequest(event.requestId));
  parse(request);
  parsed.set(event, request);
  return request;
}

/** Parses the request now: each check reads all requests of a client in one piece, which must stay short. */
function parse(request: RecordedRequest): void {
  void [request.ip, request.query, request.form, request.header('authorization'), request.responseHeader('location')];
}

function* silencesIn(silent: SilentFailures, byId: ReadonlyMap<string, RecordedRequest>): Pieces<ReadLog['silences']> {
  // a correct client does not redeem a code that was not delivered, or came with a wrong state
  const counts = ({ requestId }: SilentFailure) =>
    byId.has(requestId) && byId.get(requestId)?.fact('answer.replaced') === undefined;
  yield* silent.catchUp();
  const found = new Map<string, readonly SilentFailure[]>();
  for (const { name, client_id, failures } of silent.all())
    if (client_id !== undefined) found.set(`${name} ${client_id}`, failures.filter(counts));
  return (name, client_id) => found.get(`${name} ${client_id}`) ?? [];
}

/** Endpoints of the sandbox itself, which are not part of the protocol between client and server. */
const foreign = new Set([
  'dashboard',
  'health',
  'ready',
  'assets',
  'next_login',
  'root',
  'ca',
  'client_certificate',
  'control',
  'control_read',
  'management',
]);

function clientOf(request: RecordedRequest, issuedAs: ClientRun['issuedAs']): string | undefined {
  if (foreign.has(request.event.endpoint)) return undefined;
  const named = clientNamed(request);
  if (named !== undefined) return named;
  const sent = [request.header('authorization')?.split(/\s+/).at(-1), ...hinting.map(name => request.value(name))];
  return sent.map(token => (token === undefined ? undefined : issuedAs(token)?.client_id)).find(id => id !== undefined);
}

/** Parameters whose value identifies the client. */
const hinting = ['access_token', 'id_token_hint', 'token', 'code', 'refresh_token'];

const identity = [
  'state',
  'nonce',
  'code_challenge',
  'redirect_uri',
  'scope',
  'response_type',
  'request_uri',
  'request',
];

function onceEach(logins: readonly RecordedLogin[]): readonly RecordedLogin[] {
  const keyOf = ({ request }: RecordedLogin) => JSON.stringify(identity.map(name => request.value(name)));
  const keyed = logins.map(login => ({ login, key: keyOf(login) }));
  const finished = new Set(keyed.flatMap(({ login, key }) => (login.isFinished ? [key] : [])));
  const last = new Map(keyed.map(({ login, key }) => [key, login]));
  return keyed.flatMap(({ login, key }) =>
    login.isFinished || (!finished.has(key) && last.get(key) === login) ? [login] : [],
  );
}

/** Requests, grouped by whether the client alone is responsible for the result. */
interface Parted {
  /** Requests whose result depends on the client alone. */
  readonly own: readonly RecordedRequest[];
  /** Requests that a fault changed, or that this server sent itself. */
  readonly staged: readonly RecordedRequest[];
  /** Requests with a code or token from a staged request. Their result says nothing about the client. */
  readonly consequences: readonly RecordedRequest[];
  /** The token request with the code of an authorization response; undefined if there was none. */
  redemptionOf(response: RecordedRequest): RecordedRequest | undefined;
}

/** Groups requests, given and returned oldest first; each request is a piece. */
function* partStaged(requests: readonly RecordedRequest[]): Pieces<Parted> {
  const staged: RecordedRequest[] = [];
  const others: RecordedRequest[] = [];
  const touched = new Set<string>();
  const byCode = new Map<string, RecordedRequest>();
  for (const request of requests) {
    const itsStaged = isStaged(request);
    (itsStaged ? staged : others).push(request);
    if (itsStaged) for (const handle of handlesOf(request)) touched.add(handle);
    if (request.event.endpoint === 'token') byCode.set(request.value('code') ?? '', request);
    yield;
  }
  const own: RecordedRequest[] = [];
  const consequences: RecordedRequest[] = [];
  for (const request of others) {
    const isTouched = touched.size > 0 && sentHandles(request).some(handle => touched.has(handle));
    (isTouched ? consequences : own).push(request);
    yield;
  }
  return { staged, own, consequences, redemptionOf: response => byCode.get(codeIn(response) ?? 'none') };
}

/** True for a request that a fault changed, or that the dashboard sent. */
function isStaged(request: RecordedRequest): boolean {
  return request.fact('fault.applied') !== undefined || request.header('grantbox-tool') !== undefined;
}

/**
 * Codes and tokens that a staged request sent or received. Sent ones count as well, because a refresh token may be used up by the
 * staged request.
 */
function handlesOf(request: RecordedRequest): readonly string[] {
  const issued = request.facts.flatMap(fact => ('token' in fact ? [fact.token] : []));
  return [...sentHandles(request), ...issued, ...toldHandles(request)];
}

/** An authorization request with its parameters, whether they were sent directly, pushed or in a signed request object. */
export interface RecordedLogin {
  readonly request: RecordedRequest;
  /** True if it returned a code or a token. */
  readonly isFinished: boolean;
  readonly isPushed: boolean;
  /** A parameter from any of these places; an empty value counts as absent (RFC 6749 §3.1). */
  value(name: string): string | undefined;
  /** False if some parameters are unknown because the request is encrypted, not recorded, or no longer in the history. */
  readonly isReadable: boolean;
}

function loginRequest(request: RecordedRequest, allPushed: PushedRequests): RecordedLogin {
  const uri = request.value('request_uri');
  const pushed = uri === undefined ? undefined : allPushed.get(uri);
  const sources = [request, ...(pushed === undefined ? [] : [pushed])];
  const objects = sources.map(source => source.value('request')).filter(jwt => jwt !== undefined);
  const claims = objects.map(claimsIn);
  const value = (name: string) => {
    const said = [...claims.map(each => textIn(each, name)), ...sources.map(source => source.value(name))];
    return said.find(each => each !== undefined);
  };
  const isWhole = uri === undefined || (pushed !== undefined && [...pushed.form.keys()].length > 0);
  return {
    request,
    value,
    isFinished: request.fact('code.issued', 'token.issued') !== undefined,
    isPushed: uri !== undefined && pushed !== undefined,
    isReadable: isWhole && claims.every(each => each !== undefined),
  };
}

/** Pushed requests by their `request_uri` (RFC 9126 §2.2). */
type PushedRequests = ReadonlyMap<string, RecordedRequest>;

function* pushedRequests({ events }: { readonly events: EventLog }): Pieces<PushedRequests> {
  const pushed = new Map<string, RecordedRequest>();
  for (const { requestId, request_uri } of events.latest('authorization.pushed', events.kept('authorization.pushed'))) {
    const request = requestIn(events.ofRequest(requestId));
    if (request !== undefined) pushed.set(request_uri, request);
    yield;
  }
  return pushed;
}

type Claims = Readonly<Record<string, unknown>> | undefined;

function claimsIn(jwt: string): Claims {
  try {
    return readUnverified(jwt).claims;
  } catch {
    return undefined; // encrypted, or never a JWT
  }
}

function textIn(claims: Claims, name: string): string | undefined {
  const value = claims?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether the request has an S256 code_challenge; `plain` does not count (RFC 9700 §2.1.1). */
export function hasPkce(login: RecordedLogin): boolean {
  return login.value('code_challenge') !== undefined && login.value('code_challenge_method') === 'S256';
}
