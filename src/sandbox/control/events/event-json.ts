import { defined } from '../../../base/defined.ts';
import type { SandboxEvent } from '../../../base/events/event.ts';
import { type Exchange, headersOf } from '../../../base/events/exchange.ts';

/** An event as JSON: facts as the log has them; what went over the wire only where it is asked for. */
export function eventJson(event: SandboxEvent, withExchange = false): object {
  if (event.type !== 'request.completed') return event;
  const { exchange, ...facts } = event;
  return withExchange ? { ...facts, exchange: exchangeJson(exchange) } : facts;
}

function exchangeJson({ url, ip, requestHeaders, requestBody, responseHeaders, responseBody }: Exchange): object {
  return {
    url,
    ip,
    requestHeaders: headersOf(requestHeaders),
    responseHeaders: headersOf(responseHeaders),
    ...(requestBody === undefined ? {} : { requestBody: bodyJson(requestBody) }),
    ...(responseBody === undefined ? {} : { responseBody: bodyJson(responseBody) }),
  };
}

function bodyJson({ text, bytes, cut }: NonNullable<Exchange['requestBody']>): object {
  return { text, bytes, ...defined({ cut }) };
}
