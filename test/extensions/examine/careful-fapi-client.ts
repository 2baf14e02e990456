import { constants, createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import type { JWK } from 'jose';
import type { ExamLogin } from '../../../src/extensions/examine/driver.ts';
import type { ClientEntry } from '../../../src/index.ts';

// A client of FAPI 2.0 that makes each check by itself and without a library, so that each can be left out alone: pushed requests,
// PKCE, private_key_jwt, DPoP with nonces, signed responses, refresh.

const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const proving = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicJwk = { ...signing.publicKey.export({ format: 'jwk' }), kid: 'careful', alg: 'ES256', use: 'sig' };
const proofJwk = proving.publicKey.export({ format: 'jwk' });
const redirect_uri = 'http://localhost:7999/callback';
const client_id = 'careful-fapi';
const client_secret = 'careful-fapi-secret';

/** The registration of the client. It also has a secret, so that it can use it by mistake. */
export const carefulFapi: ClientEntry = {
  client_id,
  client_secret,
  token_endpoint_auth_methods: ['private_key_jwt', 'client_secret_basic'],
  jwks: { keys: [publicJwk] },
  redirect_uris: [redirect_uri],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid profile offline_access',
  id_token_signed_response_alg: 'PS256',
  authorization_signed_response_alg: 'PS256',
};

type Json = Readonly<Record<string, unknown>>;
type Form = Readonly<Record<string, string>>;
type Has = (check: string) => boolean;

/** Refuses with a reason. */
function must(isRight: boolean, reason: string): asserts isRight {
  if (!isRight) throw new Error(reason);
}

const random = () => randomBytes(32).toString('base64url');
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);

function jwt(key: typeof signing, header: object, claims: object): string {
  const input = `${encoded({ alg: 'ES256', ...header })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

interface Provider {
  readonly issuer: string;
  readonly metadata: Json;
  readonly keys: readonly JWK[];
}

interface Started {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The address that the browser opens. */
  readonly url: string;
}

/** A client with all checks but one: `lapse` is the id of the module that it fails. */
export function createCarefulFapiClient(lapse = ''): ExamLogin {
  const has: Has = check => check !== lapse;
  const kept = new Map<string, Started>();
  return async ({ issuer, module }) => {
    const provider = await discover(issuer, has);
    const sender = createSender(provider, has);
    const old = has('request-uri-reused') ? undefined : kept.get(issuer);
    // a response is signed where the module is about that, because one client cannot get both forms
    const started = old ?? (await start(provider, sender, module.startsWith('ensure-jarm'), has));
    kept.set(issuer, started);
    const response = readResponse(provider, await callback(started.url), has);
    checkResponse(response, provider, started, has);
    const tokens = await sender.token({
      grant_type: 'authorization_code',
      code: response.get('code') ?? '',
      redirect_uri,
      ...(has('pkce') ? { code_verifier: started.verifier } : {}),
    });
    const claims = idTokenClaims(String(tokens.id_token), provider, started.nonce, has);
    const info = await sender.userInfo(tokens);
    must(info.sub === claims.sub, 'UserInfo is about somebody else');
    return true;
  };
}

async function discover(issuer: string, has: Has): Promise<Provider> {
  const metadata: Json = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  if (has('discovery-issuer-mismatch')) must(metadata.issuer === issuer, 'the metadata is of another issuer');
  const { keys } = (await (await fetch(String(metadata.jwks_uri))).json()) as { keys: JWK[] };
  return { issuer, metadata, keys };
}

/** Sends requests to the provider, each with its proof and its credentials, and again with a nonce if it is asked for one. */
function createSender({ issuer, metadata }: Provider, has: Has) {
  const nonces = new Map<string, string>();
  const isBound = has('sender-constrained-tokens');

  function proof(htm: string, url: string, token?: string): Form {
    if (!isBound) return {};
    const nonce = nonces.get(url);
    const claims = { htm, htu: url, iat: now(), jti: random(), ...(nonce === undefined ? {} : { nonce }) };
    const bound = token === undefined ? claims : { ...claims, ath: digest(token) };
    return { DPoP: jwt(proving, { typ: 'dpop+jwt', jwk: proofJwk }, bound) };
  }
  function credentials(): { readonly headers: Form; readonly form: Form } {
    if (!has('client-authentication'))
      return { headers: { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` }, form: {} };
    const aud = has('client-assertion-aud') ? issuer : metadata.token_endpoint;
    const exp = now() + (has('client-assertion-lifetime') ? 60 : 1800);
    const claims = { iss: client_id, sub: client_id, aud, iat: now(), exp, jti: random() };
    const client_assertion = jwt(signing, { kid: 'careful' }, claims);
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    return { headers: {}, form: { client_id, client_assertion_type, client_assertion } };
  }
  async function post(url: string, form: Form): Promise<Json> {
    const own = credentials();
    const headers = { ...own.headers, ...proof('POST', url) };
    const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams({ ...form, ...own.form }) });
    const body: Json = await response.json();
    const nonce = response.headers.get('dpop-nonce');
    if (body.error === 'use_dpop_nonce' && nonce !== null && !nonces.has(url) && has('happy-path')) {
      nonces.set(url, nonce);
      return post(url, form);
    }
    must(response.ok, `${url} answered ${response.status} ${body.error}`);
    return body;
  }
  async function token(form: Form): Promise<Json> {
    const tokens = await post(String(metadata.token_endpoint), form);
    checkTokens(tokens, isBound, has);
    return tokens;
  }
  async function userInfo({ access_token, refresh_token }: Json): Promise<Json> {
    const url = String(metadata.userinfo_endpoint);
    const Authorization = `${isBound ? 'DPoP' : 'Bearer'} ${access_token}`;
    const response = await fetch(url, { headers: { Authorization, ...proof('GET', url, String(access_token)) } });
    if (response.ok) return (await response.json()) as Json;
    const challenge = response.headers.get('www-authenticate') ?? '';
    const nonce = response.headers.get('dpop-nonce');
    const isScheme = (has('rs-dpop-auth-scheme-case-insensitivity') ? /^dpop /i : /^DPoP /).test(challenge);
    if (isScheme && challenge.includes('use_dpop_nonce') && nonce !== null && !nonces.has(url)) {
      nonces.set(url, nonce);
      return userInfo({ access_token, refresh_token });
    }
    must(challenge.includes('invalid_token'), `UserInfo answered ${response.status} ${challenge}`);
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token: String(refresh_token) });
    return userInfo(has('refresh-token') ? refreshed : { ...refreshed, refresh_token });
  }
  return { post, token, userInfo };
}

type Sender = ReturnType<typeof createSender>;

function checkTokens({ token_type, expires_in }: Json, isBound: boolean, has: Has): void {
  const expected = isBound ? 'DPoP' : 'Bearer';
  const isSame = has('token-type-case-insensitivity')
    ? String(token_type).toLowerCase() === expected.toLowerCase()
    : token_type === expected;
  must(isSame, `token_type is ${token_type}`);
  if (!has('token-endpoint-response-without-expires_in')) must(expires_in !== undefined, 'no expires_in');
}

async function start({ metadata }: Provider, sender: Sender, isSigned: boolean, has: Has): Promise<Started> {
  const verifier = has('pkce-reused') ? random() : 'the-same-value-each-time-for-43-characters-or-more';
  const [state, nonce] = [random(), random()];
  const request = {
    ...{ client_id, redirect_uri, response_type: 'code', scope: carefulFapi.scope ?? '', state, nonce },
    ...(has('pkce') ? { code_challenge: digest(verifier), code_challenge_method: 'S256' } : {}),
    ...(isSigned ? { response_mode: 'jwt' } : {}),
  };
  const pushed = has('pushed-request')
    ? {
        client_id,
        request_uri: String(
          (await sender.post(String(metadata.pushed_authorization_request_endpoint), request)).request_uri,
        ),
        ...(has('only-request-uri') ? {} : { state }),
      }
    : request;
  return { state, nonce, verifier, url: `${metadata.authorization_endpoint}?${new URLSearchParams(pushed)}` };
}

/** Follows redirects as a browser does, until one leads to the client. */
async function callback(from: string): Promise<URLSearchParams> {
  let at = from;
  for (let hops = 0; hops < 5; hops++) {
    const response = await fetch(at, { redirect: 'manual' });
    const location = response.headers.get('location');
    must(location !== null, `the provider answered ${response.status}`);
    at = new URL(location, at).href;
    if (at.startsWith(redirect_uri)) return new URL(at).searchParams;
  }
  throw new Error('too many redirects');
}

/** The parameters of a response, those inside a signed one after its checks (JARM §2.4). */
function readResponse(provider: Provider, response: URLSearchParams, has: Has): URLSearchParams {
  const signed = response.get('response');
  if (signed === null) return response;
  const isNone = headerIn(signed).alg === 'none' && !has('ensure-jarm-signature-is-not-none');
  if (!isNone && has('ensure-jarm-with-invalid-sig-fails')) verifySignature(signed, provider, ['PS256']);
  else must(isNone || headerIn(signed).alg === 'PS256', 'alg');
  const claims = claimsIn(signed);
  const checks = (name: string) =>
    has(claims[name] === undefined ? `ensure-jarm-without-${name}-fails` : `ensure-jarm-with-invalid-${name}-fails`);
  if (checks('iss')) must(claims.iss === provider.issuer, 'iss of the signed response');
  if (checks('aud')) must(claims.aud === client_id, 'aud of the signed response');
  const checksTime = claims.exp === undefined ? checks('exp') : has('ensure-jarm-with-expired-exp-fails');
  if (checksTime) must(Number(claims.exp) > now(), 'exp of the signed response');
  const texts = Object.entries(claims).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return new URLSearchParams([...texts.filter(([name]) => name !== 'iss'), ['iss', provider.issuer]]);
}

function checkResponse(response: URLSearchParams, { issuer }: Provider, { state }: Started, has: Has): void {
  must(!response.has('error'), `the provider says ${response.get('error')}`);
  if (has(response.has('iss') ? 'invalid-authorization-response-iss' : 'remove-authorization-response-iss'))
    must(response.get('iss') === issuer, 'the response is of another issuer');
  const lapse = response.has('state') ? 'invalid-state' : 'invalid-missing-state';
  if (has(`ensure-authorization-response-with-${lapse}-fails`))
    must(response.get('state') === state, 'the response is of another sign-in');
}

const partOf = (token: string, index: number): Json =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
const headerIn = (token: string) => partOf(token, 0);
const claimsIn = (token: string) => partOf(token, 1);

function idTokenClaims(token: string, provider: Provider, nonce: string, has: Has): Json {
  const isNone = headerIn(token).alg === 'none' && !has('invalid-null-alg');
  if (!isNone) verifySignature(token, provider, has('invalid-alternate-alg') ? ['PS256'] : ['PS256', 'RS256']);
  const claims = claimsIn(token);
  const audiences = [claims.aud ?? []].flat();
  const checks = (name: string, wrong = `invalid-${name}`) =>
    has(claims[name] === undefined ? `invalid-missing-${name}` : wrong);
  if (checks('iss')) must(claims.iss === provider.issuer, 'iss');
  if (checks('aud')) must(audiences.includes(client_id), 'aud');
  if (has('invalid-secondary-aud')) must(audiences.length < 2 || claims.azp === client_id, 'azp');
  if (!has('valid-aud-as-array')) must(typeof claims.aud === 'string', 'aud is a list');
  if (checks('exp', 'invalid-expired-exp')) must(Number(claims.exp) > now(), 'exp');
  if (checks('nonce')) must(claims.nonce === nonce, 'nonce');
  return claims;
}

/** The algorithm is the client's own choice, and the key the one that `kid` names. */
function verifySignature(token: string, { keys }: Provider, algs: readonly string[]): void {
  const { alg, kid } = headerIn(token);
  must(algs.includes(String(alg)), `alg is ${alg}`);
  const jwk = keys.find(key => key.kid === kid);
  must(jwk !== undefined, 'no key of this kid');
  const [signature = '', ...rest] = token.split('.').reverse();
  const input = Buffer.from(rest.reverse().join('.'));
  const padding = alg === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const key = {
    key: createPublicKey({ key: jwk, format: 'jwk' }),
    padding,
    ...(alg === 'PS256' && { saltLength: 32 }),
  };
  must(verify('sha256', input, key, Buffer.from(signature, 'base64url')), 'the signature is wrong');
}
