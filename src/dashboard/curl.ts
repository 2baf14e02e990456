import type { IssuedEvent } from '../events/event-log.ts';
import { isPublic } from '../oauth/clients/client.ts';
import { parseScope } from '../oauth/scope.ts';
import type { DashboardOptions, SampleCollection } from './dashboard-options.ts';
import { registeredClient } from './registered-client.ts';
import { tokenTypeOf } from './token-status.ts';

/** A command to paste, and what it does. */
export interface Curl {
  readonly command: string;
  readonly words: string;
}

/** What can be done with a token on a command line; undefined for codes and ID Tokens. */
export function curlOf(event: IssuedEvent, options: DashboardOptions): Curl | undefined {
  const type = tokenTypeOf(event);
  if (type === 'access') return accessCurl(event, options);
  return type === 'refresh' ? refreshCurl(event, options) : undefined;
}

function accessCurl(event: IssuedEvent, { issuer, collections, endpoints }: DashboardOptions): Curl | undefined {
  const scopes = parseScope(event.scope);
  const has = (scope: string | undefined) => scope !== undefined && scopes.includes(scope);
  const bearer = `-H ${quote(`Authorization: Bearer ${event.token}`)}`;
  const readable = collections.find(({ readScope }) => has(readScope));
  if (readable) return { command: `curl ${bearer} ${quote(api(issuer, readable))}`, words: `reads ${readable.name}` };
  const writable = collections.find(({ writeScope }) => has(writeScope));
  if (writable) {
    const body = `-H 'Content-Type: application/json' -d ${quote(JSON.stringify(example(writable)))}`;
    return { command: `curl ${bearer} ${body} ${quote(api(issuer, writable))}`, words: `writes to ${writable.name}` };
  }
  const userinfo = endpoints.find(({ name }) => name === 'userinfo');
  if (userinfo && scopes.includes('openid')) {
    return { command: `curl ${bearer} ${quote(new URL(issuer).origin + userinfo.path)}`, words: 'asks UserInfo' };
  }
  const any = collections[0];
  return (
    any && {
      command: `curl -i ${bearer} ${quote(api(issuer, any))}`,
      words: `is refused by ${any.name}: the scope is missing`,
    }
  );
}

function refreshCurl(event: IssuedEvent, options: DashboardOptions): Curl | undefined {
  const { issuer, endpoints } = options;
  const token = endpoints.find(({ name }) => name === 'token');
  const client = registeredClient(options, event.client_id);
  if (token === undefined || client === undefined) return undefined;
  const who = isPublic(client)
    ? `-d ${quote(`client_id=${encodeURIComponent(client.client_id)}`)}`
    : `-u ${quote(`${client.client_id}:<client_secret>`)}`;
  const form = `-d grant_type=refresh_token -d ${quote(`refresh_token=${encodeURIComponent(event.token)}`)}`;
  return {
    command: `curl ${who} ${form} ${quote(new URL(issuer).origin + token.path)}`,
    words: 'refreshes, as the client would',
  };
}

function api(issuer: string, { name }: SampleCollection): string {
  return `${issuer}/api/${encodeURIComponent(name)}`;
}

/** A body the collection takes: its first row, or a value for each field that must be there. */
function example({ fields, seed }: SampleCollection): Record<string, unknown> {
  const row =
    seed?.[0] ?? Object.fromEntries(required(fields).map(([name, { type }]) => [name, exampleOf(name, type)]));
  const { id: _, ...values } = row;
  return values;
}

/** All of them where none must be there: an empty body would show nothing. */
function required(fields: SampleCollection['fields']) {
  const all = Object.entries(fields);
  const needed = all.filter(([, field]) => field.required);
  return needed.length > 0 ? needed : all;
}

function exampleOf(name: string, type: SampleCollection['fields'][string]['type']): string | number | boolean {
  if (type === 'boolean') return true;
  return type === 'string' ? name : 1;
}

/** One word of a POSIX shell, whatever it holds. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
