import type { IssuedEvent } from '../../base/events/event-log.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import { isPublic } from '../../protocol/clients/client.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { claimMeaning } from '../claims/claim-meaning.ts';
import { valueText } from '../claims/claim-rows.ts';
import { bindingOf, claimsOf, readableToken } from '../claims/claim-values.ts';
import { registeredClient } from '../clients-and-users.ts';
import type { DashboardFacts } from '../facts.ts';
import { sh } from '../snippets/snippets.ts';
import { tokenCall } from './token-use.ts';

/** A token in a format to copy or download. */
export interface Copy {
  /** The last segment of the download address. */
  readonly format: 'token' | 'header' | 'curl' | 'json' | 'markdown' | 'http' | 'postman';
  readonly name: string;
  readonly text: string;
  /** The file name of the download. */
  readonly file: string;
}

/** All formats that exist for this token. */
export function copiesOf(event: IssuedEvent, options: DashboardFacts): Copy[] {
  const { tokenId } = event;
  const copy = (format: Copy['format'], name: string, ending: string, text: string | undefined): Copy[] =>
    text === undefined ? [] : [{ format, name, text, file: `${tokenId}.${ending}` }];
  return [
    ...copy('token', tokenTypeOf(event) === 'code' ? 'Code' : 'Token', 'txt', event.token),
    ...copy('header', 'Authorization header', 'txt', header(event)),
    ...copy('curl', 'curl', 'sh', curlOf(event, options)?.command),
    ...copy('json', 'Decoded JSON', 'json', decoded(event)),
    ...copy('markdown', 'Markdown', 'md', markdown(event, options)),
    ...copy('http', 'HTTP file', 'http', httpFile(event, options)),
    ...copy('postman', 'Postman variable', 'postman_environment.json', postman(event, options)),
  ];
}

/** The header with the scheme that the binding requires (RFC 6750 §2.1, RFC 9449 §7.1). */
function header(event: IssuedEvent): string | undefined {
  if (tokenTypeOf(event) !== 'access') return undefined;
  const scheme = bindingOf(claimsOf(event)) === 'dpop' ? 'DPoP' : 'Bearer';
  return `Authorization: ${scheme} ${event.token}`;
}

function decoded(event: IssuedEvent): string | undefined {
  const jwt = decodeJwt(readableToken(event));
  if (jwt !== undefined) return JSON.stringify({ header: jwt.header, payload: jwt.claims }, null, 2);
  const claims = claimsOf(event);
  return Object.keys(claims).length === 0 ? undefined : JSON.stringify(claims, null, 2);
}

function markdown(event: IssuedEvent, { issuer }: DashboardFacts): string {
  const of = event.sub === undefined ? '' : ` of user \`${event.sub}\``;
  const title = `**${tokenNames[tokenTypeOf(event)]}**${of}, client \`${event.client_id}\`, from ${issuer}`;
  const times = `Issued ${iso(event.iat)}, expires ${iso(event.exp)}.`;
  const rows = Object.entries(claimsOf(event)).map(
    ([name, value]) => `| ${cell(name)} | ${cell(valueText(value))} | ${claimMeaning(name, value).words} |`,
  );
  const table = rows.length === 0 ? [] : ['', '| Claim | Value | Meaning |', '| --- | --- | --- |', ...rows];
  return [title, '', times, ...table, '', '```', event.token, '```', ''].join('\n');
}

const tokenNames = { code: 'Authorization code', access: 'Access token', refresh: 'Refresh token', id: 'ID token' };

function iso(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Escapes a value for a table cell: a line break would end the row, and a bar the cell. */
function cell(text: string): string {
  const flat = text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  const fence = '`'.repeat(1 + Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length)));
  return fence.length === 1 ? `\`${flat}\`` : `${fence} ${flat} ${fence}`;
}

function httpFile(event: IssuedEvent, options: DashboardFacts): string | undefined {
  return tokenTypeOf(event) === 'refresh' ? refreshFile(event, options) : callFile(event, options);
}

function callFile(event: IssuedEvent, options: DashboardFacts): string | undefined {
  const authorization = header(event);
  const call = authorization === undefined ? undefined : tokenCall(event, options);
  if (call === undefined || authorization === undefined) return undefined;
  const { method, path, body, words } = call;
  const type = body === undefined ? [] : ['Content-Type: application/json', '', body];
  const head = [`${method} ${absolute(options, path)}`, authorization, 'Accept: application/json'];
  return [`### This request ${words}`, ...head, ...type, ''].join('\n');
}

function refreshFile(event: IssuedEvent, options: DashboardFacts): string | undefined {
  const token = options.endpoints.find(({ name }) => name === 'token');
  const client = registeredClient(options, event.client_id);
  if (token === undefined || client === undefined) return undefined;
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: event.token });
  if (isPublic(client)) form.set('client_id', client.client_id);
  return [
    '### Refreshes the tokens, as the client would',
    `POST ${absolute(options, token.path)}`,
    ...(isPublic(client) ? [] : [`Authorization: Basic ${client.client_id} {{client_secret}}`]),
    'Content-Type: application/x-www-form-urlencoded',
    '',
    form.toString(),
    '',
  ].join('\n');
}

function postman(event: IssuedEvent, { issuer }: DashboardFacts): string {
  const type = tokenTypeOf(event);
  const key = type === 'code' ? 'code' : `${type}_token`;
  const values = [{ key, value: event.token, type: 'secret', enabled: true }];
  return JSON.stringify({ name: `Grantbox ${issuer}`, values, _postman_variable_scope: 'environment' }, null, 2);
}

/** A curl command that uses the token, and its description; undefined for codes and ID tokens. */
export function curlOf(event: IssuedEvent, options: DashboardFacts) {
  const type = tokenTypeOf(event);
  if (type === 'access') return accessCurl(event, options);
  return type === 'refresh' ? refreshCurl(event, options) : undefined;
}

function accessCurl(event: IssuedEvent, options: DashboardFacts) {
  const call = tokenCall(event, options);
  if (call === undefined) return undefined;
  const { path, body, words } = call;
  const bearer = `-H ${sh(`Authorization: Bearer ${event.token}`)}`;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${sh(body)}`;
  const shown = words.startsWith('is refused') ? ' -i' : '';
  return { command: `curl${shown} ${bearer}${data} ${sh(absolute(options, path))}`, words };
}

function refreshCurl(event: IssuedEvent, options: DashboardFacts) {
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

function absolute({ issuer }: Pick<DashboardFacts, 'issuer'>, path: string): string {
  return new URL(issuer).origin + path;
}
