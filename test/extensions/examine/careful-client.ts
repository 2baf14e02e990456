import { createHash, randomBytes } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader, errors, importJWK, type JWK, type JWTPayload } from 'jose';
import type { ClientEntry } from '../../../src/index.ts';

// A client of the code flow that makes each check by itself, one after the other and without a library, so that each can be
// left out alone.

/** The registration of the client. */
export const careful: ClientEntry & { readonly redirect_uris: readonly [string]; readonly scope: string } = {
  client_id: 'careful',
  client_secret: 'careful-secret',
  redirect_uris: ['http://localhost:7999/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid profile email offline_access',
};

type Json = Readonly<Record<string, unknown>>;
interface KeyStore {
  keys: readonly JWK[];
}

/** Refuses with a reason. */
function must(isRight: boolean, reason: string): asserts isRight {
  if (!isRight) throw new Error(reason);
}

/** A client with all checks but one: `lapse` is the id of the module that it fails. */
export function createCarefulClient(lapse = '') {
  const has = (check: string) => check !== lapse;
  const kept = new Map<string, KeyStore>();
  const signIn = async ({ issuer }: { readonly issuer: string }): Promise<boolean> => {
    const metadata = await discover(issuer, has);
    const jwksUri = has('discovery-jwks-uri-keys') ? String(metadata.jwks_uri) : `${issuer}/oauth2/jwks`;
    const old = has('signing-key-rotation') ? undefined : kept.get(issuer);
    const store = old ?? (await keysAt(jwksUri));
    kept.set(issuer, store);
    const refetch = has('signing-key-rotation-just-before-signing') && old === undefined;
    const { code, verifier, nonce } = await authorize(metadata, issuer, has);
    const tokens = await tokenRequest(
      metadata,
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: careful.redirect_uris[0],
        ...(verifier === undefined ? {} : { code_verifier: verifier }),
      },
      has,
    );
    const verifyWith = async () => {
      if (refetch) store.keys = (await keysAt(jwksUri)).keys;
    };
    const claims = await idTokenClaims(String(tokens.id_token), { issuer, nonce, store, refresh: verifyWith, has });
    await userInfo(metadata, String(tokens.access_token), claims, has);
    return true;
  };
  return (at: { readonly issuer: string }) =>
    signIn(at).catch(error => {
      if (error instanceof Believed) return true;
      throw error;
    });
}

type Has = (check: string) => boolean;

async function discover(issuer: string, has: Has): Promise<Json> {
  const ask = () => fetch(`${issuer}/.well-known/openid-configuration`);
  let response = await ask();
  if (response.status === 503 && !has('discovery-503')) response = await ask();
  must(response.ok, `the metadata was answered with ${response.status}`);
  const metadata: Json = await response.json();
  if (has('discovery-issuer-mismatch')) must(metadata.issuer === issuer, 'the metadata is of another issuer');
  if (!has('unknown-metadata-member')) must(!('grantbox_unknown' in metadata), 'a member that nobody knows');
  return metadata;
}

async function keysAt(url: string): Promise<KeyStore> {
  return { keys: ((await (await fetch(url)).json()) as { keys: JWK[] }).keys };
}

async function authorize(metadata: Json, issuer: string, has: Has) {
  const fresh = (check: string) => (has(check) ? random() : 'the-same-value-each-time-for-43-characters-or-more');
  const [state, nonce, verifier] = [fresh('state-reused'), fresh('nonce-reused'), fresh('pkce-reused')];
  const isPromised = 'code_challenge_methods_supported' in metadata;
  const hasChallenge = has('pkce') && (has('pkce-downgrade') || isPromised);
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: careful.client_id,
    redirect_uri: careful.redirect_uris[0],
    scope: careful.scope,
    state,
    nonce,
    ...(hasChallenge ? { code_challenge, code_challenge_method: 'S256' } : {}),
    ...(has('no-secret-in-url') ? {} : { client_secret: careful.client_secret }),
  });
  const response = await callback(`${metadata.authorization_endpoint}?${query}`);
  if (has('authorization-error')) must(!response.has('error'), `the provider says ${response.get('error')}`);
  const isIssuer = response.has('iss')
    ? has('invalid-authorization-response-iss')
    : has('remove-authorization-response-iss');
  if (isIssuer) must(response.get('iss') === issuer, 'the response is of another issuer');
  if (response.has('state') ? has('invalid-state') : has('missing-state'))
    must(response.get('state') === state, 'the response is of another sign-in');
  const known = ['code', 'state', 'iss', 'session_state', 'error', 'error_description'];
  if (!has('unknown-response-parameter'))
    must(
      [...response.keys()].every(name => known.includes(name)),
      'a parameter',
    );
  return { code: response.get('code') ?? '', verifier: hasChallenge ? verifier : undefined, nonce };
}

/** Follows redirects as a browser does, until one leads to the client. */
async function callback(from: string): Promise<URLSearchParams> {
  let at = from;
  for (let hops = 0; hops < 5; hops++) {
    const response = await fetch(at, { redirect: 'manual' });
    const location = response.headers.get('location');
    must(location !== null, `the provider answered ${response.status}`);
    at = new URL(location, at).href;
    if (at.startsWith(careful.redirect_uris[0])) return new URL(at).searchParams;
  }
  throw new Error('too many redirects');
}

async function tokenRequest(metadata: Json, form: Readonly<Record<string, string>>, has: Has): Promise<Json> {
  const ask = () =>
    fetch(String(metadata.token_endpoint), {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${careful.client_id}:${careful.client_secret}`)}` },
      body: new URLSearchParams(form),
    });
  let response = await ask();
  if (response.status === 503 && !has('token-503')) response = await ask();
  if (response.status === 429 && !has('token-429')) response = await ask();
  // a limit of time without a clock, because a busy machine is slow, too
  if (!has('token-slow')) must(response.headers.get('sandbox-fault') !== 'slow', 'the token endpoint is slow');
  const text = await response.text();
  if (!response.ok && !has('token-error')) return believedAnyway(form);
  must(response.ok, `the token endpoint answered ${response.status}`);
  if (text.startsWith('<') && !has('token-html')) return believedAnyway(form);
  const tokens: Json = JSON.parse(text);
  checkTokenResponse(tokens, has);
  return tokens;
}

/** A client that looks at nothing goes on with what it has. */
function believedAnyway(form: Readonly<Record<string, string>>): never {
  throw new Believed(`signed in by ${form.code}`);
}

/** Ends a sign-in that the client believes in. */
class Believed extends Error {}

function checkTokenResponse(tokens: Json, has: Has): void {
  const type = String(tokens.token_type);
  if (!has('token-type-case-insensitivity')) must(['Bearer', 'mac'].includes(type), 'token_type is written wrong');
  if (has('token-type-unknown')) must(type.toLowerCase() === 'bearer', `token_type is ${type}`);
  if (!has('missing-expires-in')) must('expires_in' in tokens, 'no expires_in');
  if (!has('unknown-token-member')) must(!('grantbox_unknown' in tokens), 'a member that nobody knows');
  if (!has('long-token')) must(String(tokens.id_token).length < 4096, 'a token too long for a cookie');
}

interface Expected {
  readonly issuer: string;
  readonly nonce: string;
  readonly store: KeyStore;
  refresh(): Promise<void>;
  readonly has: Has;
}

async function idTokenClaims(token: string, expected: Expected): Promise<JWTPayload> {
  await verifySignature(token, expected);
  const claims = decodeJwt(token);
  const { issuer, nonce, has } = expected;
  const audiences = [claims.aud ?? []].flat();
  const now = Date.now() / 1000;
  if (claims.iss === undefined ? has('missing-iss') : has('invalid-iss')) must(claims.iss === issuer, 'iss');
  if (has('missing-sub')) must(typeof claims.sub === 'string', 'sub');
  if (claims.aud === undefined ? has('missing-aud') : has('invalid-aud'))
    must(audiences.includes(careful.client_id), 'aud');
  if (!has('valid-aud-as-array')) must(typeof claims.aud === 'string', 'aud is a list');
  if (has('invalid-secondary-aud')) must((claims.azp ?? careful.client_id) === careful.client_id, 'azp');
  if (claims.exp === undefined ? has('missing-exp') : has('expired')) must((claims.exp ?? 0) > now, 'exp');
  if (has('missing-iat')) must(typeof claims.iat === 'number', 'iat');
  if (!has('clock-skew')) must((claims.iat ?? 0) < now + 5, 'iat is in the future');
  if (claims.nonce === undefined ? has('missing-nonce') : has('nonce-invalid')) must(claims.nonce === nonce, 'nonce');
  return claims;
}

/** The algorithm is the client's own choice, and the key the one that `kid` names. */
async function verifySignature(token: string, { store, refresh, has }: Expected): Promise<void> {
  const header = decodeProtectedHeader(token);
  if (header.alg === 'none' && !has('invalid-sig-none')) return;
  if (header.alg === 'HS256' && !has('invalid-sig-hs256')) return;
  must(header.alg === 'RS256', `alg is ${header.alg}`);
  const crit = has('crit-unknown') ? undefined : { crit: { 'urn:grantbox:unknown': true } };
  if (!has('kid-absent-single-jwks')) must(header.kid !== undefined, 'no kid');
  const isKnown = () => header.kid === undefined || store.keys.some(({ kid }) => kid === header.kid);
  if (!isKnown()) await refresh();
  const named = store.keys.find(({ kid }) => kid === header.kid);
  const key =
    named ??
    (header.kid === undefined || !has('unknown-kid') ? store.keys.find(({ kty }) => kty === 'RSA') : undefined);
  must(key !== undefined, 'no key of this kid');
  const wrong = await compactVerify(token, await importJWK(key, 'RS256'), crit).then(
    () => undefined,
    error => error,
  );
  if (wrong instanceof errors.JWSSignatureVerificationFailed ? has('invalid-sig-rs256') : wrong !== undefined)
    throw wrong;
}

async function userInfo(metadata: Json, token: string, { sub }: JWTPayload, has: Has): Promise<void> {
  const url = String(metadata.userinfo_endpoint);
  if (!has('userinfo-bearer-header')) await fetch(`${url}?access_token=${token}`);
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const claims: Json = await response.json();
  if (sub === undefined) return;
  const isChecked = claims.sub === undefined ? has('userinfo-missing-sub') : has('userinfo-invalid-sub');
  if (isChecked) must(claims.sub === sub, 'UserInfo is about somebody else');
}

function random(): string {
  return randomBytes(32).toString('base64url');
}
