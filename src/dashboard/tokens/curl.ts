import type { IssuedEvent } from '../../base/events/event-log.ts';
import { isPublic } from '../../protocol/clients/client.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { registeredClient } from '../clients-and-users.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import { sh } from '../snippets/literals.ts';
import { tokenCall } from './token-call.ts';

/** A curl command that uses the token, and its description; undefined for codes and ID Tokens. */
export function curlOf(event: IssuedEvent, options: DashboardOptions) {
  const type = tokenTypeOf(event);
  if (type === 'access') return accessCurl(event, options);
  return type === 'refresh' ? refreshCurl(event, options) : undefined;
}

function accessCurl(event: IssuedEvent, options: DashboardOptions) {
  const call = tokenCall(event, options);
  if (call === undefined) return undefined;
  const { path, body, words } = call;
  const bearer = `-H ${sh(`Authorization: Bearer ${event.token}`)}`;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${sh(body)}`;
  const shown = words.startsWith('is refused') ? ' -i' : '';
  return { command: `curl${shown} ${bearer}${data} ${sh(absolute(options, path))}`, words };
}

function refreshCurl(event: IssuedEvent, options: DashboardOptions) {
  const token = options.endpoints.find(({ name }) => name === 'token');
  const client = registeredClient(options, event.client_id);
  if (token === undefined || client === undefined) return undefined;
  const who = isPublic(client)
    ? `-d ${sh(`client_id=${encodeURIComponent(client.client_id)}`)}`
    : `-u ${sh(`${client.client_id}:<client_secret>`)}`;
  const form = `-d grant_type=refresh_token -d ${sh(`refresh_token=${encodeURIComponent(event.token)}`)}`;
  return {
    command: `curl ${who} ${form} ${sh(absolute(options, token.path))}`,
    words: 'refreshes the tokens, as the client would',
  };
}

/** The absolute URL of a path of this sandbox. */
export function absolute({ issuer }: Pick<DashboardOptions, 'issuer'>, path: string): string {
  return new URL(issuer).origin + path;
}
