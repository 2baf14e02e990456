import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { expect } from 'vitest';

export type Json = Readonly<Record<string, unknown>>;

/** What the server says of itself, as far as the checks need it. */
export interface Metadata extends Json {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint: string;
  readonly registration_endpoint: string;
  readonly end_session_endpoint: string;
}

export interface TokenResponse extends Json {
  readonly access_token: string;
  readonly token_type: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
}

/** What a client registered, as the server tells it. */
export interface Registration extends Json {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
}

const year = 365 * 24 * 3600;
/** Seconds that clocks may differ by. */
const skew = 300;

/** RFC 6749 Appendix A.7, A.8. */
const errorText = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

async function jsonOf(response: Response): Promise<unknown> {
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  return response.json();
}

/** S-01: discovery answers 200 with JSON and names the endpoints every flow needs. */
export async function checkDiscovery(response: Response): Promise<Metadata> {
  expect(response.status).toBe(200);
  const metadata = (await jsonOf(response)) as Metadata;
  for (const name of ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'])
    expect(URL.canParse(String(metadata[name])), name).toBe(true);
  return metadata;
}

/** S-02: public, asymmetric, well-formed keys, each with a kid of its own. */
export async function checkKeys(response: Response): Promise<JSONWebKeySet> {
  expect(response.status).toBe(200);
  const set = (await jsonOf(response)) as JSONWebKeySet;
  expect(set.keys.length).toBeGreaterThan(0);
  for (const key of set.keys) {
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']) expect(key).not.toHaveProperty(secret);
    const needed = { RSA: ['n', 'e'], EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'] }[String(key.kty)];
    expect(needed, `kty ${key.kty}`).toBeDefined();
    for (const name of needed ?? []) expect(Reflect.get(key, name)).toMatch(/^[\w-]+$/);
    expect(key.kid).toMatch(/./);
  }
  expect(new Set(set.keys.map(({ kid }) => kid)).size).toBe(set.keys.length);
  return set;
}

/** S-03: 201 and JSON; a secret says until when, and the two members of RFC 7592 come together. */
export async function checkRegistration(response: Response): Promise<Registration> {
  expect(response.status).toBe(201);
  const registration = (await jsonOf(response)) as Registration;
  expect(registration.client_id).toMatch(/./);
  if (registration.client_secret !== undefined)
    expect(registration.client_secret_expires_at).toEqual(expect.any(Number));
  expect('registration_access_token' in registration).toBe('registration_client_uri' in registration);
  return registration;
}

/** Bits: the length times what one character tells, as the characters are distributed. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - count * Math.log2(count / text.length), 0);
}

/** S-05: nobody guesses it, and RFC 6749 Appendix A lets it stand in a parameter. */
export function checkSecret(text: string, bits: 96 | 128 = 128): void {
  expect(text).toMatch(/^[\x20-\x7e]+$/);
  expect(text.length * 6).toBeGreaterThanOrEqual(bits);
  expect(entropy(text)).toBeGreaterThanOrEqual(96);
}

/** Where an answer belongs. */
export interface Sent {
  readonly issuer: string;
  readonly redirect_uri: string;
  readonly state: string | undefined;
}

const answerParameters = new Set([
  ...['code', 'state', 'iss', 'session_state'],
  ...['access_token', 'token_type', 'expires_in', 'scope', 'id_token'],
]);

/** S-04, S-05: to the exact redirect URI, with the exact state and the issuer, nothing unknown, and a code nobody guesses. */
export function checkAuthorizationResponse(to: string, parameters: URLSearchParams, sent: Sent): void {
  checkAddress(to, parameters, sent);
  expect(parameters.has('error')).toBe(false);
  expect([...parameters.keys()].filter(name => !answerParameters.has(name))).toEqual([]);
  const code = parameters.get('code');
  if (code !== null) checkSecret(code);
  const accessToken = parameters.get('access_token');
  if (accessToken !== null) checkSecret(accessToken, 96);
}

/** S-09: state and issuer come back beside an error as well, and no code. */
export function checkAuthorizationError(to: string, parameters: URLSearchParams, sent: Sent): void {
  checkAddress(to, parameters, sent);
  const known = new Set(['error', 'error_description', 'error_uri', 'state', 'iss']);
  expect([...parameters.keys()].filter(name => !known.has(name))).toEqual([]);
  checkError(Object.fromEntries(parameters));
}

function checkAddress(to: string, parameters: URLSearchParams, { issuer, redirect_uri, state }: Sent): void {
  expect(to).toBe(redirect_uri);
  expect(parameters.get('state') ?? undefined).toBe(state);
  expect(parameters.getAll('iss')).toEqual([issuer]);
  expect(new Set(parameters.keys()).size).toBe([...parameters.keys()].length);
}

function checkError({ error, error_description, error_uri }: Json): void {
  expect(error).toMatch(errorText);
  if (error_description !== undefined) expect(error_description).toMatch(errorText);
  if (error_uri !== undefined) expect(URL.canParse(String(error_uri))).toBe(true);
}

/** S-05, S-06: JSON that nobody keeps, with a token, its type and a sensible lifetime. */
export async function checkTokenResponse(response: Response): Promise<TokenResponse> {
  expect(response.status, await response.clone().text()).toBe(200);
  expect(response.headers.get('cache-control')).toMatch(/\bno-store\b/);
  const tokens = (await jsonOf(response)) as TokenResponse;
  checkSecret(tokens.access_token, 96);
  expect(tokens.token_type).toMatch(/^(Bearer|DPoP)$/i);
  checkLifetime(tokens.expires_in);
  if (tokens.refresh_token !== undefined) checkSecret(tokens.refresh_token);
  return tokens;
}

function checkLifetime(seconds: unknown): void {
  if (seconds === undefined) return;
  expect(seconds).toEqual(expect.any(Number));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(year);
}

/** S-10: 400, or 401 for invalid_client; JSON in the permitted characters. Gives the code. */
export async function checkTokenError(response: Response): Promise<string> {
  const body = (await jsonOf(response)) as Json;
  expect(body.error === 'invalid_client' ? [400, 401] : [400]).toContain(response.status);
  checkError(body);
  return String(body.error);
}

/** What an ID token is held to. */
export interface Expected {
  readonly issuer: string;
  readonly client_id: string;
  readonly keys: JSONWebKeySet;
  /** Unix seconds. */
  readonly now: number;
  readonly nonce?: string | undefined;
  readonly alg?: string;
}

/** S-07, S-08: as its client would judge it (OIDC Core §3.1.3.7). */
export async function checkIdToken(idToken: string, expected: Expected): Promise<JWTPayload> {
  const { issuer, client_id, keys, now, nonce, alg = 'RS256' } = expected;
  const { kid, alg: used } = decodeProtectedHeader(idToken);
  expect(used).toBe(alg);
  expect(keys.keys.map(key => key.kid)).toContain(kid);
  const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), {
    ...{ issuer, audience: client_id, algorithms: [alg], currentDate: new Date(now * 1000) },
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
  });
  const { iat = 0, exp = 0, sub = '', azp, acr, auth_time } = payload;
  expect(Math.abs(now - iat)).toBeLessThanOrEqual(skew);
  expect(exp).toBeLessThanOrEqual(now + year); // and so not in milliseconds
  expect(payload.nonce).toBe(nonce);
  expect(sub.length).toBeGreaterThan(0);
  expect(sub.length).toBeLessThanOrEqual(255);
  expect(azp ?? client_id).toBe(client_id);
  if (auth_time !== undefined) checkLoginTime(auth_time, now);
  if (acr !== undefined) expect(acr).toMatch(/./);
  checkClaims(payload);
  return payload;
}

function checkLoginTime(time: unknown, now: number): void {
  expect(time).toEqual(expect.any(Number));
  expect(time).toBeLessThanOrEqual(now + skew);
  expect(time).toBeGreaterThan(now - year);
}

const textClaims = [
  ...[
    'sub',
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
  ],
  ...['website', 'email', 'gender', 'zoneinfo', 'locale', 'phone_number'],
];

/** S-08: standard claims have their types (OIDC Core §5.1). */
export function checkClaims(claims: Json): void {
  const given = (names: readonly string[]) => names.filter(name => claims[name] !== undefined);
  for (const name of given(textClaims)) {
    expect(claims[name], name).toMatch(/\S/);
    expect(claims[name], name).not.toBe('null');
  }
  for (const name of given(['email_verified', 'phone_number_verified']))
    expect(claims[name], name).toBeTypeOf('boolean');
  for (const name of given(['updated_at'])) {
    expect(claims[name]).toBeTypeOf('number');
    expect(claims[name]).toBeLessThan(10_000_000_000);
  }
  for (const name of given(['address'])) {
    expect(Object.keys(claims[name] as Json).length).toBeGreaterThan(0);
    for (const part of Object.values(claims[name] as Json)) expect(part).toMatch(/\S/);
  }
  for (const name of given(['birthdate'])) expect(claims[name]).toMatch(/^(\d{4}|0000)(-\d{2}-\d{2})?$/);
}

/** S-08, S-11: 200 for the access token, about the same subject. */
export async function checkUserInfo(response: Response, sub: string): Promise<Json> {
  expect(response.status).toBe(200);
  const claims = (await jsonOf(response)) as Json;
  expect(claims.sub).toBe(sub);
  checkClaims(claims);
  return claims;
}

/** S-12: the registration can be taken back. */
export function checkDeletion(response: Response): void {
  expect(response.status).toBe(204);
}
