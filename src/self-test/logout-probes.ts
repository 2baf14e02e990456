import { isRecord } from '../text/record.ts';
import { authorize, logIn } from './authorization.ts';
import type { Bench } from './bench.ts';
import { type Browser, framesOf, type Visit } from './browser.ts';
import { unique } from './client-keys.ts';
import { demand } from './demand.ts';
import { describe, type Json, textOf } from './json.ts';
import { registerClient, returnUri, type TestClient } from './test-client.ts';
import { verified } from './verify.ts';

const backchannelEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** OIDC RP-Initiated Logout §2, §3. */
export async function probeLogout(bench: Bench): Promise<void> {
  const { client, browser, idToken } = await signedIn(bench);
  const state = unique();
  const visit = await logOut(bench, browser, { id_token_hint: idToken, post_logout_redirect_uri: returnUri, state });
  demand(visit.isOutside && visit.url.href === `${returnUri}?state=${state}`, `the browser went to ${visit.url}`);
  const { parameters } = await authorize(bench, client, { prompt: 'none' }, { browser });
  demand(parameters.error === 'login_required', 'the session goes on');
}

/** OIDC Session Management §2, §3.2. */
export async function probeIframe(bench: Bench, url: string): Promise<void> {
  const answer = await bench.http.send(url, { headers: { Accept: 'text/html' } });
  demand(answer.status === 200, `it answered ${describe(answer)}`);
  const { response } = await signedIn(bench);
  demand(response.parameters.session_state !== undefined, 'the answer to a login has no session_state');
}

/** OIDC Front-Channel Logout §2, §3. */
export async function probeFrames(bench: Bench): Promise<void> {
  const address = `https://self-test.example/${unique()}`;
  const metadata = { frontchannel_logout_uri: address, frontchannel_logout_session_required: true };
  const { browser, idToken, sid } = await signedIn(bench, metadata);
  const visit = await logOut(bench, browser, { id_token_hint: idToken });
  const frame = framesOf(visit.html).find(url => url.startsWith(address));
  demand(frame !== undefined, 'the page has no frame for the client');
  const query = new URL(frame).searchParams;
  demand(query.get('iss') === bench.subject.issuer && query.get('sid') === sid, `the frame is for ${query}`);
}

/** OIDC Back-Channel Logout §2.4, §2.5. */
export async function probeLogoutToken(bench: Bench): Promise<void> {
  const path = `/${unique()}`;
  const metadata = { backchannel_logout_uri: bench.site.url + path, backchannel_logout_session_required: true };
  const { client, browser, idToken, sid } = await signedIn(bench, metadata);
  await logOut(bench, browser, { id_token_hint: idToken });
  const received = bench.site.received(path);
  demand(received !== undefined, 'the client was not told');
  const jwt = new URLSearchParams(received.body).get('logout_token') ?? '';
  const claims = await verified(bench, jwt, client, { typ: 'logout+jwt' });
  demand(claims.sid === sid, `the logout token is about the session ${claims.sid}`);
  demand(isRecord(claims.events) && backchannelEvent in claims.events, 'the logout token does not say what it is');
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
