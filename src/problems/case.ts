import type { EventOf } from '../events/event.ts';
import { headerOf } from '../events/exchange.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import type { Known } from './known.ts';
import type { Refusal } from './problem.ts';

/** A refusal with everything around it that an explanation may quote. */
export interface Case {
  readonly error: EventOf<'error.returned'>;
  readonly request: EventOf<'request.completed'> | undefined;
  readonly known: Known;
  /** As it is registered now; undefined for an unknown one. */
  readonly client: RegisteredClient | undefined;
  /** The client in a sentence: its id, or `this client`. */
  readonly who: string;
  /** Of the query of a GET, of the form of a POST; the first of several. */
  readonly parameters: ReadonlyMap<string, string>;
}

export function caseOf(known: Known, { error, request }: Refusal): Case {
  const parameters = parametersOf(request);
  const client_id = error.client_id ?? parameters.get('client_id') ?? basicId(request);
  return {
    error,
    request,
    known,
    client: client_id === undefined ? undefined : clientOf(known, client_id),
    who: client_id === undefined || client_id === '' ? 'this client' : shown(client_id, 80),
    parameters,
  };
}

/** The client with an id, as it is registered now. */
export function clientOf(known: Known, client_id: string): RegisteredClient | undefined {
  for (const client of known.registered()) if (client.client_id === client_id) return client;
  return undefined;
}

/** The first header of a name; undefined where it was not sent, or nothing was recorded. */
export function sentHeader({ request }: Pick<Case, 'request'>, name: string): string | undefined {
  return request === undefined ? undefined : headerOf(request.exchange.requestHeaders, name);
}

/** A value in a sentence: cut where it is long, and on one line. */
export function shown(text: string, length = 120): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

function basicId(request: Case['request']): string | undefined {
  return request === undefined ? undefined : basicOf(request)?.id;
}

/** What `Authorization: Basic` says, as it was sent: not form-decoded. */
export function basicOf(request: EventOf<'request.completed'>): { id: string; secret: string } | undefined {
  const encoded = /^basic +(\S+)$/i.exec(headerOf(request.exchange.requestHeaders, 'authorization')?.trim() ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

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
