import type { IssuedEvent } from '../../events/event-log.ts';
import { tokenTypeOf } from '../../flows/token-status.ts';
import { isPublic } from '../../oauth/clients/client.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import { registeredClient } from '../registered-client.ts';
import { tokenCall } from './token-call.ts';

export { example } from './token-call.ts';

/** A curl command and its description. */
export interface Curl {
  readonly command: string;
  readonly words: string;
}

/** A curl command that uses the token; undefined for codes and ID Tokens. */
export function curlOf(event: IssuedEvent, options: DashboardOptions): Curl | undefined {
  const type = tokenTypeOf(event);
  if (type === 'access') return accessCurl(event, options);
  return type === 'refresh' ? refreshCurl(event, options) : undefined;
}

function accessCurl(event: IssuedEvent, options: DashboardOptions): Curl | undefined {
  const call = tokenCall(event, options);
  if (call === undefined) return undefined;
  const { path, body, words } = call;
  const bearer = `-H ${quote(`Authorization: Bearer ${event.token}`)}`;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${quote(body)}`;
  const shown = words.startsWith('is refused') ? ' -i' : '';
  return { command: `curl${shown} ${bearer}${data} ${quote(absolute(options, path))}`, words };
}

function refreshCurl(event: IssuedEvent, options: DashboardOptions): Curl | undefined {
  const token = options.endpoints.find(({ name }) => name === 'token');
  const client = registeredClient(options, event.client_id);
  if (token === undefined || client === undefined) return undefined;
  const who = isPublic(client)
    ? `-d ${quote(`client_id=${encodeURIComponent(client.client_id)}`)}`
    : `-u ${quote(`${client.client_id}:<client_secret>`)}`;
  const form = `-d grant_type=refresh_token -d ${quote(`refresh_token=${encodeURIComponent(event.token)}`)}`;
  return {
    command: `curl ${who} ${form} ${quote(absolute(options, token.path))}`,
    words: 'refreshes the tokens, as the client would',
  };
}

/** The absolute URL of a path of this sandbox. */
export function absolute({ issuer }: Pick<DashboardOptions, 'issuer'>, path: string): string {
  return new URL(issuer).origin + path;
}

/** Quotes any text as one word for a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
