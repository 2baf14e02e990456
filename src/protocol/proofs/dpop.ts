import { hash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import { checkByEitherClock, useJwtOnce } from '../client-time.ts';
import { type ErrorCode, OAuthError, type Refuse } from '../errors.ts';
import { describeValue, shorten, withValues } from '../parameters.ts';
import { asymmetricAlgs } from '../profile.ts';
import { sameSecret } from '../random.ts';
import { checkCompact } from '../unverified-jwt.ts';

interface ProofTarget {
  readonly method: string;
  /** URLs of the endpoint as in the metadata; query and fragment do not count. */
  readonly urls: readonly string[];
  /** The access token sent with the proof, at a protected resource (RFC 9449 §4.3, item 11). */
  readonly accessToken?: string;
  /** Status of the refusal: 401 at a protected resource. Default: that of `invalid_dpop_proof`. */
  readonly status?: 401;
}

/** Seconds. A proof is made for one request and sent at once; clocks may differ a little. */
const oldest = 300;
const furthestAhead = 60;

/**
 * Checks a DPoP proof (RFC 9449 §4.3) and returns the thumbprint of its key.
 * @throws invalid_dpop_proof; use_dpop_nonce with a `DPoP-Nonce` (§8)
 */
export async function verifyProof(server: AuthorizationServer, proof: string, target: ProofTarget): Promise<string> {
  const refuse = refusal(target);
  const { payload, protectedHeader } = await readProof(server, proof, refuse);
  const jwk = protectedHeader.jwk;
  if (jwk === undefined || jwk.kty === 'oct' || 'd' in jwk || 'k' in jwk) {
    throw refuse('dpop_proof_key_invalid', 'jwk of the DPoP proof must be a public key');
  }
  checkRequest(payload, target, refuse);
  checkByEitherClock(server, now => checkTime(now, payload, refuse));
  checkNonce(server, payload, target);
  const jkt = await calculateJwkThumbprint(jwk, 'sha256');
  await checkOnce(server, payload, jkt, refuse);
  return jkt;
}

function refusal({ status }: ProofTarget, code: ErrorCode = 'invalid_dpop_proof'): Refuse {
  const own = status === undefined ? {} : { status };
  return (reason, description, details) => new OAuthError(code, reason, description, { ...own, ...details });
}

async function readProof(server: AuthorizationServer, proof: string, refuse: Refuse): Promise<JWTVerifyResult> {
  if (proof.includes(',')) {
    throw refuse('dpop_proof_malformed', 'there is more than one DPoP header', { expected: 'one DPoP proof' });
  }
  try {
    checkCompact(proof);
    // its times are checked below: exp does not count, and nbf hardly
    return await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...asymmetricAlgs(server)],
      currentDate: new Date(0),
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
  } catch (cause) {
    throw unreadable(server, cause, refuse);
  }
}

function unreadable(server: AuthorizationServer, cause: unknown, refuse: Refuse): unknown {
  if (cause instanceof errors.JOSEAlgNotAllowed) {
    const expected = asymmetricAlgs(server).join(', ');
    return refuse('dpop_proof_alg_unsupported', 'alg of the DPoP proof is not one of those in the metadata', {
      expected,
      cause,
    });
  }
  if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'typ') {
    return refuse('dpop_proof_malformed', 'typ of the DPoP proof is not dpop+jwt', { expected: 'dpop+jwt', cause });
  }
  if (cause instanceof errors.JWSSignatureVerificationFailed) {
    return refuse('dpop_proof_signature_wrong', 'the DPoP proof is not signed by the key in its header', { cause });
  }
  // only WebCrypto finds out that an embedded key is not a key
  const description = 'the DPoP header is not a signed JWT with the public key in its header';
  return refuse('dpop_proof_malformed', description, { expected: 'a DPoP proof JWT (RFC 9449 §4.2)', cause });
}

function checkRequest({ htm, htu, ath }: JWTPayload, target: ProofTarget, refuse: Refuse): void {
  if (htm !== target.method) {
    const details = { sent: shown(htm), expected: target.method };
    const description = withValues(
      'htm of the DPoP proof is not the method of this request',
      shown(htm),
      target.method,
    );
    throw refuse('dpop_proof_for_another_request', description, details);
  }
  if (typeof htu !== 'string' || !URL.canParse(htu) || !target.urls.map(normalised).includes(normalised(htu))) {
    const expected = target.urls.join(' or ');
    const description = withValues('htu of the DPoP proof is not the address of this request', shown(htu), expected);
    throw refuse('dpop_proof_for_another_request', description, { sent: shown(htu), expected });
  }
  if (target.accessToken === undefined) return;
  const expected = hash('sha256', target.accessToken, 'base64url');
  if (typeof ath === 'string' && sameSecret(ath, expected)) return;
  const details = { sent: shown(ath), expected };
  throw refuse('dpop_proof_for_another_token', 'ath of the DPoP proof is not the hash of the access token', details);
}

/** RFC 9449 §4.3, item 9: without query and fragment, after syntax-based normalisation. */
function normalised(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + withoutNeedlessEscapes(pathname);
}

/** Writes escapes in upper case and removes needless ones (RFC 3986 §6.2.2.1, §6.2.2.2), which `URL` does not. */
function withoutNeedlessEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, escaped => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}

function checkTime(now: number, { iat }: JWTPayload, refuse: Refuse): void {
  if (typeof iat === 'number' && iat <= now + furthestAhead && iat >= now - oldest) return;
  throw refuse('dpop_proof_time', `iat of the DPoP proof is too far from the time of this server, ${now}`, {
    sent: shown(iat),
    expected: `from ${now - oldest} to ${now + furthestAhead}`,
  });
}

function checkNonce(server: AuthorizationServer, { nonce }: JWTPayload, target: ProofTarget): void {
  if (!server.dpop.nonceRequired && nonce === undefined) return;
  if (typeof nonce === 'string' && isFreshNonce(server, nonce)) return;
  const refuse = refusal(target, 'use_dpop_nonce');
  const description =
    nonce === undefined
      ? 'the DPoP proof needs a nonce'
      : 'the nonce of the DPoP proof is not a recent nonce of this server';
  throw refuse('dpop_nonce_needed', description, {
    sent: shown(nonce),
    expected: 'the value of the DPoP-Nonce header of this response',
    headers: { 'DPoP-Nonce': currentNonce(server) },
  });
}

/** RFC 9449 §11.1. The last of all checks, so that a refused proof is not used up. */
async function checkOnce(server: AuthorizationServer, payload: JWTPayload, jkt: string, refuse: Refuse): Promise<void> {
  const { jti, iat = 0 } = payload;
  if (typeof jti !== 'string' || jti === '') {
    throw refuse('dpop_proof_malformed', 'the DPoP proof has no jti', { expected: 'a fresh jti' });
  }
  if (await useJwtOnce(server, 'dpop_proof', [jkt, jti], iat + oldest + 1)) return;
  const details = { sent: `jti ${shorten(jti)}`, expected: 'a new proof for each request' };
  throw refuse('dpop_proof_replayed', 'this DPoP proof was used before', details);
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : describeValue(value);
}

/** Seconds for which one nonce is handed out; it stays valid for as long again. */
const handedOutFor = 150;

/** Current value of `DPoP-Nonce` (RFC 9449 §8). Nothing is stored: it is computed from the time and a secret. */
export function currentNonce(server: AuthorizationServer): string {
  return nonceOf(server, windowOf(server));
}

/** True if a proof's `nonce` was handed out in this window or the one before. */
export function isFreshNonce(server: AuthorizationServer, nonce: string): boolean {
  const now = windowOf(server);
  return [now, now - 1].some(window => sameSecret(nonce, nonceOf(server, window)));
}

function windowOf({ clock }: AuthorizationServer): number {
  return Math.floor(clock() / handedOutFor);
}

function nonceOf({ dpop, issuer }: AuthorizationServer, window: number): string {
  return hash('sha256', JSON.stringify(['DPoP nonce', issuer, window, dpop.secret]), 'base64url').slice(0, 32);
}

/** The next nonce, for an answer to a request with a proof (RFC 9449 §8.2). */
export function nonceHeader(server: AuthorizationServer): Readonly<Record<string, string>> {
  return server.dpop.nonceRequired ? { 'DPoP-Nonce': currentNonce(server) } : {};
}
