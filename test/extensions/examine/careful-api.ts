import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  EmbeddedJWK,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';

// An API that makes each check by itself, so that each can be left out alone.

export const audience = 'my-api';
export const scope = 'bikes:read';

export type Answer = readonly [status: number, challenge?: string];
export const invalid: Answer = [401, 'Bearer error="invalid_token"'];
const invalidProof: Answer = [401, 'DPoP error="invalid_dpop_proof"'];

export interface Asked {
  /** The token of the header. */
  readonly token: string | undefined;
  readonly scheme: string;
  /** The header DPoP. */
  readonly proof: string | undefined;
  readonly query: URLSearchParams;
  /** The address of the API. */
  readonly url: string;
}

const apis: Server[] = [];

/** Starts an API; `closeApis` stops all of them. */
export async function api(answer: (asked: Asked) => Promise<Answer> | Answer): Promise<string> {
  let url = '';
  const server = createServer(async (req, res) => {
    const [scheme = '', token] = req.headers.authorization?.split(' ') ?? [];
    const { searchParams: query } = new URL(req.url ?? '', url);
    const proof = req.headers.dpop?.toString();
    const asked = { token, scheme, proof, query, url };
    const [status, challenge] = await Promise.resolve(answer(asked)).catch((): Answer => [500]);
    res.writeHead(status, challenge === undefined ? {} : { 'WWW-Authenticate': challenge }).end();
  }).listen(0, '127.0.0.1');
  apis.push(server);
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bikes`;
  return url;
}

export function closeApis(): void {
  for (const server of apis) server.close();
}

export async function keysOf(issuer: string): Promise<JSONWebKeySet> {
  return (await fetch(`${issuer}/oauth2/jwks`)).json();
}

type Has = (name: string) => boolean;

/** Lets a token in that cannot be checked. */
class Unchecked extends Error {}

/** The keys of an issuer as they come, with a lapse for each way in which they do not. */
function fetchingKeys(issuer: string, has: Has) {
  const known = new Map<string, JSONWebKeySet['keys'][number]>();
  let isBroken = false;
  const fetched = async () => {
    const url = `${issuer}/oauth2/jwks`;
    const signal = AbortSignal.timeout(300);
    const response = await fetch(url, { redirect: 'manual', signal }).catch(() => undefined);
    if (response === undefined) return has('keys-slow') ? { keys: [] } : undefined;
    if (response.status !== 200)
      return has(response.status < 400 ? 'keys-redirect' : 'keys-500') ? { keys: [] } : undefined;
    const text = await response.text();
    if (text.startsWith('<')) return has('keys-html') ? { keys: [] } : undefined;
    const set: JSONWebKeySet = JSON.parse(text);
    return set.keys.length === 0 && !has('keys-empty') ? undefined : set;
  };
  return async (): Promise<JSONWebKeySet> => {
    const set = isBroken ? { keys: [] } : await fetched();
    if (set === undefined) throw new Unchecked();
    if (set.keys.length === 0 && !has('keys-back')) isBroken = true;
    for (const key of set.keys) known.set(String(key.kid), key);
    return has('key-withdrawn') ? set : { keys: [...known.values()] };
  };
}

/** An API of this issuer that makes each check of the plan but the one named `off`. */
export function checking(off: string, issuer: string, keysFor?: () => Promise<JSONWebKeySet>) {
  const has = (name: string) => name !== off;
  const keys = keysFor ?? fetchingKeys(issuer, has);
  const used = new Set<string>();
  return async ({ token: sent, scheme, query, proof, url }: Asked): Promise<Answer> => {
    const token = sent ?? (has('token-in-query') ? undefined : (query.get('access_token') ?? undefined));
    if (token === undefined)
      return has('no-token') || query.has('access_token') ? [401, 'Bearer, DPoP algs="ES256"'] : [200];
    if (!has('scheme-case') && scheme === 'bearer') return [401, 'Bearer'];
    if (token === 'not-a-token') return has('garbage') ? invalid : [500];
    if (token.split('.').length !== 3) return has('refresh-token') ? invalid : [200];
    const signed = await isSigned(token, has, keys).catch(error => error instanceof Unchecked);
    if (!signed || !isInTime(token, has) || !isForMe(token, { has, issuer })) return invalid;
    if (!(await isBound({ token, scheme, proof, url, used }, has))) return scheme === 'DPoP' ? invalidProof : invalid;
    return scoped(token, has);
  };
}

/** The algorithm is the choice of the API, and the key the one that `kid` names. */
async function isSigned(token: string, has: Has, keysNow: () => Promise<JSONWebKeySet>): Promise<boolean> {
  const header = decodeProtectedHeader(token);
  const alg = String(header.alg);
  const lapses = [
    [alg === 'none', 'none'],
    [alg !== 'none' && alg.toLowerCase() === 'none', 'none-in-other-letters'],
    [alg === 'HS256', 'hs256'],
    [alg === 'RS256' && token.endsWith('.'), 'empty-signature'],
    [decodeJwt(token).tampered === true, 'tampered'],
  ] as const;
  const lapse = lapses.find(([isIt]) => isIt);
  if (lapse !== undefined) return !has(lapse[1]);
  if (header.crit !== undefined && has('crit')) return false;
  if (header.jwk !== undefined && !has('jwk')) return isRight(jwtVerify(token, EmbeddedJWK));
  const { keys } = header.jku === undefined || has('jku') ? await keysNow() : await keysAt(header.jku);
  const named = keys.find(({ kid }) => kid === header.kid);
  const key = named ?? (has('unknown-kid') ? undefined : keys.find(({ kty }) => kty === 'RSA'));
  if (key === undefined) return false;
  const options = { crit: { 'urn:grantbox:unknown': true } };
  return (await isRight(compactVerify(token, await importJWK(key, 'RS256'), options))) || !has('wrong-key');
}

function isRight(verifying: Promise<unknown>): Promise<boolean> {
  return verifying.then(
    () => true,
    () => false,
  );
}

async function keysAt(url: string): Promise<JSONWebKeySet> {
  return (await fetch(url)).json();
}

function isInTime(token: string, has: Has): boolean {
  const { exp, nbf } = decodeJwt(token);
  const now = Date.now() / 1000;
  const tolerance = has('clock-skew') ? 60 : 0;
  if (exp === undefined) return !has('no-expiry');
  if (exp < now - 600) return !has('expired');
  if (exp < now - tolerance) return !has('expired-four-minutes');
  if (nbf !== undefined && nbf > now + 600) return !has('not-yet-valid');
  if (nbf !== undefined && nbf > now + 200) return !has('clock-skew-five-minutes');
  return nbf === undefined || nbf <= now + tolerance;
}

function isForMe(token: string, { has, issuer }: { readonly has: Has; readonly issuer: string }): boolean {
  const { iss, aud, scope: said } = decodeJwt(token);
  if (decodeProtectedHeader(token).typ !== 'at+jwt') {
    const isAccessToken = said !== undefined;
    return !has(isAccessToken ? 'typ-jwt' : 'id-token');
  }
  if (iss !== issuer) return !has(iss === undefined ? 'no-issuer' : 'issuer');
  if (aud === undefined) return !has('no-audience');
  if (Array.isArray(aud)) return has('audience-list') && aud.includes(audience);
  return aud === audience || !has('audience');
}

interface Sent extends Pick<Asked, 'scheme' | 'proof' | 'url'> {
  readonly token: string;
  /** The proofs that were used. */
  readonly used: Set<string>;
}

/** A token with `cnf` needs the certificate or the proof that it names (RFC 8705 §3, RFC 9449 §7.1). */
async function isBound({ token, scheme, proof, url, used }: Sent, has: Has): Promise<boolean> {
  const cnf = decodeJwt(token).cnf as Readonly<Record<string, string>> | undefined;
  if (cnf?.['x5t#S256'] !== undefined) return !has('certificate-bound');
  if (cnf === undefined) return scheme.toLowerCase() === 'bearer' || scheme === '';
  if (scheme !== 'DPoP') return !has('dpop-as-bearer');
  if (!has('dpop')) return false;
  if (proof === undefined) return !has('dpop-no-proof');
  if (!(await isRight(jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: ['ES256'] })))) return false;
  const { jwk = {} } = decodeProtectedHeader(proof);
  const claims = decodeJwt(proof);
  const right = {
    'dpop-other-key': (await calculateJwkThumbprint(jwk)) === cnf.jkt,
    'dpop-other-token': claims.ath === createHash('sha256').update(token).digest('base64url'),
    'dpop-htu': claims.htu === url,
    'dpop-htm': claims.htm === 'GET',
    'dpop-old': Math.abs(Date.now() / 1000 - (claims.iat ?? 0)) < 300,
    'dpop-replayed': !used.has(proof),
  };
  used.add(proof);
  return Object.entries(right).every(([check, is]) => is || !has(check));
}

function scoped(token: string, has: Has): Answer {
  const said = String(decodeJwt(token).scope ?? '');
  if (said.split(' ').includes(scope) || !('scope' in decodeJwt(token) || has('scope'))) return [200];
  const isPart = said.includes(scope);
  if (decodeProtectedHeader(token).typ !== 'at+jwt') return [200];
  if (isPart ? !has('scope-part') : !has('scope')) return [200];
  return [403, `Bearer error="insufficient_scope", scope="${scope}"`];
}
