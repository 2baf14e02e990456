import type { EventOf } from '../../base/events/event.ts';
import { headerOf } from '../../base/events/exchange.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import type { Known } from './known.ts';
import type { Refusal } from './problem.ts';

/** A refusal with the request and the configuration that its explanation may quote. */
export interface Case {
  readonly error: EventOf<'error.returned'>;
  readonly request: EventOf<'request.completed'> | undefined;
  readonly known: Known;
  /** The registration as it is now; undefined for an unknown client. */
  readonly client: RegisteredClient | undefined;
  /** The name of the client in a label: its id, or `this client`. `named` sets it in code style for a sentence. */
  readonly who: string;
  /** Parameters of the query of a GET or of the form of a POST. Of repeated parameters the first. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Collects what explanations need: the client, its name and the parameters of the request. */
export function caseOf(known: Known, { error, request }: Refusal): Case {
  const parameters = parametersOf(request);
  const client_id = error.client_id ?? parameters.get('client_id') ?? (request && basicOf(request)?.id);
  return {
    error,
    request,
    known,
    client: client_id === undefined ? undefined : clientOf(known, client_id),
    who: client_id === undefined || client_id === '' ? anonymous : shown(client_id, 80),
    parameters,
  };
}

function clientOf(known: Known, client_id: string): RegisteredClient | undefined {
  for (const client of known.registered()) if (client.client_id === client_id) return client;
  return undefined;
}

/** Returns the first header with this name; undefined if it was not sent, or the request was not recorded. */
export function sentHeader({ request }: Pick<Case, 'request'>, name: string): string | undefined {
  return request === undefined ? undefined : headerOf(request.exchange.requestHeaders, name);
}

/** Puts a value on one line and cuts it after `length` characters. */
export function shown(text: string, length = 120): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

/** Sets a client id in code style; `this client` stays plain text. */
export function named(who: string): string {
  return who === anonymous ? who : `\`${who}\``;
}

/** Tells whether a client acts for itself, so that nobody can log in again. */
export function isMachine({ known, error, client }: Case): boolean {
  const issued = error.about === undefined ? undefined : known.events.issued(error.about);
  if (issued?.type === 'token.issued') return issued.grant_type === 'client_credentials';
  return (
    client?.grant_types.length !== 0 && client?.grant_types.every(grant => grant === 'client_credentials') === true
  );
}

const anonymous = 'this client';

/** Reads the id and the secret of `Authorization: Basic`. Neither is form-decoded. */
export function basicOf(request: EventOf<'request.completed'>): { id: string; secret: string } | undefined {
  const encoded = /^basic +(\S+)$/i.exec(headerOf(request.exchange.requestHeaders, 'authorization')?.trim() ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Reads the query of a GET or the form of a POST. Of repeated parameters it keeps the first. */
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

/** Decodes percent-encoded text. Malformed text is returned unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
