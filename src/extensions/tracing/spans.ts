import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import type { EventFact } from '../../base/events/event.ts';
import { defaultPaths } from '../../protocol/authorization-server.ts';
import { type Outbound, type OutboundAnswer, OutboundError, type OutboundOptions } from '../../protocol/outbound.ts';
import { createFlowIndex } from '../../record/flows/flow-index.ts';
import type { Issuer } from '../../sandbox/extension.ts';
import { contextOf } from '../../server/http/request-context.ts';
import { endpointRoutes } from '../../server/http/routes.ts';

/** Looks at the sandbox itself, which would bury the spans of the protocol. */
const untraced: ReadonlySet<string> = new Set(['assets', 'dashboard', 'health', 'ready']);

const routes = endpointRoutes({ paths: defaultPaths }, '');
const withParameters = new Set(routes.filter(({ path }) => path.includes(':')).map(({ name }) => name));
/** Endpoints whose path is their route, whichever paths a preset has. */
const fixed = new Set(routes.map(({ name }) => name).filter(name => !withParameters.has(name)));

/** A span of kind SERVER for each request, with the attributes of the semantic conventions for HTTP. */
export function tracedListener(
  { api, tracer }: Tracing,
  next: RequestListener,
  { server, events }: Pick<Issuer, 'server' | 'events'>,
): RequestListener {
  const { issuer, clock } = server;
  const flows = createFlowIndex(events, clock);
  return (req, res) => {
    const parent = api.propagation.extract(api.ROOT_CONTEXT, req.headers);
    const kind = api.SpanKind.SERVER;
    const attributes = { ...requestAttributes(req), 'grantbox.issuer': issuer };
    const span = tracer.startSpan(req.method ?? '', { kind, attributes }, parent);
    api.context.with(api.trace.setSpan(parent, span), next, undefined, req, res);
    res.once('close', () => {
      // after the other listeners, which add the request to the log
      queueMicrotask(() => endSpan(span, api, { req, res, flowOf: id => flows.ofRequest(id)?.id }));
    });
  };
}

function requestAttributes(req: IncomingMessage) {
  const { method = '', headers, socket, httpVersion } = req;
  const { hostname, port } = hostOf(headers.host);
  return {
    'http.request.method': method,
    // the query of a redirect has codes and tokens
    'url.path': pathOf(req),
    'url.scheme': 'encrypted' in socket ? 'https' : 'http',
    'server.address': hostname,
    ...(port === undefined ? {} : { 'server.port': port }),
    'network.protocol.version': httpVersion,
    ...(socket.remoteAddress === undefined ? {} : { 'client.address': socket.remoteAddress }),
    ...(headers['user-agent'] === undefined ? {} : { 'user_agent.original': headers['user-agent'].slice(0, 300) }),
  };
}

/** As it was sent: Express rewrites `url`. */
function pathOf({ url = '', originalUrl = url }: IncomingMessage & { readonly originalUrl?: string }): string {
  return originalUrl.split('?', 1)[0] ?? '';
}

function hostOf(host = ''): { hostname: string; port?: number } {
  const [, hostname = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(host) ?? [];
  return { hostname, ...(port === undefined ? {} : { port: Number(port) }) };
}

interface Ended {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly flowOf: (requestId: string) => string | undefined;
}

/** A span that is not ended is not exported. */
function endSpan(span: Span, api: OtelApi, { req, res, flowOf }: Ended): void {
  const { id, endpoint } = contextOf(req);
  if (untraced.has(endpoint)) return;
  const { statusCode, headersSent, writableFinished, writableEnded } = res;
  const isAnswered = writableFinished || (headersSent && !writableEnded);
  const flow = flowOf(id);
  span.updateName(`${req.method} ${endpoint}`);
  span.setAttributes({
    'grantbox.request_id': id,
    'grantbox.endpoint': endpoint,
    ...(fixed.has(endpoint) ? { 'http.route': pathOf(req) } : {}),
    ...(flow === undefined ? {} : { 'grantbox.flow.id': flow }),
    ...(isAnswered ? { 'http.response.status_code': statusCode } : { 'error.type': 'connection_closed' }),
  });
  if (isAnswered && statusCode >= 500) {
    span.setAttribute('error.type', String(statusCode));
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end();
}

/** A span of kind CLIENT for each call to another server, which gets the `traceparent` of the span. */
export function tracedOutbound({ api, tracer }: Tracing, outbound: Outbound): Outbound {
  type Send = (options: OutboundOptions) => Promise<OutboundAnswer>;

  async function traced(method: string, url: string, options: OutboundOptions, send: Send): Promise<OutboundAnswer> {
    const attributes = { 'http.request.method': method, ...addressOf(url) };
    const span = tracer.startSpan(method, { kind: api.SpanKind.CLIENT, attributes });
    const context = api.trace.setSpan(api.context.active(), span);
    const headers: Record<string, string> = {};
    api.propagation.inject(context, headers);
    try {
      const answer = await api.context.with(context, send, undefined, {
        ...options,
        headers: { ...headers, ...options.headers },
      });
      span.setAttribute('http.response.status_code', answer.status);
      if (answer.status >= 400) fail(span, String(answer.status));
      return answer;
    } catch (error) {
      fail(span, error instanceof OutboundError ? error.failure : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  }

  function fail(span: Span, type: string): void {
    span.setAttribute('error.type', type);
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  return {
    get: (url, options = {}) => traced('GET', url, options, own => outbound.get(url, own)),
    post: (url, body, options = {}) => traced('POST', url, options, own => outbound.post(url, body, own)),
  };
}

/** Without query, user name and password, which may be secrets. */
function addressOf(address: string): Record<string, string | number> {
  if (!URL.canParse(address)) return {};
  const { origin, pathname, hostname, port, protocol } = new URL(address);
  const usual = protocol === 'https:' ? 443 : 80;
  return {
    'url.full': origin + pathname,
    'server.address': hostname,
    'server.port': port === '' ? usual : Number(port),
  };
}

/** Adds what an event tells to the span of its request. No secret and no user is among it. */
export function noteFacts(span: Pick<Span, 'setAttributes'>, fact: EventFact): void {
  const attributes = attributesOf(fact);
  if (attributes !== undefined) span.setAttributes(attributes);
}

function attributesOf(fact: EventFact): Attributes | undefined {
  switch (fact.type) {
    case 'token.requested':
      return { 'grantbox.client_id': fact.client_id, 'grantbox.grant_type': fact.grant_type };
    case 'authorization.requested':
      return { 'grantbox.client_id': fact.client_id, 'grantbox.response_type': fact.response_type };
    case 'client.authenticated':
      return { 'grantbox.client_id': fact.client_id, 'grantbox.client_authentication': fact.method };
    case 'error.returned':
      return { 'grantbox.error': fact.error, 'grantbox.reason': fact.reason };
    case 'fault.applied':
      return { 'grantbox.fault': fact.fault };
    default:
      return undefined;
  }
}

/** The module `@opentelemetry/api`, which the user installed. */
export type OtelApi = typeof import('@opentelemetry/api');

interface Tracing {
  readonly api: OtelApi;
  readonly tracer: Tracer;
}
