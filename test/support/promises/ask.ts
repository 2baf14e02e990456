import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import { defined } from '../../../src/base/defined.ts';
import { type Bench, endpoint } from './bench.ts';
import { unique } from './client-keys.ts';
import { demand } from './demand.ts';
import type { TestAnswer, TestRequest } from './http.ts';
import { describe, type Json, jsonOf, textOf } from './json.ts';
import type { TestClient } from './test-client.ts';

type Form = Readonly<Record<string, string>>;

/** Posts a form with client authentication; `isProved` adds a DPoP proof if the client uses DPoP. */
export async function ask(
  bench: Bench,
  client: TestClient,
  url: string,
  form: Form,
  { accept = 'application/json', isProved = false } = {},
): Promise<TestAnswer> {
  const post = async (nonce?: string) => {
    const { fields, headers } = await credentials(bench, client);
    const proof = isProved ? await proofHeader(bench, client, 'POST', url, { nonce }) : {};
    return bench.http.send(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: accept, ...headers, ...proof },
      body: new URLSearchParams({ ...form, ...fields }).toString(),
      identity: client.identity,
    });
  };
  return withNonce(post);
}

/** Requests tokens and checks the response (RFC 6749 §5.1). */
export async function requestTokens(bench: Bench, client: TestClient, form: Form): Promise<Json> {
  const answer = await ask(bench, client, endpoint(bench, 'token_endpoint'), form, { isProved: true });
  demand(answer.status === 200, `the token endpoint answered ${describe(answer)}`);
  const tokens = jsonOf(answer);
  const type = textOf(tokens, 'token_type');
  const expected = client.proofAlg === undefined ? 'Bearer' : 'DPoP';
  const isExpected = type === 'N_A' || type.toLowerCase() === expected.toLowerCase(); // RFC 6749 §5.1
  demand(isExpected, `token_type is ${type}, not ${expected}`);
  demand(answer.headers['cache-control']?.includes('no-store'), 'the token response has no Cache-Control: no-store');
  return tokens;
}

/** Sends a token request that must be refused; returns the error code. */
export async function refusedTokens(bench: Bench, client: TestClient, form: Form): Promise<string> {
  const answer = await ask(bench, client, endpoint(bench, 'token_endpoint'), form, { isProved: true });
  demand(
    answer.status >= 400 && answer.status < 500,
    `the token endpoint did not refuse the request: ${describe(answer)}`,
  );
  return textOf(jsonOf(answer), 'error');
}

/** Calls an API or UserInfo with an access token (RFC 6750 §2.1, RFC 9449 §7.1). */
export function callWith(
  bench: Bench,
  client: TestClient,
  url: string,
  accessToken: string,
  sent: Pick<TestRequest, 'method' | 'headers' | 'body'> = {},
): Promise<TestAnswer> {
  return withNonce(async nonce => {
    const proof = await proofHeader(bench, client, sent.method ?? 'GET', url, { nonce, accessToken });
    const Authorization = `${client.proofAlg === undefined ? 'Bearer' : 'DPoP'} ${accessToken}`;
    const headers = { ...sent.headers, Authorization, ...proof };
    return bench.http.send(url, { ...sent, headers, identity: client.identity });
  });
}

/** Sends a request again if the server demands a DPoP nonce (RFC 9449 §8). */
async function withNonce(send: (nonce?: string) => Promise<TestAnswer>): Promise<TestAnswer> {
  const answer = await send();
  const nonce = answer.headers['dpop-nonce'];
  const isAsked = (answer.status === 400 || answer.status === 401) && typeof nonce === 'string';
  return isAsked ? send(nonce) : answer;
}

async function credentials(
  bench: Bench,
  client: TestClient,
): Promise<{ readonly fields: Form; readonly headers: Form }> {
  const { client_id, secret, method } = client;
  if (method === 'client_secret_basic') {
    const pair = [client_id, secret].map(encodeURIComponent).join(':');
    return { fields: {}, headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
  }
  if (method === 'client_secret_post') return { fields: { client_id, client_secret: secret }, headers: {} };
  if (!method.endsWith('_jwt')) return { fields: { client_id }, headers: {} };
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  return { fields: { client_assertion_type, client_assertion: await assertion(bench, client) }, headers: {} };
}

/** A client assertion (RFC 7523 §3). Its audience is the issuer, because every profile accepts that. */
function assertion({ keys, subject }: Bench, { client_id, secret, assertionAlg: alg }: TestClient): Promise<string> {
  const now = subject.clock();
  const claims = { iss: client_id, sub: client_id, aud: subject.iss, iat: now, exp: now + 60, jti: unique() };
  if (!alg.startsWith('HS')) return keys.sign(alg, claims);
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
}

/** The header with a DPoP proof (RFC 9449 §4.2); empty for a client without DPoP. */
async function proofHeader(
  { keys, subject }: Bench,
  { proofAlg: alg }: TestClient,
  htm: string,
  url: string,
  { nonce, accessToken }: { readonly nonce?: string | undefined; readonly accessToken?: string },
): Promise<Form> {
  if (alg === undefined) return {};
  const claims = {
    htm,
    htu: url.split(/[?#]/, 1)[0],
    jti: unique(),
    iat: subject.clock(),
    ...defined({ nonce }),
    ...(accessToken === undefined ? {} : { ath: createHash('sha256').update(accessToken).digest('base64url') }),
  };
  const { kid: _, ...jwk } = keys.publicKey(alg);
  const proof = new SignJWT(claims).setProtectedHeader({ alg, typ: 'dpop+jwt', jwk });
  return { DPoP: await keys.signWith(alg, proof) };
}

/** Signs request parameters as a JWT of this client (RFC 9101 §4, OIDC CIBA §7.1.1). */
export function signRequest(
  { keys, subject }: Bench,
  { client_id }: TestClient,
  alg: string,
  claims: Json,
  header: { readonly typ?: string } = {},
): Promise<string> {
  const now = subject.clock();
  const times = { iat: now, nbf: now, exp: now + 60, jti: unique() };
  return keys.sign(alg, { ...claims, ...times, iss: client_id, aud: subject.iss }, header);
}
