import type { IncomingMessage, ServerResponse } from 'node:http';
import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/text/record.ts';
import { type AuthorizationServer, endpointUrl } from '../../protocol/authorization-server.ts';
import { spokenError } from '../../protocol/endpoints/deliver-response.ts';
import type { EndpointRequest, Page, Reply } from '../../protocol/endpoints/endpoint.ts';
import { invalidRequest, OAuthError } from '../../protocol/errors.ts';
import { describeValue, parseParameters, type RequestParameters, shorten } from '../../protocol/parameters.ts';
import { resourceMetadataUrl } from '../../protocol/protected-resource.ts';
import type { ScopeDefinition } from '../../protocol/scope.ts';
import type { Fate, FaultAnswer } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { peerCertificate } from '../tls/peer-certificate.ts';
import { type Answer, isPage, jsonAnswer, prepared, redirectAnswer, send, textAnswer } from './answer.ts';
import type { Cookies } from './cookies.ts';
import type { ErrorForm } from './error-replies.ts';
import type { Explaining } from './explained.ts';
import { createBackchannelCheck } from './hosts.ts';
import { createPreferences, themed } from './preferences.ts';
import { readJson } from './read-json.ts';
import { onlyAuthorization, rawQuery, readAnywhere, readParameters } from './read-parameters.ts';
import { contextOf, type Handler, type RequestContext } from './request-context.ts';
import type { Views } from './views.ts';

/** Parts of the adapter, which connects HTTP requests to endpoints. */
export interface AdapterOptions extends RefusalOptions {
  readonly cookies: Cookies;
  readonly renderPage: (page: Page, req: IncomingMessage) => Promise<Answer>;
  /** Faults for a request with this `Sandbox-Fault` header; undefined: none. */
  readonly faults?: (asked: string | undefined) => Promise<Faults> | undefined;
}

/**
 * Result of a handler made with `answering`: an answer, with the session that began with it, or a reply still to be
 * written.
 */
export type HandlerOutcome = (Answer & Pick<Reply, 'signedIn'>) | Reply;

/** Type of a body. `parameters` is a form, or JSON with the same parameters; `anywhere` a form, whose parameters may also be in the query. */
export type BodyKind = 'json' | 'parameters' | 'anywhere';

/** An endpoint of the authorization server. */
export type EndpointFunction = (server: AuthorizationServer, request: EndpointRequest) => Promise<Reply>;

const noParameters = parseParameters('');

/** The body of a handler; errors it throws are reported to the caller. */
export type Work = (req: IncomingMessage, context: RequestContext) => Promise<HandlerOutcome>;

export interface Adapter {
  /** An endpoint as a handler, with the form its errors take. */
  serve(endpoint: EndpointFunction, form: ErrorForm, body?: BodyKind): Handler;
  /** Any work as a handler. Errors it throws are answered in the given form. */
  answering(form: ErrorForm, work: Work): Handler;
  /** An endpoint as a handler that keeps the answer and sends it again until the server state it depends on has changed. */
  serveOnce(endpoint: EndpointFunction, form: ErrorForm, cacheControl: string): Handler;
  /** The reply of an endpoint to a request whose parameters were read already. */
  ask(endpoint: EndpointFunction, req: IncomingMessage, ...read: Parts): Promise<HandlerOutcome>;
  endpointRequest(req: IncomingMessage, ...read: Parts): EndpointRequest;
}

/** Parts of a request that take time to read. */
type Parts = [parameters: RequestParameters, json?: unknown];

export function createAdapter(options: AdapterOptions): Adapter {
  const { server } = options;
  const isBackchannel = createBackchannelCheck(server.backchannelUrl);
  const known = { ...options, isBackchannel };
  const requestOf: Adapter['endpointRequest'] = (req, ...read) => endpointRequest(known, req, ...read);
  const ask: Adapter['ask'] = (endpoint, req, ...read) => askEndpoint(options, endpoint, req, requestOf(req, ...read));

  const preferences = createPreferences(server.issuer);

  async function answerOf(form: ErrorForm, outcome: Promise<HandlerOutcome>, req: IncomingMessage): Promise<Answer> {
    try {
      return await toAnswer(options, await outcome, req);
    } catch (error) {
      return refuse(options, form, error, req);
    }
  }

  function answering(form: ErrorForm, work: Work): Handler {
    return (req, res) => {
      const context = contextOf(req);
      answerOf(form, work(req, context), req)
        .then(answer => send(res, isPage(answer) ? themed(answer, preferences.read(req).theme) : answer))
        .catch(error => giveUp(options, res, error, context));
    };
  }

  function serveOnce(endpoint: EndpointFunction, form: ErrorForm, cacheControl: string): Handler {
    /** Keyed by path, because a route may contain a name, and by whether a back end asks. Refusals are not kept. */
    const made = new Map<string, Answer>();
    const keyOf = (req: IncomingMessage) => (isBackchannel(req) ? `backchannel ${pathOf(req)}` : pathOf(req));
    const seen = createSeen(server);
    const make = answering(form, async req => {
      if (!seen.isLatest()) made.clear();
      seen.look(); // taken before the work, so that a key added meanwhile makes the answer stale
      const { headers, ...answer } = await toAnswer(options, await endpoint(server, requestOf(req, noParameters)), req);
      const kept = { ...headers, 'Cache-Control': cacheControl, Vary: 'Origin' };
      const ready = prepared({ ...answer, headers: kept });
      made.set(keyOf(req), ready);
      return ready;
    });
    return (req, res) => {
      if (options.faults?.(askedFaults(req.headers)) !== undefined) return serve(endpoint, form)(req, res);
      const ready = seen.isLatest() ? made.get(keyOf(req)) : undefined;
      if (ready === undefined) make(req, res);
      else send(res, ready);
    };
  }

  function serve(endpoint: EndpointFunction, form: ErrorForm, body?: BodyKind): Handler {
    return answering(form, async req => {
      const isJson = body === 'json';
      const parameters = isJson ? parseParameters(rawQuery(req)) : await readerOf(body)(req);
      return ask(endpoint, req, parameters, isJson ? await readJson(req) : undefined);
    });
  }

  return { answering, serveOnce, serve, ask, endpointRequest: requestOf };
}

function readerOf(body: BodyKind | undefined): typeof readParameters {
  if (body === 'parameters') return readJsonParameters;
  return body === 'anywhere' ? readAnywhere : readParameters;
}

function endpointRequest(
  options: AdapterOptions & { readonly isBackchannel: (req: IncomingMessage) => boolean },
  req: IncomingMessage,
  ...[parameters, json]: Parts
): EndpointRequest {
  const { cookies } = options;
  const { id, emit } = contextOf(req);
  const { accept, dpop, origin } = req.headers;
  const authorization = onlyAuthorization(req);
  const certificate = options.server.features.has('mtls') ? peerCertificate(req.socket) : undefined;
  const sessionId = cookies.read(req, cookies.session);
  const browserId = cookies.read(req, cookies.browser);
  const errorUri = options.errorUris ? options.explanationOf(id) : undefined;
  return defined({
    method: req.method ?? '',
    path: pathOf(req),
    parameters: options.server.dialect?.parameters(parameters) ?? parameters,
    emit,
    isBackchannel: options.isBackchannel(req) || undefined,
    authorization,
    certificate,
    accept,
    origin,
    dpop: dpop === undefined ? undefined : String(dpop),
    json,
    sessionId,
    browserId,
    errorUri,
  });
}

/** The answer, with the cookies of a session that began with it. */
async function toAnswer(options: AdapterOptions, outcome: HandlerOutcome, req: IncomingMessage): Promise<Answer> {
  const answer = await written(options, outcome, req);
  if (outcome.signedIn === undefined) return answer;
  const { sessionCookies } = await import('./signin/start-login.ts');
  return { ...answer, cookies: [...(answer.cookies ?? []), ...sessionCookies(options, outcome.signedIn)] };
}

async function written(
  { renderPage, views, cookies, server }: AdapterOptions,
  outcome: HandlerOutcome,
  req: IncomingMessage,
): Promise<Answer> {
  if (!('kind' in outcome)) return outcome;
  if (outcome.kind === 'json') return jsonAnswer(outcome.status, outcome.body, outcome.headers);
  if (outcome.kind === 'text') return textAnswer(outcome.type, outcome.body, outcome.headers);
  if (outcome.kind === 'empty') return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: '' };
  if (outcome.kind === 'redirect') {
    const answer = redirectAnswer(req.method === 'POST' ? 303 : 302, outcome.location);
    return 'loggedOut' in outcome ? { ...answer, cookies: cookies.loggedOut } : answer;
  }
  if (outcome.kind === 'page') return renderPage(outcome.page, req);
  return (await import('./signin/response-page.ts')).responsePage({ views, dialect: server.dialect }, outcome, req);
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** The last resort, for when even the error answer failed. */
function giveUp({ onError }: AdapterOptions, res: ServerResponse, error: unknown, { id }: RequestContext): void {
  onError(error, id);
  send(res, jsonAnswer(500, { error: 'server_error' }));
}

/**
 * Snapshot of the server state the metadata document depends on; tells whether the cached document is stale. Keys and scopes change while a server runs, and a changed scope is a new object; all other members are replaced as a
 * whole.
 */
function createSeen(server: AuthorizationServer) {
  let keys = '';
  let scopes: readonly ScopeDefinition[] = [];
  let lists: readonly unknown[] = [];

  function hasSameScopes(): boolean {
    if (server.scopes.size !== scopes.length) return false;
    let place = 0;
    for (const scope of server.scopes.values()) if (scope !== scopes[place++]) return false;
    return true;
  }
  return {
    /** True while the snapshot still matches. Called on every metadata request, so it must not allocate. */
    isLatest: () =>
      keys === server.keys.revision() &&
      lists[0] === server.protectedResources &&
      lists[1] === server.authorizationDetailsTypes &&
      lists[2] === server.acrValues &&
      lists[3] === server.dropIns?.metadataOverrides &&
      hasSameScopes(),
    look(): void {
      keys = server.keys.revision();
      scopes = [...server.scopes.values()];
      lists = [
        server.protectedResources,
        server.authorizationDetailsTypes,
        server.acrValues,
        server.dropIns?.metadataOverrides,
      ];
    },
  };
}

/** Parts of the answer to a refused request. */
interface RefusalOptions {
  readonly server: AuthorizationServer;
  readonly views: Views;
  /** The page of a request in the dashboard; undefined when that is off. */
  readonly explanationOf: (requestId: string) => string | undefined;
  /** Adds an `error_uri` to errors on the wire. */
  readonly errorUris: boolean;
  /** Data that the error page needs for its explanation. */
  readonly explaining: () => Promise<Explaining>;
  readonly onError: (error: unknown, requestId: string) => void;
}

/** Logs a refusal and answers it. An error that is not an OAuthError is our own failure, whose cause is only logged. */
async function refuse(
  options: RefusalOptions,
  form: ErrorForm,
  thrown: unknown,
  req: IncomingMessage,
): Promise<Answer> {
  const { id, emit, endpoint, ...context } = contextOf(req);
  const error = thrown instanceof OAuthError ? thrown : ownFailure(thrown);
  if (error !== thrown) options.onError(thrown, id);
  const { sent, expected, about, client_id = context.client_id } = error.details;
  emit({
    type: 'error.returned',
    endpoint,
    form: form.name,
    status: error.status,
    error: error.code,
    reason: error.reason,
    description: error.fullDescription,
    ...defined({ client_id, sent, expected }),
    ...(about === undefined ? {} : { about: about.tokenId, authorizationId: about.authorizationId }),
  });
  const asked = { url: req.url, headers: req.headers, client_id };
  const explanation = options.explanationOf(id);
  const errorContext = {
    requestId: id,
    explanation,
    errorUri: options.errorUris ? explanation : undefined,
    resourceMetadata: userinfoMetadata(options.server),
    acceptsHtml: acceptsHtml(req),
    canRetry: req.method === 'GET',
    views: options.views,
    req,
    explained: () => explain(options, req),
  };
  return withHelp(await form.answer(spokenError(options.server, error, asked), errorContext), explanation);
}

/** Loads the explanation with the first error page. If the explanation fails, the error is shown without it. */
async function explain({ explaining, onError }: RefusalOptions, req: IncomingMessage) {
  try {
    const { explained } = await import('./explained.ts');
    const parts = await explaining();
    await parts.known.events.caughtUp();
    return explained(parts, req);
  } catch (error) {
    onError(error, contextOf(req).id);
    return undefined;
  }
}

/** Adds a `Link` to the page that explains the refusal (RFC 8288 §3). */
function withHelp(answer: Answer, explanation: string | undefined): Answer {
  if (explanation === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, Link: `<${explanation}>; rel="help"` } };
}

function userinfoMetadata(server: AuthorizationServer): string | undefined {
  const isOn = server.features.has('protected-resource-metadata');
  return isOn ? resourceMetadataUrl(endpointUrl(server, 'userinfo')) : undefined;
}

function ownFailure(cause: unknown): OAuthError {
  return new OAuthError('server_error', 'internal', 'the sandbox failed; its log says why', { cause });
}

function acceptsHtml({ headers: { accept } }: IncomingMessage): boolean {
  return accept === undefined || /text\/(html|\*)|\*\/\*/i.test(accept);
}

/**
 * The parameters of a form, or of a JSON object whose members are texts, numbers, true or false.
 * @throws invalid_request for other members
 */
async function readJsonParameters(req: IncomingMessage): Promise<RequestParameters> {
  if (req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json')
    return readParameters(req);
  const body = await readJson(req);
  if (!isRecord(body)) throw malformed('the body', body, 'a JSON object');
  const pairs = Object.entries(body).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(name, value)]]));
  return parseParameters(new URLSearchParams(pairs).toString());
}

/** Parameters whose value is JSON also in a form (RFC 9396 §2, OIDC Core §5.5; `user_metadata` of a sign-up). */
const jsonNames = ['authorization_details', 'claims', 'user_metadata'];

function textOf(name: string, value: unknown): string {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  if (jsonNames.includes(name)) return JSON.stringify(value);
  throw malformed(shorten(name, 60), value, 'text');
}

function malformed(member: string, value: unknown, expected: string) {
  return invalidRequest('body_malformed', `${member} must be ${expected}`, { sent: describeValue(value), expected });
}

/** The `Sandbox-Fault` header of a request; several headers are joined by commas. */
export function askedFaults(headers: { readonly [name: string]: string | string[] | undefined }): string | undefined {
  const asked = headers['sandbox-fault'];
  return asked === undefined ? undefined : String(asked);
}

/** Resolves when the caller hangs up. The request itself ends as soon as it was read, so this watches the socket. */
export function goneOf({ socket }: IncomingMessage): Promise<unknown> {
  return socket.destroyed ? Promise.resolve() : new Promise(resolve => socket.once('close', resolve));
}

/** A server, and the faults of its requests. */
interface Asked {
  readonly server: AuthorizationServer;
  readonly faults?: AdapterOptions['faults'];
}

/** Calls an endpoint, through the faults of this request if there are any. */
async function askEndpoint(
  { server, faults }: Asked,
  endpoint: (server: AuthorizationServer, request: EndpointRequest) => Promise<Reply>,
  req: IncomingMessage,
  request: EndpointRequest,
): Promise<Reply | FaultAnswer> {
  const asked = askedFaults(req.headers);
  const meeting = faults?.(asked);
  if (meeting === undefined) return endpoint(server, request);
  const context = contextOf(req);
  const cut = (fate: Fate) => {
    context.fate = fate;
  };
  const faulted = { endpoint: context.endpoint, asked, emit: context.emit, cut, gone: () => goneOf(req) };
  return (await meeting).around(server, request, faulted, endpoint);
}
