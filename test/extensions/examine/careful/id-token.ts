import { createHash } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader, errors, importJWK, type JWTPayload } from 'jose';
import type { Provider } from './app.ts';
import { type Has, must } from './must.ts';

export async function keysAt(url: string): Promise<Provider['store']> {
  return (await fetch(url)).json() as Promise<Provider['store']>;
}

interface Expected extends Omit<Provider, 'metadata'> {
  readonly has: Has;
  readonly client_id: string;
  readonly nonce: string;
  /** The access token and the code next to it. */
  readonly access_token?: string | undefined;
  readonly code?: string | undefined;
  /** It came through the browser. */
  readonly isFront?: true;
}

/** OIDC Core §3.1.3.7. */
export async function idTokenClaims(token: string, expected: Expected): Promise<JWTPayload> {
  const claims = await verifiedClaims(token, expected);
  const { issuer, nonce, has, client_id } = expected;
  const audiences = [claims.aud ?? []].flat();
  if (claims.iss === undefined ? has('missing-iss') : has('invalid-iss')) must(claims.iss === issuer, 'iss');
  if (has('missing-sub')) must(typeof claims.sub === 'string', 'sub');
  if (claims.aud === undefined ? has('missing-aud') : has('invalid-aud')) must(audiences.includes(client_id), 'aud');
  if (!has('valid-aud-as-array')) must(typeof claims.aud === 'string', 'aud is a list');
  if (has('invalid-secondary-aud')) must(audiences.length < 2 || claims.azp === client_id, 'azp');
  checkTimes(claims, has);
  const isAsked = has('code-injection'); // a code without PKCE and nonce belongs to nobody
  if (isAsked && (claims.nonce === undefined ? has('missing-nonce') : has('nonce-invalid')))
    must(claims.nonce === nonce, 'nonce');
  checkHashes(claims, expected);
  return claims;
}

function checkTimes({ exp, iat, nbf }: JWTPayload, has: Has): void {
  const now = Date.now() / 1000;
  if (exp === undefined ? has('missing-exp') : has('expired')) must((exp ?? 0) > now, 'exp');
  if (has('missing-iat')) must(typeof iat === 'number', 'iat');
  if (has('not-yet-valid')) must((nbf ?? 0) < now + 60, 'nbf');
  if (!has('clock-skew')) must((iat ?? 0) < now + 5, 'iat is in the future');
}

/** OIDC Core §3.3.2.11. A token from the token endpoint may leave at_hash out. */
function checkHashes({ at_hash, c_hash }: JWTPayload, { access_token, code, has, isFront }: Expected): void {
  const isNeeded = isFront && access_token !== undefined;
  if (at_hash === undefined ? isNeeded && has('missing-athash') : has('invalid-athash'))
    must(access_token !== undefined && at_hash === halfHash(access_token), 'at_hash');
  if (code === undefined) return;
  if (c_hash === undefined ? has('missing-chash') : has('invalid-chash')) must(c_hash === halfHash(code), 'c_hash');
}

function halfHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}

type Signed = Pick<Expected, 'store' | 'refetch' | 'has'>;

/** The claims of a JWT whose signature is right: the algorithm is the client's own choice, and the key the one that `kid` names. */
export async function verifiedClaims(token: string, signed: Signed): Promise<JWTPayload> {
  await verifySignature(token, signed);
  return decodeJwt(token);
}

const keyTypes: Readonly<Record<string, string>> = { RS256: 'RSA', ES256: 'EC' };

async function verifySignature(token: string, { store, refetch, has }: Signed): Promise<void> {
  const { alg = '', kid } = decodeProtectedHeader(token);
  if (alg === 'none' && !has('invalid-sig-none')) return;
  if (alg === 'HS256' && !has('hs256-public-key')) return;
  must(alg in keyTypes, `alg is ${alg}`);
  const crit = has('crit-unknown') ? undefined : { crit: { 'urn:grantbox:unknown': true } };
  if (!has('kid-absent-single-jwks')) must(kid !== undefined, 'no kid');
  const named = () => store.keys.find(key => key.kid === kid);
  if (kid !== undefined && named() === undefined) await refetch();
  const isAnyKey = kid === undefined || !has('unknown-kid');
  const key = named() ?? (isAnyKey ? store.keys.find(({ kty }) => kty === keyTypes[alg]) : undefined);
  must(key !== undefined, 'no key of this kid');
  const wrong = await compactVerify(token, await importJWK(key, alg), crit).then(
    () => undefined,
    error => error,
  );
  const isSignature = wrong instanceof errors.JWSSignatureVerificationFailed;
  if (isSignature ? has(`invalid-sig-${alg.toLowerCase()}`) : wrong !== undefined) throw wrong;
}
