import { isRecord } from '../../../src/base/text/record.ts';
import type { Visit } from '../agent.ts';
import { authorize, logIn } from './authorization.ts';
import type { Bench } from './bench.ts';
import { type Browser, framesOf } from './browser.ts';
import { unique } from './client-keys.ts';
import { demand } from './demand.ts';
import { describe, type Json, textOf } from './json.ts';
import { registerClient, returnUri, type TestClient } from './test-client.ts';
import { verified } from './verify.ts';

const backchannelEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Tests a logout with id_token_hint and its redirect (OIDC RP-Initiated Logout §2, §3). */
export async function probeLogout(bench: Bench): Promise<void> {
  const { client, browser, idToken } = await signedIn(bench);
  const state = unique();
  const visit = await logOut(bench, browser, { id_token_hint: idToken, post_logout_redirect_uri: returnUri, state });
  demand(visit.url.href === `${returnUri}?state=${state}`, `the browser was redirected to ${visit.url}`);
  const { parameters } = await authorize(bench, client, { prompt: 'none' }, { browser });
  demand(parameters.error === 'login_required', 'the session is still active');
}

/** Tests the session iframe and session_state (OIDC Session Management §2, §3.2). */
export async function probeIframe(bench: Bench, url: string): Promise<void> {
  const answer = await bench.http.send(url, { headers: { Accept: 'text/html' } });
  demand(answer.status === 200, `the iframe page answered ${describe(answer)}`);
  const { response } = await signedIn(bench);
  demand(response.parameters.session_state !== undefined, 'the authorization response has no session_state');
}

/** Tests the logout iframe of a client (OIDC Front-Channel Logout §2, §3). */
export async function probeFrames(bench: Bench): Promise<void> {
  const address = `https://client.example/${unique()}`;
  const metadata = { frontchannel_logout_uri: address, frontchannel_logout_session_required: true };
  const { browser, idToken, sid } = await signedIn(bench, metadata);
  const visit = await logOut(bench, browser, { id_token_hint: idToken });
  const frame = framesOf(visit.html).find(url => url.startsWith(address));
  demand(frame !== undefined, 'the logout page has no frame for the client');
  const query = new URL(frame).searchParams;
  demand(query.get('iss') === bench.subject.iss && query.get('sid') === sid, `the query of the frame is ${query}`);
}

/** Tests the logout token that a client receives (OIDC Back-Channel Logout §2.4, §2.5). */
export async function probeLogoutToken(bench: Bench): Promise<void> {
  const path = `/${unique()}`;
  const metadata = { backchannel_logout_uri: bench.site.url + path, backchannel_logout_session_required: true };
  const { client, browser, idToken, sid } = await signedIn(bench, metadata);
  await logOut(bench, browser, { id_token_hint: idToken });
  const received = bench.site.received(path);
  demand(received !== undefined, 'the client was not notified');
  const jwt = new URLSearchParams(received.body).get('logout_token') ?? '';
  const claims = await verified(bench, jwt, client, { typ: 'logout+jwt' });
  demand(claims.sid === sid, `the sid of the logout token is ${claims.sid}`);
  demand(
    isRecord(claims.events) && backchannelEvent in claims.events,
    'the logout token has no events claim for the logout',
  );
}

async function signedIn(bench: Bench, metadata: Json = {}) {
  const client: TestClient = await registerClient(bench, metadata);
  const browser = bench.browser();
  const { response, tokens, claims } = await logIn(bench, client, {}, { browser });
  return { client, browser, response, idToken: textOf(tokens, 'id_token'), sid: claims.sid };
}

function logOut(bench: Bench, browser: Browser, parameters: Readonly<Record<string, string>>): Promise<Visit> {
  const url = new URL(textOf(bench.metadata, 'end_session_endpoint'));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return browser.open(url);
}
