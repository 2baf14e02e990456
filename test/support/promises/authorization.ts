import { createHash, randomBytes } from 'node:crypto';
import { findForm } from '../../../src/base/text/html.ts';
import { isRecord, recordIn } from '../../../src/base/text/record.ts';
import type { Visit } from '../agent.ts';
import { ask, requestTokens, signRequest } from './ask.ts';
import { type Bench, endpoint, isOn, isOutside, preferred } from './bench.ts';
import { type Browser, describePage, messageIn } from './browser.ts';
import { unique } from './client-keys.ts';
import { BrokenPromise, demand } from './demand.ts';
import { describe, jsonOf, textOf } from './json.ts';
import type { TestClient } from './test-client.ts';
import { headerOf, idTokenClaims, verified } from './verify.ts';

type Parameters = Readonly<Record<string, string>>;

/** How a request is sent, if it differs from what the metadata requires. */
export interface Travel {
  readonly isPushed?: boolean;
  readonly isSigned?: boolean;
  /** Signature algorithm of the request object. */
  readonly alg?: string;
  /** Publishes the request object at a URL of the client (RFC 9101 §5.2); returns the URL. */
  readonly publish?: (requestObject: string) => string;
  readonly seal?: (requestObject: string) => Promise<string>;
  readonly browser?: Browser;
}

/** The authorization response at the redirect URI. */
export interface Response {
  readonly parameters: Parameters;
  readonly place: 'query' | 'fragment' | 'form_post' | 'message';
  /** Signature algorithm of a signed response (JARM). */
  readonly signedBy?: string;
  readonly asked: Parameters;
  readonly verifier: string;
}

/** Sends an authorization request through the browser, signs in and consents; returns the response, which may be an error. */
export async function authorize(
  bench: Bench,
  client: TestClient,
  changes: Parameters = {},
  travel: Travel = {},
): Promise<Response> {
  const verifier = randomBytes(32).toString('base64url');
  const asked = requestOf(client, verifier, { ...bench.subject.asks, ...changes });
  const browser = travel.browser ?? bench.browser();
  const page = await browser.open(await addressOf(bench, client, asked, travel));
  return readResponse(bench, client, await throughPages(bench, browser, page), { asked, verifier });
}

/**
 * Like `authorize`.
 * @throws BrokenPromise if the response is an error
 */
export async function authorizeWell(
  bench: Bench,
  client: TestClient,
  changes: Parameters = {},
  travel: Travel = {},
): Promise<Response> {
  const response = await authorize(bench, client, changes, travel);
  const { error, error_description } = response.parameters;
  demand(error === undefined, `the authorization endpoint answered ${error}: ${error_description}`);
  return response;
}

/** Logs in and redeems the code; returns the tokens and the verified claims of the ID token. */
export async function logIn(bench: Bench, client: TestClient, changes: Parameters = {}, travel: Travel = {}) {
  const response = await authorizeWell(bench, client, changes, travel);
  const tokens = await requestTokens(bench, client, redemptionOf(client, response));
  const claims = tokens.id_token === undefined ? {} : await idTokenClaims(bench, client, textOf(tokens, 'id_token'));
  if ('nonce' in claims)
    demand(claims.nonce === response.asked.nonce, 'the nonce of the ID token differs from that of the request');
  return { response, tokens, claims };
}

export function redemptionOf(client: TestClient, { parameters, verifier }: Response): Parameters {
  const code = textOf(parameters, 'code');
  return { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, code_verifier: verifier };
}

/** The parameters of a request with changes; an empty change removes the parameter. */
function requestOf(client: TestClient, verifier: string, changes: Parameters): Parameters {
  const complete = {
    client_id: client.client_id,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: unique(),
    nonce: unique(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  return Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== ''));
}

/** The URL that the browser opens. The request is signed and pushed if the server requires it. */
async function addressOf(bench: Bench, client: TestClient, asked: Parameters, travel: Travel): Promise<string> {
  const isSigned = travel.isSigned ?? isOn(bench, 'require_signed_request_object');
  const isPushed = travel.isPushed ?? isOn(bench, 'require_pushed_authorization_requests');
  const { client_id } = client;
  const sent = isSigned ? { client_id, ...(await signedRequest(bench, client, asked, travel)) } : asked;
  const query = isPushed ? { client_id, request_uri: await push(bench, client, sent) } : sent;
  const at = new URL(endpoint(bench, 'authorization_endpoint'));
  for (const [name, value] of Object.entries(query)) at.searchParams.set(name, value);
  return at.href;
}

async function signedRequest(
  bench: Bench,
  client: TestClient,
  asked: Parameters,
  { alg, publish, seal = async jwt => jwt }: Travel,
): Promise<Parameters> {
  const by = alg ?? preferred(bench, 'request_object_signing_alg_values_supported', ['ES256']);
  const request = await seal(await signRequest(bench, client, by, asked, { typ: 'oauth-authz-req+jwt' }));
  return publish === undefined ? { request } : { request_uri: publish(request) };
}

/** Pushes the request (RFC 9126 §2); returns its request_uri. */
async function push(bench: Bench, client: TestClient, sent: Parameters): Promise<string> {
  const answer = await ask(bench, client, endpoint(bench, 'pushed_authorization_request_endpoint'), sent);
  demand(answer.status === 201, `the pushed authorization request endpoint answered ${describe(answer)}`);
  return textOf(jsonOf(answer), 'request_uri');
}

const mostPages = 5;

/** Signs in and consents until the browser is redirected to an external URL, or a page asks for something else. */
export async function throughPages(bench: Bench, browser: Browser, start: Visit): Promise<Visit> {
  let visit = start;
  for (let pages = 0; pages < mostPages && !isOutside(bench, visit); pages++) {
    const next = await answerPage(bench, browser, visit);
    if (next === undefined) return visit;
    visit = next;
  }
  return visit;
}

function answerPage({ subject }: Bench, browser: Browser, page: Visit): Promise<Visit> | undefined {
  const { sub, username, password } = subject.user;
  const has = (name: string) => findForm(page.html, name) !== undefined;
  if (has('login-username')) return browser.submit(page, 'login-submit', { username, password });
  if (has(`login-user-${sub}`)) return browser.submit(page, `login-user-${sub}`);
  if (has('consent-allow')) return browser.submit(page, 'consent-allow');
  return has('form-post') ? browser.submit(page, 'form-post') : undefined;
}

/** Reads the response from query, fragment, form or message, and checks state. */
async function readResponse(
  bench: Bench,
  client: TestClient,
  visit: Visit,
  request: Pick<Response, 'asked' | 'verifier'>,
): Promise<Response> {
  const posted = messageIn(visit.html);
  if (posted !== undefined) return { ...readMessage(client, posted, request), ...request };
  if (!isOutside(bench, visit)) throw new BrokenPromise(`the authorization endpoint answered ${describePage(visit)}`);
  const { url, body } = visit;
  demand(
    url.href.startsWith(client.redirectUri),
    `the browser was redirected to ${url.origin}${url.pathname}, not to the redirect URI`,
  );
  const place = body !== undefined ? 'form_post' : url.hash.length > 1 ? 'fragment' : 'query';
  const sent = body ?? new URLSearchParams(place === 'fragment' ? url.hash.slice(1) : url.search);
  const plain = Object.fromEntries(sent);
  const { response: jwt } = plain;
  const parameters = jwt === undefined ? plain : await openResponse(bench, client, jwt);
  demand(parameters.state === request.asked.state, 'the state of the response differs from that of the request');
  const signedBy = jwt === undefined ? {} : { signedBy: headerOf(jwt).alg ?? '' };
  return { parameters, place, ...signedBy, ...request };
}

/** Reads a message: it is the parameters, or has them as a member. */
function readMessage(
  { redirectUri }: TestClient,
  { origin, message }: { readonly origin: string; readonly message: string },
  { asked }: Pick<Response, 'asked'>,
): Pick<Response, 'parameters' | 'place'> {
  demand(origin === new URL(redirectUri).origin, `the message is for a page of ${origin}`);
  const sent = recordIn(message) ?? {};
  const found = 'state' in sent ? sent : (Object.values(sent).find(isRecord) ?? {});
  const parameters = Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]));
  demand(parameters.state === asked.state, 'the state of the response differs from that of the request');
  return { parameters, place: 'message' };
}

/** Verifies a signed response (JARM §2.1); returns its parameters. */
async function openResponse(bench: Bench, client: TestClient, jwt: string): Promise<Parameters> {
  const claims = await verified(bench, jwt, client);
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, String(value)]));
}
