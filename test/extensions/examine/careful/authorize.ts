import { createHash, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import type { App, Provider } from './app.ts';
import { type Has, must } from './must.ts';

interface Started {
  readonly query: Readonly<Record<string, string>>;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string | undefined;
}

/** Sends the browser to the provider, and checks the response that it brings. */
export async function authorize(app: App, provider: Provider) {
  const { has } = app;
  const { issuer, metadata } = provider;
  const started = start(app, 'code_challenge_methods_supported' in metadata);
  const query = new URLSearchParams(started.query);
  if (!has('no-secret-in-url')) query.set('client_secret', app.entry.client_secret ?? '');
  if (app.requestKey !== undefined) query.set('request', await requestObject(app, issuer, started.query));
  const { response, isPosted } = await callback(app, `${metadata.authorization_endpoint}?${query}`);
  await checkError(response, isPosted, has);
  checkIssuer(response.get('iss'), provider, has);
  checkResponse(response, started.state, has);
  return { response, verifier: started.verifier, nonce: started.nonce };
}

function start({ has, entry, requestKey }: App, isPkcePromised: boolean): Started {
  const fresh = (check: string) => (has(check) ? random() : 'the-same-value-each-time-for-43-characters-or-more');
  const [state, nonce, verifier] = [fresh('state-reused'), fresh('nonce-reused'), fresh('pkce-reused')];
  const hasChallenge = has('pkce') && (has('pkce-downgrade') || isPkcePromised);
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const usual = has('implicit-grant') ? 'code' : 'code id_token token';
  const query: Started['query'] = {
    response_type: requestKey === undefined ? usual : 'code id_token token',
    ...(requestKey === undefined ? {} : { response_mode: 'form_post' }),
    client_id: entry.client_id,
    redirect_uri: entry.redirect_uris[0],
    scope: entry.scope,
    state,
    nonce,
    ...(hasChallenge ? { code_challenge, code_challenge_method: 'S256' } : {}),
  };
  return { query, state, nonce, verifier: hasChallenge ? verifier : undefined };
}

/** RFC 9101 §4. */
function requestObject({ has, entry, requestKey }: App, issuer: string, query: Started['query']): Promise<string> {
  must(requestKey !== undefined, 'no key');
  const aud = has('request-object-audience') ? { aud: issuer } : {};
  return new SignJWT({ ...query, iss: entry.client_id, ...aud }).setProtectedHeader({ alg: 'ES256' }).sign(requestKey);
}

interface Arrived {
  readonly response: URLSearchParams;
  readonly isPosted: boolean;
}

/** Follows redirects as a browser does, until one leads to the client, or a form does. */
async function callback({ entry }: App, from: string): Promise<Arrived> {
  let at = from;
  for (let hops = 0; hops < 5; hops++) {
    const response = await fetch(at, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null) return { response: postedIn(await response.text()), isPosted: true };
    at = new URL(location, at).href;
    const { search, hash } = new URL(at);
    if (at.startsWith(entry.redirect_uris[0]))
      return { response: new URLSearchParams(hash === '' ? search : hash.slice(1)), isPosted: false };
  }
  throw new Error('too many redirects');
}

/** The fields of the form that posts a response. */
function postedIn(page: string): URLSearchParams {
  const inputs = [...page.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
  must(inputs.length > 0, 'the provider sent a page without a response');
  return new URLSearchParams(inputs.map(([, name = '', value = '']) => [name, value]));
}

async function checkError(response: URLSearchParams, isPosted: boolean, has: Has): Promise<void> {
  const error = response.get('error');
  if (error === null) return;
  // a page that writes the description as it is makes the browser load the picture in it
  const picture = /src="?([^">]+)/.exec(response.get('error_description') ?? '')?.[1];
  if (picture !== undefined && !has('error-markup')) await fetch(picture);
  const check = isPosted ? 'form-post-error' : 'authorization-error';
  if (has(response.has('code') ? 'error-and-code' : check)) must(false, `the provider says ${error}`);
}

/** RFC 9207 §2.4. */
function checkIssuer(iss: string | null, { issuer, known }: Provider, has: Has): void {
  const check = iss !== null && known.has(iss) ? 'mix-up' : 'invalid-authorization-response-iss';
  if (has(iss === null ? 'remove-authorization-response-iss' : check))
    must(iss === issuer, 'the response is of another issuer');
}

function checkResponse(response: URLSearchParams, state: string, has: Has): void {
  if (response.has('state') ? has('invalid-state') : has('missing-state'))
    must(response.get('state') === state, 'the response is of another sign-in');
  const names = [...response.keys()];
  if (!has('unknown-response-parameter')) must(!names.includes('grantbox_unknown'), 'a parameter that nobody knows');
  if (!has('reversed-parameters')) must(names.at(-1) !== 'code', 'the code is at the end');
}

function random(): string {
  return randomBytes(32).toString('base64url');
}
