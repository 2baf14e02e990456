import { unescaped } from '../../../base/text/html.ts';
import { isRecord } from '../../../base/text/record.ts';
import type { RecordedRequest } from '../recorded-request.ts';

/** An answer that the browser passes on to the application: a redirect, a form that submits itself, or a message to its page. */
export interface Redirect {
  readonly uri: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly mode: 'query' | 'fragment' | 'form_post' | 'message';
}

/** Reads the redirect or form post of an answer; undefined for an answer that stays at this server. */
export function redirectOf(request: RecordedRequest): Redirect | undefined {
  const location = request.responseHeader('location');
  if (location === undefined) return pageOf(request);
  if (location.startsWith('/') || !URL.canParse(location)) return undefined;
  const [address = '', fragment] = location.split(/#(.*)/s);
  const [uri = '', query = ''] = address.split(/\?(.*)/s);
  const mode = fragment === undefined ? 'query' : 'fragment';
  return { uri, mode, parameters: [...new URLSearchParams(fragment ?? query)] };
}

/** The parameters that an answer passes to the application; empty for an answer without a redirect. */
export function redirectParameters(request: RecordedRequest): Redirect['parameters'] {
  return redirectOf(request)?.parameters ?? [];
}

function pageOf({ event }: RecordedRequest): Redirect | undefined {
  if (event.endpoint !== 'authorize' && event.endpoint !== 'login' && event.endpoint !== 'consent') return undefined;
  const html = event.exchange.responseBody?.text ?? '';
  return formPostOf(html) ?? messageOf(html);
}

/** The page of the response mode `form_post`, as `templates/form-post.ejs` writes it. */
function formPostOf(html: string): Redirect | undefined {
  const uri = /<form[^>]* id="form-post"[^>]* action="([^"]*)"/.exec(html)?.[1];
  if (uri === undefined) return undefined;
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const parameters = fields.map(([, name = '', value = '']) => [unescaped(name), unescaped(value)] as const);
  return { uri: unescaped(uri), mode: 'form_post', parameters };
}

/** The page that posts a message, as `templates/message.ejs` writes it. The parameters are the message or one member of it. */
function messageOf(html: string): Redirect | undefined {
  const [, uri, text] = /<p id="message"[^>]* data-origin="([^"]*)" data-message="([^"]*)"/.exec(html) ?? [];
  if (uri === undefined || text === undefined) return undefined;
  const message: unknown = JSON.parse(unescaped(text));
  const inner = isRecord(message) ? (Object.values(message).find(isRecord) ?? message) : {};
  const parameters = Object.entries(inner).map(([name, value]) => [name, String(value)] as const);
  return { uri: unescaped(uri), mode: 'message', parameters };
}

/** Parameters that are left out of the title of a redirect. */
const beside = ['iss', 'session_state', 'error_description', 'error_uri', 'scope', 'token_type', 'expires_in'];

/** `/callback?code&state`: the path and the parameter names, without the values. */
export function redirectTitle({ uri, parameters, mode }: Redirect): string {
  const place = URL.canParse(uri) ? placeOf(new URL(uri)) : uri; // a client may have asked for anything
  const names = parameters.map(([name]) => name).filter(name => !beside.includes(name));
  if (names.length === 0 || mode === 'form_post') return place;
  if (mode === 'message') return `postMessage ${names.join('&')}`;
  return `${place}${mode === 'query' ? '?' : '#'}${names.join('&')}`;
}

/** The path alone, or the host if the path is `/`; a custom scheme is kept. */
function placeOf({ protocol, host, pathname }: URL): string {
  if (!protocol.startsWith('http')) return `${protocol}${host === '' ? '' : `//${host}`}${pathname}`;
  return pathname === '/' ? `${host}/` : pathname;
}
