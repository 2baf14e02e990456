import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, errors, type JWTPayload, jwtVerify } from 'jose';
import type { ResourceReason } from '../../record/resource-reason.ts';
import type { PresentedToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { anyOf, asSent, type Compared, moment } from './compared.ts';
import { compactJws } from './jws.ts';
import { Problem, type ProblemExtras, withChallenge } from './problem.ts';
import type { Claims } from './token-claims.ts';

/** Checks of DPoP-bound tokens (RFC 9449 §7). */
export interface DpopOptions {
  /** Origins of this API, without a trailing slash. `htu` must begin with one of them. */
  readonly origins: readonly string[];
  /** Signature algorithms allowed for a proof. */
  readonly algorithms: readonly string[];
  /** The real time, in Unix seconds, if the clock may be moved: clients make their proofs by the real time. */
  readonly wallClock?: () => number;
  /** Present: proofs need a nonce (§9). */
  readonly nonce?: { current(): string; isFresh(nonce: string): boolean };
}

/** Checks that a bound token comes with its proof, and a proof with a bound token; a refusal is a 401 problem. */
export type DpopCheck = (presented: PresentedToken, claims: Claims, request: Request) => Promise<void>;

/** A `DpopCheck` that remembers each proof for as long as it would be accepted. */
export function createDpopCheck(
  { origins, algorithms, wallClock, nonce }: DpopOptions,
  clock: () => number,
): DpopCheck {
  const times = () => (wallClock === undefined ? [clock()] : [clock(), wallClock()]);
  const isNew = createReplayCheck(() => Math.min(...times()));

  const check: DpopCheck = async ({ scheme, token }, { cnf }, request) => {
    const bound = keyThumbprint(cnf);
    if (bound === undefined && scheme === 'Bearer') return;
    checkScheme(scheme, bound);
    const header = request.headers.dpop;
    if (header === undefined) throw noProof();
    const proof = await readProof(String(header), algorithms);
    const { payload, jkt } = proof;
    const urls = origins.map(origin => origin + request.originalUrl);
    checkRequest(payload, { method: request.method, urls, token });
    checkTime(payload, times());
    if (nonce !== undefined) checkNonce(payload, nonce);
    if (jkt !== bound) throw anotherKey(jkt, bound);
    if (!isNew(proof)) throw usedBefore(payload);
  };
  const algs = algorithms.join(' ');
  return (...all) => check(...all).catch(error => Promise.reject(withChallenge(error, { algs })));
}

/** RFC 9449 §6.1. */
function keyThumbprint(cnf: unknown): unknown {
  return typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : undefined;
}

function checkScheme(scheme: PresentedToken['scheme'], bound: unknown): void {
  if (bound === undefined) {
    const description = 'the token is a bearer token; send it as Authorization: Bearer';
    const compared = { sent: 'the scheme DPoP, with a token bound to no key', expected: 'the scheme Bearer' };
    throw refusedProof('invalid_token', 'dpop_not_bound', description, compared);
  }
  if (scheme === 'DPoP') return;
  const description = 'the token is bound to a DPoP key; send it as Authorization: DPoP with a proof';
  const compared = { sent: 'the scheme Bearer', expected: 'the scheme DPoP, and a proof in the DPoP header' };
  throw refusedProof('invalid_token', 'dpop_scheme_missing', description, compared);
}

function noProof(): Problem {
  const compared = { sent: 'no DPoP header', expected: 'DPoP: <proof>' };
  return refusedProof('invalid_dpop_proof', 'dpop_proof_missing', 'there is no DPoP header with a proof', compared);
}

function anotherKey(jkt: string, bound: unknown): Problem {
  const description = 'the token is bound to a different key than the DPoP proof uses';
  return refusedProof('invalid_token', 'dpop_key_mismatch', description, {
    sent: `a proof by the key ${jkt}`,
    expected: `a proof by the key ${asSent('jkt', bound)}`,
  });
}

function usedBefore({ jti }: JWTPayload): Problem {
  const description = 'the proof was used before or has no jti; make a new one';
  const sent = asSent('jti', jti);
  return isIdentifier(jti)
    ? refusedProof('invalid_dpop_proof', 'dpop_proof_replayed', description, {
        sent: `jti ${sent}, for the second time`,
        expected: 'a new proof with a new jti',
      })
    : refusedProof('invalid_dpop_proof', 'dpop_jti_missing', description, {
        sent: sent || 'an empty jti',
        expected: 'a jti',
      });
}

function checkNonce({ nonce: sent }: JWTPayload, nonce: NonNullable<DpopOptions['nonce']>): void {
  if (typeof sent === 'string' && nonce.isFresh(sent)) return;
  const current = nonce.current();
  const extras = {
    sent: asSent('nonce', sent),
    expected: `${current}, from the DPoP-Nonce header`,
    headers: { 'DPoP-Nonce': current },
  };
  throw sent === undefined
    ? refusedProof('use_dpop_nonce', 'dpop_nonce_missing', 'the proof needs a nonce', extras)
    : refusedProof('use_dpop_nonce', 'dpop_nonce_stale', 'the nonce of the proof is not a recent one', extras);
}

function isIdentifier(jti: unknown): jti is string {
  return typeof jti === 'string' && jti !== '';
}

const mostRemembered = 10_000;

/** Recognises a proof that was used before (RFC 9449 §11.1). Of too many proofs it forgets the oldest. */
function createReplayCheck(clock: () => number): (proof: Proof) => boolean {
  const seen = new Map<string, number>();
  return ({ payload, jkt }) => {
    const { jti } = payload;
    if (!isIdentifier(jti)) return false;
    const id = createHash('sha256')
      .update(JSON.stringify([jkt, jti]))
      .digest('base64url');
    const now = clock();
    for (const [old, until] of seen) {
      if (until > now && seen.size < mostRemembered) break;
      seen.delete(old);
    }
    if (seen.has(id)) return false;
    seen.set(id, lastTime(payload));
    return true;
  };
}

/** A refusal of a proof, or of a token that was sent without the one it needs. */
function refusedProof(
  error: 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce',
  reason: ResourceReason,
  description: string,
  extras: Compared & Pick<ProblemExtras, 'headers'>,
): Problem {
  const challenge = { scheme: 'DPoP', error, error_description: description } as const;
  return new Problem(401, reason, description, { challenge, members: { error }, ...extras });
}

/** Contents of a proof whose signature was verified. */
interface Proof {
  readonly payload: JWTPayload;
  readonly jkt: string;
}

/** RFC 9449 §4.3, items 1 to 7. */
async function readProof(proof: string, algorithms: readonly string[]): Promise<Proof> {
  if (proof.includes(',')) {
    const compared = { sent: 'more than one proof', expected: 'one DPoP header with one proof' };
    throw refusedProof('invalid_dpop_proof', 'dpop_proof_repeated', 'there is more than one DPoP proof', compared);
  }
  try {
    if (!compactJws.test(proof)) throw new errors.JWTInvalid('it is not three parts of base64url without padding');
    // `checkTime` compares the times with our own clock
    const { payload, protectedHeader } = await jwtVerify(proof, embeddedKey, {
      typ: 'dpop+jwt',
      algorithms: [...algorithms],
      currentDate: new Date(0),
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    const { jwk = {} } = protectedHeader;
    if (jwk.kty === 'oct' || 'd' in jwk || 'k' in jwk) throw new UnusableKey('the key in its header is not public');
    return { payload, jkt: await calculateJwkThumbprint(jwk, 'sha256') };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it is not readable';
    const [reason, compared] = reasonOf(error, { proof, why, algorithms });
    throw refusedProof('invalid_dpop_proof', reason, `the DPoP proof is not valid: ${why}`, compared);
  }
}

/** The `jwk` of the header cannot be used to verify a signature. */
class UnusableKey extends Error {}

const embeddedKey: typeof EmbeddedJWK = async (header, token) => {
  try {
    return await EmbeddedJWK(header, token);
  } catch (cause) {
    throw new UnusableKey(cause instanceof Error ? cause.message : 'the key in its header is not readable', { cause });
  }
};

function reasonOf(
  error: unknown,
  { proof, why, algorithms }: { proof: string; why: string; algorithms: readonly string[] },
): readonly [ResourceReason, Compared] {
  const { alg, typ } = headerOf(proof);
  if (error instanceof UnusableKey) {
    return ['dpop_proof_key_invalid', { sent: why, expected: 'the public key as jwk in the header of the proof' }];
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return ['dpop_alg_refused', { sent: asSent('alg', alg), expected: anyOf(algorithms) }];
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    const expected = `the ${alg} signature of the key in its own header`;
    return ['dpop_signature_invalid', { sent: 'a signature that does not match the header and payload', expected }];
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'typ') {
    return ['dpop_proof_malformed', { sent: asSent('typ', typ), expected: 'dpop+jwt' }];
  }
  return ['dpop_proof_malformed', { sent: why, expected: 'a signed JWT with typ dpop+jwt' }];
}

function headerOf(proof: string): { readonly alg?: unknown; readonly typ?: unknown } {
  try {
    return decodeProtectedHeader(proof);
  } catch {
    return {};
  }
}

/** The request a proof has to be for. */
interface ProvedRequest {
  readonly method: string;
  /** The URLs that its `htu` may be. */
  readonly urls: readonly string[];
  readonly token: string;
}

/** RFC 9449 §4.3, items 8, 9 and 11. */
function checkRequest({ htm, htu, ath }: JWTPayload, { method, urls, token }: ProvedRequest): void {
  if (htm !== method) {
    const description = `htm of the proof is ${describe(htm)}; expected '${method}'`;
    throw refusedProof('invalid_dpop_proof', 'dpop_htm_mismatch', description, {
      sent: asSent('htm', htm),
      expected: method,
    });
  }
  const expected = urls.map(normalised);
  if (typeof htu !== 'string' || !URL.canParse(htu) || !expected.includes(normalised(htu))) {
    const description = `htu of the proof is ${describe(htu)}; expected '${expected.join("' or '")}'`;
    const compared = { sent: asSent('htu', htu), expected: anyOf(expected) };
    throw refusedProof('invalid_dpop_proof', 'dpop_htu_mismatch', description, compared);
  }
  const made = createHash('sha256').update(token).digest('base64url');
  if (typeof ath === 'string' && ath.length === made.length && timingSafeEqual(Buffer.from(ath), Buffer.from(made)))
    return;
  const description = `ath of the proof is ${describe(ath)}; expected the hash of this access token`;
  throw refusedProof('invalid_dpop_proof', 'dpop_ath_mismatch', description, {
    sent: asSent('ath', ath),
    expected: made,
  });
}

/** Item 9: without query and fragment, after syntax-based normalisation. */
function normalised(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + withoutNeedlessEscapes(pathname);
}

/**
 * The part of RFC 3986 §6.2.2.1 and §6.2.2.2 that `URL` leaves out: escapes become upper case, and unreserved characters
 * lose their escapes.
 */
function withoutNeedlessEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, escaped => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}

/** Seconds a proof may be old. */
const oldest = 300;
const furthestAhead = 60;

/** The time in Unix seconds until which a proof would be accepted, and so has to be remembered. */
function lastTime({ iat = 0 }: JWTPayload): number {
  return iat + oldest + 1;
}

/** `times` are the times of our clocks. A proof is accepted if one of them accepts it. */
function checkTime({ iat }: JWTPayload, times: readonly number[]): void {
  const isNear = (now: number) => typeof iat === 'number' && iat <= now + furthestAhead && iat >= now - oldest;
  if (times.some(isNear)) return;
  const [now = 0] = times;
  const description = `iat of the proof is ${describe(iat)}; the time here is ${now}`;
  throw refusedProof('invalid_dpop_proof', 'dpop_iat_out_of_range', description, {
    sent: typeof iat === 'number' ? `iat ${moment(iat)}` : asSent('iat', iat),
    expected: `at most ${oldest} s before and ${furthestAhead} s after now ${moment(now)}`,
  });
}
