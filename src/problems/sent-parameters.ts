import type { EventOf } from '../events/event.ts';
import { headerOf } from '../events/exchange.ts';

/** Of the query of a GET, of the form of a POST; the first of several. */
export function parametersOf(request: EventOf<'request.completed'> | undefined): ReadonlyMap<string, string> {
  const encoded = request === undefined ? '' : encodedParameters(request);
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(encoded)) if (!found.has(name)) found.set(name, value);
  return found;
}

function encodedParameters({ method, exchange }: EventOf<'request.completed'>): string {
  if (method === 'GET' || method === 'HEAD') return exchange.url.split('?').slice(1).join('?');
  const isForm = headerOf(exchange.requestHeaders, 'content-type')?.includes('x-www-form-urlencoded') === true;
  return isForm ? (exchange.requestBody?.text ?? '') : '';
}

/** What cannot be decoded stays as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
