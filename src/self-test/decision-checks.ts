import { ask } from './ask.ts';
import { endpoint } from './bench.ts';
import { attemptIn, type Checks } from './check.ts';
import { unique } from './client-keys.ts';
import { byBackchannel, byDevice } from './decision-flows.ts';
import { demand } from './demand.ts';
import { jsonOf, textOf } from './json.ts';
import { registerClient } from './test-client.ts';

/** What users decide about on another screen. */
export const decisionChecks: Checks = {
  device_authorization_endpoint: { promise: 'tokens for a device that the user allows', attempt: byDevice },
  backchannel_authentication_endpoint: {
    promise: 'tokens for a client whose user allows it elsewhere',
    attempt: async bench => byBackchannel(bench),
  },
  backchannel_token_delivery_modes_supported: {
    promise: 'this way to learn that the user has decided',
    attempt: (bench, mode) =>
      attemptIn(
        {
          poll: each => byBackchannel(each, { metadata: { backchannel_token_delivery_mode: 'poll' } }),
          ping: checkPing,
        },
        bench,
        mode,
      ),
  },
  backchannel_authentication_request_signing_alg_values_supported: {
    promise: 'signed requests by this algorithm',
    attempt: (bench, alg) =>
      byBackchannel(bench, {
        metadata: { backchannel_authentication_request_signing_alg: alg },
        requestAlg: alg,
      }),
  },
  backchannel_user_code_parameter_supported: {
    promise: 'no request with a user_code, as it says false',
    async attempt(bench, value) {
      demand(value === 'false', 'it says true, and no check knows what is to be typed then');
      const client = await registerClient(bench, { grant_types: ['urn:openid:params:grant-type:ciba'] });
      const form = { scope: 'openid', login_hint: bench.subject.user.sub, user_code: '1234' };
      const answer = await ask(bench, client, endpoint(bench, 'backchannel_authentication_endpoint'), form);
      demand(answer.status === 400, `one was answered with ${answer.status}`);
      textOf(jsonOf(answer), 'error');
    },
  },
};

/** OIDC CIBA §10.2. */
async function checkPing(bench: Parameters<typeof byDevice>[0]): Promise<void> {
  const path = `/${unique()}`;
  const token = unique();
  const metadata = {
    backchannel_token_delivery_mode: 'ping',
    backchannel_client_notification_endpoint: bench.site.url + path,
  };
  const { authReqId } = await byBackchannel(bench, { metadata, form: { client_notification_token: token } });
  const pinged = bench.site.received(path);
  demand(pinged !== undefined, 'the client was not told');
  demand(pinged.headers.authorization === `Bearer ${token}`, 'the ping has not the token of the client');
  demand(JSON.parse(pinged.body).auth_req_id === authReqId, 'the ping names another request');
}
