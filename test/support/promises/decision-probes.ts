import { ask, requestTokens, signRequest } from './ask.ts';
import { throughPages } from './authorization.ts';
import { type Bench, endpoint } from './bench.ts';
import { unique } from './client-keys.ts';
import { demand } from './demand.ts';
import { describe, type Json, jsonOf, textOf } from './json.ts';
import { registerClient, type TestClient } from './test-client.ts';
import { idTokenClaims } from './verify.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const cibaGrant = 'urn:openid:params:grant-type:ciba';

/** Tests the device grant: the user approves on a different screen (RFC 8628). */
export async function probeDevice(bench: Bench): Promise<void> {
  const client = await registerClient(bench, { grant_types: [deviceGrant] });
  const begun = await begin(bench, client, 'device_authorization_endpoint', { scope: 'openid' });
  const browser = bench.browser();
  const page = await throughPages(bench, browser, await browser.open(codePage(begun)));
  await browser.submit(page, 'device-allow');
  await tokensOfUser(bench, client, { grant_type: deviceGrant, device_code: textOf(begun, 'device_code') });
}

/** The page with the code typed in. Not every server has an address for it (RFC 8628 §3.2). */
function codePage(begun: Json): string {
  if (begun.verification_uri_complete !== undefined) return textOf(begun, 'verification_uri_complete');
  return `${textOf(begun, 'verification_uri')}?${new URLSearchParams({ user_code: textOf(begun, 'user_code') })}`;
}

/** Tests a backchannel login in poll mode (OIDC CIBA §7, §10.1). */
export async function probeBackchannel(bench: Bench): Promise<void> {
  await byBackchannel(bench);
}

/** Tests a signed backchannel request (OIDC CIBA §7.1.1). */
export async function probeSignedRequest(bench: Bench, alg: string): Promise<void> {
  await byBackchannel(bench, { backchannel_authentication_request_signing_alg: alg }, {}, alg);
}

/** Tests the notification of a client in ping mode (OIDC CIBA §10.2). */
export async function probePing(bench: Bench): Promise<void> {
  const path = `/${unique()}`;
  const token = unique();
  const metadata = {
    backchannel_token_delivery_mode: 'ping',
    backchannel_client_notification_endpoint: bench.site.url + path,
  };
  const authReqId = await byBackchannel(bench, metadata, { client_notification_token: token });
  const pinged = bench.site.received(path);
  demand(pinged !== undefined, 'the client was not notified');
  demand(
    pinged.headers.authorization === `Bearer ${token}`,
    'the notification does not have the client_notification_token',
  );
  demand(JSON.parse(pinged.body).auth_req_id === authReqId, 'the notification names a different auth_req_id');
}

/** Tests that a request with a user_code is refused; the value true is not supported. */
export async function probeUserCode(bench: Bench, value: string): Promise<void> {
  demand(value === 'false', 'the value is true, which no check supports');
  const client = await registerClient(bench, { grant_types: [cibaGrant] });
  const form = { scope: 'openid', login_hint: bench.subject.user.sub, user_code: '1234' };
  const answer = await ask(bench, client, endpoint(bench, 'backchannel_authentication_endpoint'), form);
  demand(answer.status === 400, `a request with a user_code was answered with ${answer.status}`);
}

/** Runs a backchannel login that the user approves (OIDC CIBA); returns the `auth_req_id`. */
async function byBackchannel(
  bench: Bench,
  metadata: Json = {},
  form: Readonly<Record<string, string>> = {},
  requestAlg?: string,
): Promise<string> {
  const client = await registerClient(bench, { grant_types: [cibaGrant], ...metadata });
  const plain = { scope: 'openid', login_hint: bench.subject.user.sub, binding_message: unique().slice(-8), ...form };
  const sent = requestAlg === undefined ? plain : { request: await signRequest(bench, client, requestAlg, plain) };
  const begun = await begin(bench, client, 'backchannel_authentication_endpoint', sent);
  await approve(bench, plain.binding_message);
  const auth_req_id = textOf(begun, 'auth_req_id');
  await tokensOfUser(bench, client, { grant_type: cibaGrant, auth_req_id });
  return auth_req_id;
}

/** Tests that a challenge for a second factor needs a login that waits for it. */
export async function probeChallenge(bench: Bench, url: string): Promise<void> {
  const answer = await ask(bench, await registerClient(bench), url, { mfa_token: unique() });
  demand(answer.status >= 400 && answer.status < 500, `the endpoint answered ${describe(answer)}`);
  textOf(jsonOf(answer), 'error');
}

async function begin(
  bench: Bench,
  client: TestClient,
  member: string,
  form: Readonly<Record<string, string>>,
): Promise<Json> {
  const answer = await ask(bench, client, endpoint(bench, member), form);
  demand(answer.status === 200, `the ${member.replaceAll('_', ' ')} answered ${describe(answer)}`);
  return jsonOf(answer);
}

/** Approves the request with this binding message; other requests may be pending at the same time. */
async function approve(bench: Bench, message: string): Promise<void> {
  const browser = bench.browser();
  const page = await throughPages(bench, browser, await browser.open(bench.subject.approvalsUrl));
  const waiting = page.html.indexOf(message);
  demand(waiting !== -1, 'the request is not on the page of pending approvals');
  await browser.submit({ ...page, html: page.html.slice(waiting) }, 'approval-allow');
}

async function tokensOfUser(bench: Bench, client: TestClient, form: Readonly<Record<string, string>>): Promise<void> {
  const tokens = await requestTokens(bench, client, form);
  const { sub } = await idTokenClaims(bench, client, textOf(tokens, 'id_token'));
  demand(sub === bench.subject.user.sub, `the client received tokens for ${sub}`);
}
