import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { JWTPayload } from 'jose';
import type { PresentedToken } from './bearer-token.ts';
import { asSent } from './compared.ts';
import { checkRequest, checkTime, lastTime, type Proof, readProof, refusedProof } from './dpop-proof.ts';
import { type Problem, withChallenge } from './problem.ts';
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
