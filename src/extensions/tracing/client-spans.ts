import type { Span } from '@opentelemetry/api';
import { type Outbound, type OutboundAnswer, OutboundError, type OutboundOptions } from '../../protocol/outbound.ts';
import type { Tracing } from './otel-api.ts';

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
