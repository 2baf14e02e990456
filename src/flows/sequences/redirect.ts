import type { RecordedRequest } from '../recorded-request.ts';

/** An answer that goes through the browser to somebody else: a redirect, or a form that posts itself. */
export interface Redirect {
  readonly uri: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly mode: 'query' | 'fragment' | 'form_post';
}

/** Undefined for an answer that stays at this server. */
export function redirectOf(request: RecordedRequest): Redirect | undefined {
  const location = request.responseHeader('location');
  if (location === undefined) return formPostOf(request);
  if (location.startsWith('/') || !URL.canParse(location)) return undefined;
  const [address = '', fragment] = location.split(/#(.*)/s);
  const [uri = '', query = ''] = address.split(/\?(.*)/s);
  const mode = fragment === undefined ? 'query' : 'fragment';
  return { uri, mode, parameters: [...new URLSearchParams(fragment ?? query)] };
}

export function redirectParameters(request: RecordedRequest): Redirect['parameters'] {
  return redirectOf(request)?.parameters ?? [];
}

/** The page of the response mode `form_post`, as `templates/form-post.ejs` writes it. */
function formPostOf({ event }: RecordedRequest): Redirect | undefined {
  if (event.endpoint !== 'authorize' && event.endpoint !== 'login' && event.endpoint !== 'consent') return undefined;
  const html = event.exchange.responseBody?.text ?? '';
  const uri = /<form[^>]* id="form-post"[^>]* action="([^"]*)"/.exec(html)?.[1];
  if (uri === undefined) return undefined;
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const parameters = fields.map(([, name = '', value = '']) => [decoded(name), decoded(value)] as const);
  return { uri: decoded(uri), mode: 'form_post', parameters };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', '#34': '"', '#39': "'" };

function decoded(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

/** Beside what an answer is about. */
const beside = ['iss', 'session_state', 'error_description', 'error_uri', 'scope', 'token_type', 'expires_in'];

/** `/callback?code&state`: where it goes, and what it brings, without the values. */
export function redirectTitle({ uri, parameters, mode }: Redirect): string {
  const place = URL.canParse(uri) ? placeOf(new URL(uri)) : uri; // a client may have asked for anything
  const names = parameters.map(([name]) => name).filter(name => !beside.includes(name));
  if (names.length === 0 || mode === 'form_post') return place;
  return `${place}${mode === 'query' ? '?' : '#'}${names.join('&')}`;
}

/** The path is enough, where there is one. */
function placeOf({ protocol, host, pathname }: URL): string {
  if (!protocol.startsWith('http')) return `${protocol}${host === '' ? '' : `//${host}`}${pathname}`;
  return pathname === '/' ? `${host}/` : pathname;
}
