import { defined } from '../../../src/base/defined.ts';
import { isRecord } from '../../../src/base/text/record.ts';
import { ask, callWith, refusedTokens, requestTokens } from './ask.ts';
import { authorizeWell, logIn, redemptionOf } from './authorization.ts';
import { type Bench, endpoint, offers, type Probe, type PromiseCheck } from './bench.ts';
import { trustedIssuer, unique } from './client-keys.ts';
import { demand } from './demand.ts';
import { describe, type Json, jsonOf, listOf, textOf } from './json.ts';
import { registerClient, type TestClient, type TestClientForm } from './test-client.ts';
import { idTokenClaims } from './verify.ts';

export async function probeCode(bench: Bench): Promise<void> {
  await logIn(bench, await registerClient(bench));
}

/** Tests that a code is redeemed once, and refused the second time. */
export async function probeTokenEndpoint(bench: Bench): Promise<void> {
  const client = await registerClient(bench);
  const form = redemptionOf(client, await authorizeWell(bench, client));
  await requestTokens(bench, client, form);
  const error = await refusedTokens(bench, client, form);
  demand(error === 'invalid_grant', `the second time the token endpoint answered ${error}`);
}

/** Probes by `grant_type`, without the device grant and CIBA, which are in `decision-probes.ts`. */
export const grants: Readonly<Record<string, Probe>> = {
  authorization_code: probeCode,
  refresh_token: probeRefresh,
  client_credentials: async bench => granted(bench),
  'urn:ietf:params:oauth:grant-type:token-exchange': probeExchange,
  'urn:ietf:params:oauth:grant-type:jwt-bearer': probeJwtBearer,
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

/** The request of a client that acts for itself. Some servers demand the name of an API, others a scope. */
function alone({ subject: { resource }, metadata }: Bench): Readonly<Record<string, string>> {
  const [scope] = listOf(metadata, 'scopes_supported');
  return { grant_type: 'client_credentials', ...defined({ resource, scope }) };
}

/** Registers a client and requests a token with client_credentials. */
export async function granted(
  bench: Bench,
  metadata: Json = {},
  form: TestClientForm = {},
): Promise<{ readonly client: TestClient; readonly tokens: Json }> {
  const client = await registerClient(bench, { grant_types: ['client_credentials'], ...metadata }, form);
  const tokens = await requestTokens(bench, client, alone(bench));
  textOf(tokens, 'access_token');
  return { client, tokens };
}

/** Whether a token is active, by introspection, or by UserInfo if there is no introspection endpoint. */
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

async function probeRefresh(bench: Bench): Promise<void> {
  const client = await registerClient(bench);
  const { tokens } = await logIn(bench, client, { scope: lastingScope(bench) });
  const refresh_token = textOf(tokens, 'refresh_token');
  const fresh = await requestTokens(bench, client, { grant_type: 'refresh_token', refresh_token });
  demand(textOf(fresh, 'access_token') !== tokens.access_token, 'the refresh returned the same access token');
}

/** Tests introspection of a valid and of an unknown token. */
export async function probeIntrospection(bench: Bench): Promise<void> {
  const { client, tokens } = await granted(bench);
  const found = await introspect(bench, client, textOf(tokens, 'access_token'));
  demand(found.active === true && found.client_id === client.client_id, 'a valid token is not active');
  demand((await introspect(bench, client, unique())).active === false, 'an unknown token is active');
}

/** Tests that revoking a refresh token also revokes its access token (RFC 7009 §2.1). */
export async function probeRevocation(bench: Bench, url: string): Promise<void> {
  const client = await registerClient(bench);
  const { tokens } = await logIn(bench, client, { scope: lastingScope(bench) });
  const [accessToken, refresh_token] = [textOf(tokens, 'access_token'), textOf(tokens, 'refresh_token')];
  const canAsk = bench.metadata.introspection_endpoint !== undefined || bench.metadata.userinfo_endpoint !== undefined;
  if (canAsk)
    demand(await isActive(bench, client, accessToken), 'the access token is not active before the revocation');
  const answer = await ask(bench, client, url, { token: refresh_token });
  demand(answer.status === 200, `revocation answered ${describe(answer)}`);
  if (!canAsk) return void (await refusedTokens(bench, client, { grant_type: 'refresh_token', refresh_token }));
  demand(!(await isActive(bench, client, accessToken)), 'the access token is still active after the revocation');
}

/** Tests a token bound by DPoP (RFC 9449 §7). */
export async function probeDpop(bench: Bench, alg: string): Promise<void> {
  await probeBound(bench, await registerClient(bench, { dpop_bound_access_tokens: true }, { proofAlg: alg }));
}

/** Tests a token bound to a client certificate (RFC 8705 §3). */
export async function probeCertificate(bench: Bench): Promise<void> {
  await probeBound(bench, await registerClient(bench, {}, { isCertified: true }));
}

/** Tests that UserInfo accepts a bound token from its client, and refuses it without the key. */
async function probeBound(bench: Bench, client: TestClient): Promise<void> {
  const { tokens } = await logIn(bench, client);
  const token = textOf(tokens, 'access_token');
  const url = endpoint(bench, 'userinfo_endpoint');
  const taken = await callWith(bench, client, url, token);
  demand(taken.status === 200, `UserInfo answered ${describe(taken)}`);
  const { proofAlg: _, identity: __, ...thief } = client;
  const stolen = await callWith(bench, thief, url, token);
  demand(stolen.status === 401, `without the key UserInfo answered ${stolen.status}`);
}

/** Tests an endpoint alias for mutual TLS (RFC 8705 §5). */
export async function probeAlias(bench: Bench, name: string): Promise<void> {
  const { mtls_endpoint_aliases: aliases } = bench.metadata;
  demand(isRecord(aliases), 'mtls_endpoint_aliases is not an object');
  const client = await registerClient(bench, {}, { isCertified: true });
  const answer = await bench.http.send(textOf(aliases, name), { identity: client.identity });
  demand(![404, 501].includes(answer.status) && answer.status < 500, `the alias answered ${describe(answer)}`);
}

/** The checks of client authentication at an endpoint. */
export function authenticationAt(member: string): Readonly<Record<string, PromiseCheck>> {
  return {
    [`${member}_auth_methods_supported`]: [
      'clients that authenticate by this method',
      (bench, method) => authenticate(bench, member, { method }),
    ],
    [`${member}_auth_signing_alg_values_supported`]: [
      'client assertions by this algorithm',
      (bench, assertionAlg) => {
        const method = assertionAlg.startsWith('HS') ? 'client_secret_jwt' : 'private_key_jwt';
        return authenticate(bench, member, { method, assertionAlg });
      },
    ],
  };
}

/** Tests client authentication. A client that cannot use client_credentials, such as a public one, redeems a code. */
async function authenticate(bench: Bench, member: string, form: TestClientForm): Promise<void> {
  const isPublic = form.method === 'none';
  // a document without the member names no grant, so either may be there
  const isOpen = !isPublic && bench.metadata.grant_types_supported === undefined;
  const actsAlone = !isPublic && !isOpen && offers(bench, 'grant_types_supported', 'client_credentials');
  const both = { grant_types: ['authorization_code', 'refresh_token', 'client_credentials'] };
  const client = await registerClient(
    bench,
    actsAlone ? { grant_types: ['client_credentials'] } : isOpen ? both : {},
    form,
  );
  const byItself = () => requestTokens(bench, client, alone(bench));
  const byCode = async () => (await logIn(bench, client)).tokens;
  const { access_token } = await (actsAlone ? byItself() : isOpen ? byCode().catch(byItself) : byCode());
  if (member === 'token_endpoint') return;
  const answer = await ask(bench, client, endpoint(bench, member), { token: String(access_token) });
  demand(answer.status === 200, `the ${member.replaceAll('_', ' ')} answered ${describe(answer)}`);
}

const tokenType = 'urn:ietf:params:oauth:token-type:';

async function probeExchange(bench: Bench, grant_type: string): Promise<void> {
  const client = await registerClient(bench, { grant_types: ['authorization_code', grant_type] });
  const { tokens } = await logIn(bench, client);
  const exchanged = await requestTokens(bench, client, {
    grant_type,
    subject_token: textOf(tokens, 'access_token'),
    subject_token_type: `${tokenType}access_token`,
  });
  demand(
    exchanged.issued_token_type === `${tokenType}access_token`,
    `the issued_token_type is ${exchanged.issued_token_type}`,
  );
  textOf(exchanged, 'access_token');
}

/** Tests the JWT bearer grant with an issuer that the server trusts (RFC 7523 §2.1). */
async function probeJwtBearer(bench: Bench, grant_type: string): Promise<void> {
  const { keys, subject } = bench;
  const now = subject.clock();
  const claims = {
    iss: trustedIssuer,
    sub: subject.user.sub,
    aud: subject.iss,
    iat: now,
    exp: now + 60,
    jti: unique(),
  };
  const client = await registerClient(bench, { grant_types: [grant_type] });
  const assertion = await keys.sign('ES256', claims);
  const tokens = await requestTokens(bench, client, { grant_type, assertion, scope: 'openid' });
  const { sub } = await idTokenClaims(bench, client, textOf(tokens, 'id_token'));
  demand(sub === subject.user.sub, `the sub of the tokens is ${sub}`);
}

/** A scope with which refresh tokens are issued. */
function lastingScope(bench: Bench): string {
  return offers(bench, 'scopes_supported', 'offline_access') ? 'openid offline_access' : 'openid';
}
