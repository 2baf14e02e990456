import { isRecord } from '../text/record.ts';
import { ask, callWith, proofThumbprint, refusedTokens, requestTokens } from './ask.ts';
import { authorizeWell, logIn, redeem, redemptionOf } from './authorization.ts';
import { type Bench, endpoint, offers } from './bench.ts';
import { attemptIn, type Checks, type PromiseCheck } from './check.ts';
import { unique } from './client-keys.ts';
import { byBackchannel, byDevice } from './decision-flows.ts';
import { demand } from './demand.ts';
import { describe, type Json, jsonOf, textOf } from './json.ts';
import { registerClient, type TestClient, type TestClientForm } from './test-client.ts';
import { idTokenClaims, verified } from './verify.ts';

/** Which tokens there are, and what becomes of them. */
export const tokenChecks: Checks = {
  token_endpoint: {
    promise: 'tokens for a code, once, and errors as JSON',
    async attempt(bench) {
      const client = await registerClient(bench);
      const response = await authorizeWell(bench, client);
      await redeem(bench, client, response);
      const error = await refusedTokens(bench, client, redemptionOf(client, response));
      demand(error === 'invalid_grant', `the second time it answered ${error}`);
    },
  },
  grant_types_supported: {
    promise: 'tokens by this grant',
    attempt: (bench, grant) => attemptIn(grants, bench, grant),
  },
  introspection_endpoint: {
    promise: 'whether a token is good',
    async attempt(bench) {
      const { client, tokens } = await granted(bench);
      const token = textOf(tokens, 'access_token');
      const found = await introspect(bench, client, token);
      demand(found.active === true && found.client_id === client.client_id, 'a good token is not active');
      demand((await introspect(bench, client, unique())).active === false, 'a token that nobody issued is active');
    },
  },
  introspection_signing_alg_values_supported: {
    promise: 'signed answers by this algorithm (RFC 9701)',
    async attempt(bench, alg) {
      const { client, tokens } = await granted(bench, { introspection_signed_response_alg: alg });
      const accept = 'application/token-introspection+jwt';
      const form = { token: textOf(tokens, 'access_token') };
      const answer = await ask(bench, client, endpoint(bench, 'introspection_endpoint'), form, { accept });
      demand(answer.status === 200, `introspection answered ${describe(answer)}`);
      const { token_introspection: said } = await verified(bench, answer.text, {
        ...{ audience: client.client_id, typ: 'token-introspection+jwt', alg },
      });
      demand(isRecord(said) && said.active === true, 'a good token is not active');
    },
  },
  revocation_endpoint: { promise: 'tokens that end when their client says so', attempt: checkRevocation },
  dpop_signing_alg_values_supported: { promise: 'tokens bound to a key by this algorithm', attempt: checkDpop },
};

/** By the value of `grant_type`. */
const grants: Readonly<Record<string, PromiseCheck['attempt']>> = {
  authorization_code: async bench => logIn(bench, await registerClient(bench)),
  refresh_token: checkRefresh,
  client_credentials: async bench => granted(bench),
  'urn:ietf:params:oauth:grant-type:device_code': async bench => byDevice(bench),
  'urn:openid:params:grant-type:ciba': async bench => byBackchannel(bench),
  'urn:ietf:params:oauth:grant-type:token-exchange': checkExchange,
  'urn:ietf:params:oauth:grant-type:jwt-bearer': checkJwtBearer,
  async password(bench) {
    const client = await registerClient(bench, { grant_types: ['password'] });
    const { username, password } = bench.subject.user;
    await requestTokens(bench, client, { grant_type: 'password', username, password, scope: 'openid' });
  },
  async implicit(bench) {
    const client = await registerClient(bench, { grant_types: ['implicit'], response_types: ['id_token token'] });
    const { parameters } = await authorizeWell(bench, client, { response_type: 'id_token token' });
    await idTokenClaims(bench, client, textOf(parameters, 'id_token'));
  },
};

/** A client that acts for itself, and its token. */
export async function granted(
  bench: Bench,
  metadata: Json = {},
  form: TestClientForm = {},
): Promise<{ readonly client: TestClient; readonly tokens: Json }> {
  const client = await registerClient(bench, { grant_types: ['client_credentials'], ...metadata }, form);
  const tokens = await requestTokens(bench, client, { grant_type: 'client_credentials' });
  textOf(tokens, 'access_token');
  return { client, tokens };
}

/** Whether a token is good, as introspection says it; UserInfo where there is none. */
async function isActive(bench: Bench, client: TestClient, token: string): Promise<boolean> {
  if (bench.metadata.introspection_endpoint !== undefined)
    return (await introspect(bench, client, token)).active === true;
  return (await callWith(bench, client, endpoint(bench, 'userinfo_endpoint'), token)).status === 200;
}

async function introspect(bench: Bench, client: TestClient, token: string): Promise<Json> {
  const answer = await ask(bench, client, endpoint(bench, 'introspection_endpoint'), { token });
  demand(answer.status === 200, `introspection answered ${describe(answer)}`);
  return jsonOf(answer);
}

async function checkRefresh(bench: Bench): Promise<void> {
  const client = await registerClient(bench);
  const { tokens } = await logIn(bench, client, { scope: 'openid offline_access' });
  const refresh_token = textOf(tokens, 'refresh_token');
  const fresh = await requestTokens(bench, client, { grant_type: 'refresh_token', refresh_token });
  demand(textOf(fresh, 'access_token') !== tokens.access_token, 'the same access token came back');
}

/** RFC 7009: the refresh token, and what it has given. */
async function checkRevocation(bench: Bench, url: string): Promise<void> {
  const client = await registerClient(bench);
  const { tokens } = await logIn(bench, client, { scope: 'openid offline_access' });
  const accessToken = textOf(tokens, 'access_token');
  demand(await isActive(bench, client, accessToken), 'the token is not good to begin with');
  const refresh_token = textOf(tokens, 'refresh_token');
  const answer = await ask(bench, client, url, { token: refresh_token });
  demand(answer.status === 200, `revocation answered ${describe(answer)}`);
  demand(!(await isActive(bench, client, accessToken)), 'the access token is good all the same');
  const error = await refusedTokens(bench, client, { grant_type: 'refresh_token', refresh_token });
  demand(error === 'invalid_grant', `the refresh token was refused with ${error}`);
}

/** RFC 9449 §6: the token says whose it is, and UserInfo takes it with a proof only. */
async function checkDpop(bench: Bench, alg: string): Promise<void> {
  const client = await registerClient(bench, { dpop_bound_access_tokens: true }, { proofAlg: alg });
  const { tokens } = await logIn(bench, client);
  const token = textOf(tokens, 'access_token');
  const url = endpoint(bench, 'userinfo_endpoint');
  const taken = await callWith(bench, client, url, token);
  demand(taken.status === 200, `UserInfo answered ${describe(taken)}`);
  const { proofAlg: _, ...thief } = client;
  const stolen = await callWith(bench, thief, url, token);
  demand(stolen.status === 401, `without a proof UserInfo answered ${stolen.status}`);
  if (!offers(bench, 'introspection_endpoint_auth_methods_supported', client.method)) return;
  const { cnf } = await introspect(bench, client, token);
  const expected = await proofThumbprint(bench, alg);
  demand(isRecord(cnf) && cnf.jkt === expected, 'the token is bound to another key, or to none');
}

const tokenType = 'urn:ietf:params:oauth:token-type:';

async function checkExchange(bench: Bench, grant_type: string): Promise<void> {
  const client = await registerClient(bench, { grant_types: ['authorization_code', grant_type] });
  const { tokens } = await logIn(bench, client);
  const exchanged = await requestTokens(bench, client, {
    ...{ grant_type, subject_token: textOf(tokens, 'access_token'), subject_token_type: `${tokenType}access_token` },
  });
  demand(exchanged.issued_token_type === `${tokenType}access_token`, `it is a ${exchanged.issued_token_type}`);
  textOf(exchanged, 'access_token');
}

/** RFC 7523 §2.1: somebody who is trusted for the time of this test says who the user is. */
async function checkJwtBearer(bench: Bench, grant_type: string): Promise<void> {
  const { keys, subject } = bench;
  const iss = `https://${unique()}.example`;
  subject.trust(iss, keys.publicKeys);
  const now = subject.clock();
  const claims = { iss, sub: subject.user.sub, aud: subject.issuer, iat: now, exp: now + 60, jti: unique() };
  const client = await registerClient(bench, { grant_types: [grant_type] });
  const assertion = await keys.sign('ES256', claims);
  const tokens = await requestTokens(bench, client, { grant_type, assertion, scope: 'openid' });
  const { sub } = await idTokenClaims(bench, client, textOf(tokens, 'id_token'));
  demand(sub === subject.user.sub, `the tokens are about ${sub}`);
}
