import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Span } from '@opentelemetry/api';
import { defaultPaths } from '../../protocol/authorization-server.ts';
import { createFlowIndex } from '../../record/flows/flow-index.ts';
import type { Issuer } from '../../sandbox/extension.ts';
import { contextOf } from '../../server/http/request-context.ts';
import { endpointRoutes } from '../../server/http/routes.ts';
import type { OtelApi, Tracing } from './otel-api.ts';

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
