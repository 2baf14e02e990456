import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { compactVerify, createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import type { ExamSteps } from '../../../src/extensions/examine/driver.ts';
import type { ClientEntry } from '../../../src/index.ts';

// A client that signs out in each way of OpenID Connect, and makes each check by itself, so that each can be left out alone. It is the
// app and the browser at once.

type Json = Readonly<Record<string, unknown>>;
type Has = (check: string) => boolean;

/** Refuses with a reason. */
function must(isRight: boolean, reason: string): asserts isRight {
  if (!isRight) throw new Error(reason);
}

/** One browser that has signed in to the app, with the session of the app. */
interface Visit {
  readonly issuer: string;
  readonly metadata: Json;
  readonly idToken: string;
  readonly sid: string;
  readonly sessionState: string;
  readonly cookies: Map<string, string>;
  isSignedIn: boolean;
}

/** The app: its server listens for logout tokens until it is closed. */
export async function openLogoutApp() {
  let visits: Visit[] = [];
  let has: Has = () => true;
  const server = createServer(async (req, res) => {
    const token = new URLSearchParams(await text(req)).get('logout_token') ?? '';
    res
      .writeHead(
        await takeToken(token, visits, has).then(
          () => 200,
          () => 400,
        ),
      )
      .end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entry: ClientEntry = {
    client_id: 'careful-logout',
    client_secret: 'careful-secret',
    redirect_uris: [`${at}/callback`],
    post_logout_redirect_uris: [`${at}/bye`],
    backchannel_logout_uri: `${at}/back`,
    frontchannel_logout_uri: `${at}/front`,
  };
  return {
    entry,
    close: () => server.close(),
    create(lapse = ''): ExamSteps {
      visits = [];
      has = check => check !== lapse;
      const visitOf = (issuer: string) => {
        const visit = visits.findLast(each => each.issuer === issuer);
        must(visit !== undefined, 'nobody has signed in');
        return visit;
      };
      return {
        async login({ issuer }) {
          visits.push(await signIn(issuer, at));
          return true;
        },
        async logout({ issuer }) {
          const visit = visitOf(issuer);
          await signOut(visit, at, has);
          return !visit.isSignedIn;
        },
        async check({ issuer, open }) {
          const visit = visitOf(issuer);
          if (open !== undefined) await openLogout(visit, open, has);
          await checkSession(visit, at, has);
          return visit.isSignedIn;
        },
      };
    },
  };
}

/** Asks the provider with the cookies of the browser, and keeps those that it sets. */
async function ask(address: string, cookies: Map<string, string>): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

async function signIn(issuer: string, at: string): Promise<Visit> {
  const metadata: Json = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const cookies = new Map<string, string>();
  const verifier = randomBytes(32).toString('base64url');
  const redirect_uri = `${at}/callback`;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'careful-logout',
    redirect_uri,
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  let location = `${metadata.authorization_endpoint}?${query}`;
  for (let hop = 0; hop < 5 && !location.startsWith(redirect_uri); hop++)
    location = new URL((await ask(location, cookies)).headers.get('location') ?? '', location).href;
  const { searchParams: response } = new URL(location);
  const form = {
    grant_type: 'authorization_code',
    code: response.get('code') ?? '',
    redirect_uri,
    code_verifier: verifier,
  };
  const headers = { authorization: `Basic ${btoa('careful-logout:careful-secret')}` };
  const sent = await fetch(String(metadata.token_endpoint), {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  });
  must(sent.ok, `the token endpoint answered ${sent.status}`);
  const { id_token } = (await sent.json()) as { readonly id_token: string };
  const sessionState = response.get('session_state') ?? '';
  return {
    issuer,
    metadata,
    idToken: id_token,
    sid: String(decodeJwt(id_token).sid),
    sessionState,
    cookies,
    isSignedIn: true,
  };
}

/** Ends the session before the browser goes to the provider. The checks say in which case it would wait for the way back. */
async function signOut(visit: Visit, at: string, has: Has): Promise<void> {
  const state = randomBytes(8).toString('hex');
  const query = new URLSearchParams({ id_token_hint: visit.idToken, post_logout_redirect_uri: `${at}/bye`, state });
  const response = await ask(`${visit.metadata.end_session_endpoint}?${query}`, visit.cookies);
  const back = new URL(response.headers.get('location') ?? at).searchParams.get('state');
  const check =
    back === state ? 'rp-init-logout' : back === null ? 'rp-init-logout-no-state' : 'rp-init-logout-other-state';
  if (has(check)) visit.isSignedIn = false;
}

/** The browser opens the logout page of the provider, with the frames in it. */
async function openLogout(visit: Visit, address: string, has: Has): Promise<void> {
  const html = await (await ask(address, visit.cookies)).text();
  for (const [, src = ''] of html.matchAll(/<iframe src="([^"]*)"/g)) {
    const { searchParams: told } = new URL(src.replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
    const isOurs = told.get('iss') === visit.issuer && told.get('sid') === visit.sid;
    if (isOurs && has('front-channel')) visit.isSignedIn = false;
  }
}

/** The frame of the provider compares its cookie with session_state (OIDC Session Management §3.2). */
async function checkSession(visit: Visit, at: string, has: Has): Promise<void> {
  const { check_session_iframe: frame } = visit.metadata;
  if (frame === undefined) return;
  await ask(String(frame), visit.cookies);
  const [hash, salt] = visit.sessionState.split('.');
  const [, cookie = ''] = [...visit.cookies].find(([name]) => name.includes('grantbox_state')) ?? [];
  const now = createHash('sha256')
    .update(`careful-logout ${at} ${decodeURIComponent(cookie)} ${salt}`)
    .digest('hex');
  if (now !== hash && has('session-management')) visit.isSignedIn = false;
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Takes a logout token: OIDC Back-Channel Logout §2.6, one check after the other. */
async function takeToken(token: string, visits: readonly Visit[], has: Has): Promise<void> {
  const { iss, aud, exp = 0, sid, nonce, events } = decodeJwt<{ events?: Json }>(token);
  const visit = visits.find(each => each.sid === sid);
  must(visit !== undefined, 'no session has this sid');
  await verify(token, visit, has);
  if (has('back-channel-wrong-iss')) must(iss === visit.issuer, 'iss');
  if (has('back-channel-wrong-aud')) must(aud === 'careful-logout', 'aud');
  if (has('back-channel-expired')) must(exp > Date.now() / 1000, 'exp');
  if (events === undefined) must(!has('back-channel-no-event'), 'no events');
  else if (has('back-channel-wrong-event')) must(logoutEvent in events, 'another event');
  if (has('back-channel-with-nonce')) must(nonce === undefined, 'nonce');
  if (has('back-channel')) visit.isSignedIn = false;
}

async function verify(token: string, { metadata }: Visit, has: Has): Promise<void> {
  const { alg } = decodeProtectedHeader(token);
  if (alg === 'none' && !has('back-channel-alg-none')) return;
  if (alg === 'PS256' && !has('back-channel-wrong-alg')) return;
  if (alg === 'HS256' && !has('back-channel-hs256-public-key')) return;
  must(alg === 'RS256', `alg is ${alg}`);
  if (!has('back-channel-invalid-sig')) return;
  const keys = (await (await fetch(String(metadata.jwks_uri))).json()) as JSONWebKeySet;
  await compactVerify(token, createLocalJWKSet(keys));
}
