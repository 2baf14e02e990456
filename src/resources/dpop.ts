import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import type { PresentedToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import type { Claims } from './jws.ts';
import { Problem } from './problem.ts';

/** How DPoP-bound tokens are checked (RFC 9449 §7). */
export interface DpopOptions {
  /** Where this API is called, without a trailing slash: what `htu` begins with. */
  readonly origin: string;
  /** What may sign a proof. */
  readonly algorithms: readonly string[];
  /** Where proofs need a nonce (§9); absent: they do not. */
  readonly nonce?: { current(): string; isFresh(nonce: string): boolean };
}

/** Checks that a bound token comes with its proof, and a proof with a bound token; a refusal is a 401 problem. */
export type DpopCheck = (presented: PresentedToken, claims: Claims, request: Request) => Promise<void>;

/** Seconds. */
const oldest = 300;
const furthestAhead = 60;

/** A `DpopCheck`; it remembers the proofs it has seen for as long as they would be good. */
export function createDpopCheck({ origin, algorithms, nonce }: DpopOptions, clock: () => number): DpopCheck {
  const refuse = (error: 'invalid_token' | 'invalid_dpop_proof', description: string) =>
    refused(error, description, algorithms);
  const isNew = createReplayCheck(clock);

  return async ({ scheme, token }, { cnf }, request) => {
    const bound = keyThumbprint(cnf);
    if (bound === undefined && scheme === 'Bearer') return;
    if (bound === undefined)
      throw refuse('invalid_token', 'the token is a bearer token; send it as Authorization: Bearer');
    if (scheme === 'Bearer') {
      throw refuse('invalid_token', 'the token is bound to a DPoP key; send it as Authorization: DPoP with a proof');
    }
    const proof = request.headers.dpop;
    if (proof === undefined) throw refuse('invalid_dpop_proof', 'there is no DPoP header with a proof');
    const { payload, jkt } = await readProof(String(proof), algorithms, refuse);
    checkRequest(payload, { method: request.method, url: origin + request.originalUrl, token }, refuse);
    checkTime(payload, clock(), refuse);
    if (nonce !== undefined) checkNonce(payload, nonce, algorithms);
    if (jkt !== bound)
      throw refuse('invalid_token', 'the token is bound to another key than the one of the DPoP proof');
    if (!isNew(payload, jkt))
      throw refuse('invalid_dpop_proof', 'the proof was used before, or has no jti; make a new one');
  };
}

type Refuse = (error: 'invalid_token' | 'invalid_dpop_proof', description: string) => Problem;

function refused(
  error: 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce',
  description: string,
  algorithms: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Problem {
  const challenge = { scheme: 'DPoP', error, error_description: description, algs: algorithms.join(' ') } as const;
  return new Problem(401, description, { challenge, headers, members: { error } });
}

/** RFC 9449 §6.1. */
function keyThumbprint(cnf: unknown): unknown {
  return typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : undefined;
}

/** RFC 9449 §4.3, items 1 to 7. */
async function readProof(
  proof: string,
  algorithms: readonly string[],
  refuse: Refuse,
): Promise<{ payload: JWTPayload; jkt: string }> {
  if (proof.includes(',')) throw refuse('invalid_dpop_proof', 'there is more than one DPoP proof');
  try {
    // the times are checked by our clock, further down
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...algorithms],
      currentDate: new Date(0),
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    const { jwk = {} } = protectedHeader;
    if (jwk.kty === 'oct' || 'd' in jwk || 'k' in jwk) throw new Error('the key in its header is not public');
    return { payload, jkt: await calculateJwkThumbprint(jwk, 'sha256') };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it is not readable';
    throw refuse('invalid_dpop_proof', `the DPoP proof is not good: ${why}`);
  }
}

/** Items 8, 9 and 11. */
function checkRequest(
  { htm, htu, ath }: JWTPayload,
  { method, url, token }: { method: string; url: string; token: string },
  refuse: Refuse,
): void {
  if (htm !== method) throw refuse('invalid_dpop_proof', `htm of the proof is ${describe(htm)}; expected '${method}'`);
  const expected = normalised(url);
  if (typeof htu !== 'string' || !URL.canParse(htu) || normalised(htu) !== expected) {
    throw refuse('invalid_dpop_proof', `htu of the proof is ${describe(htu)}; expected '${expected}'`);
  }
  const made = createHash('sha256').update(token).digest('base64url');
  if (typeof ath === 'string' && ath.length === made.length && timingSafeEqual(Buffer.from(ath), Buffer.from(made)))
    return;
  throw refuse('invalid_dpop_proof', `ath of the proof is ${describe(ath)}; expected the hash of this access token`);
}

/** Item 9: without query and fragment, after syntax-based normalisation. */
function normalised(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + withoutNeedlessEscapes(pathname);
}

/** RFC 3986 §6.2.2.1, §6.2.2.2, which `URL` leaves: escapes in upper case, and none of what needs none. */
function withoutNeedlessEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, escaped => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}

function checkTime({ iat }: JWTPayload, now: number, refuse: Refuse): void {
  if (typeof iat === 'number' && iat <= now + furthestAhead && iat >= now - oldest) return;
  throw refuse('invalid_dpop_proof', `iat of the proof is ${describe(iat)}; the time here is ${now}`);
}

function checkNonce(
  { nonce: sent }: JWTPayload,
  nonce: NonNullable<DpopOptions['nonce']>,
  algorithms: readonly string[],
): void {
  if (typeof sent === 'string' && nonce.isFresh(sent)) return;
  const description = sent === undefined ? 'the proof needs a nonce' : 'the nonce of the proof is not a recent one';
  throw refused('use_dpop_nonce', description, algorithms, { 'DPoP-Nonce': nonce.current() });
}

const mostRemembered = 10_000;

/** RFC 9449 §11.1; bounded: of too many proofs the oldest are forgotten. */
function createReplayCheck(clock: () => number): (payload: JWTPayload, jkt: string) => boolean {
  const seen = new Map<string, number>();
  return ({ jti }, jkt) => {
    if (typeof jti !== 'string' || jti === '') return false;
    const id = createHash('sha256')
      .update(JSON.stringify([jkt, jti]))
      .digest('base64url');
    const now = clock();
    for (const [old, until] of seen) {
      if (until > now && seen.size < mostRemembered) break;
      seen.delete(old);
    }
    if (seen.has(id)) return false;
    seen.set(id, now + oldest + furthestAhead);
    return true;
  };
}
