import { ask, requestTokens } from './ask.ts';
import { throughPages } from './authorization.ts';
import { type Bench, endpoint } from './bench.ts';
import { unique } from './client-keys.ts';
import { demand } from './demand.ts';
import { describe, type Json, jsonOf, textOf } from './json.ts';
import { registerClient, type TestClient, type TestClientForm } from './test-client.ts';
import { idTokenClaims } from './verify.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const cibaGrant = 'urn:openid:params:grant-type:ciba';

/** A device, and a user who allows it on another screen (RFC 8628). */
export async function byDevice(bench: Bench): Promise<Json> {
  const client = await registerClient(bench, { grant_types: [deviceGrant] });
  const begun = await begin(bench, client, 'device_authorization_endpoint', { scope: 'openid' });
  const browser = bench.browser();
  const page = await throughPages(bench, browser, await browser.open(textOf(begun, 'verification_uri_complete')));
  await browser.submit(page, 'device-allow');
  const device_code = textOf(begun, 'device_code');
  const tokens = await requestTokens(bench, client, { grant_type: deviceGrant, device_code });
  const { sub } = await idTokenClaims(bench, client, textOf(tokens, 'id_token'));
  demand(sub === bench.subject.user.sub, `the device got tokens for ${sub}`);
  return tokens;
}

/** What a request of a backchannel client is, besides the usual. */
export interface BackchannelForm extends TestClientForm {
  readonly metadata?: Json;
  readonly form?: Readonly<Record<string, string>>;
  /** Signs the request. */
  readonly requestAlg?: string;
}

/** A client that names the user, who allows it on a page of the server (OIDC CIBA); `auth_req_id` is in the answer. */
export async function byBackchannel(
  bench: Bench,
  { metadata = {}, form = {}, requestAlg }: BackchannelForm = {},
): Promise<{ readonly authReqId: string }> {
  const client = await registerClient(bench, { grant_types: [cibaGrant], ...metadata });
  const plain = { scope: 'openid', login_hint: bench.subject.user.sub, binding_message: unique().slice(-8), ...form };
  const sent = requestAlg === undefined ? plain : { request: await signed(bench, client, plain, requestAlg) };
  const begun = await begin(bench, client, 'backchannel_authentication_endpoint', sent);
  await approve(bench, plain.binding_message);
  const auth_req_id = textOf(begun, 'auth_req_id');
  const tokens = await requestTokens(bench, client, { grant_type: cibaGrant, auth_req_id });
  const { sub } = await idTokenClaims(bench, client, textOf(tokens, 'id_token'));
  demand(sub === bench.subject.user.sub, `the client got tokens for ${sub}`);
  return { authReqId: auth_req_id };
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

/** Allows the request with this message, whichever others wait at the same time. */
async function approve(bench: Bench, message: string): Promise<void> {
  const browser = bench.browser();
  const page = await throughPages(bench, browser, await browser.open(bench.subject.approvalsUrl));
  const waiting = page.html.indexOf(message);
  demand(waiting !== -1, 'the request is not on the page of what waits for approval');
  await browser.submit({ ...page, html: page.html.slice(waiting) }, 'approval-allow');
}

/** OIDC CIBA §7.1.1. */
function signed(bench: Bench, client: TestClient, plain: Json, alg: string): Promise<string> {
  const now = bench.subject.clock();
  const times = { iat: now, nbf: now, exp: now + 60, jti: unique() };
  return bench.keys.sign(alg, { ...plain, ...times, iss: client.client_id, aud: bench.subject.issuer });
}
