import { createHash, timingSafeEqual } from 'node:crypto';
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, errors, type JWTPayload, jwtVerify } from 'jose';
import type { ResourceReason } from '../../record/resource-reason.ts';
import { describe } from './challenge.ts';
import { anyOf, asSent, type Compared, moment } from './compared.ts';
import { compactJws } from './jws.ts';
import { Problem, type ProblemExtras } from './problem.ts';

/** A refusal of a proof, or of a token that was sent without the one it needs. */
export function refusedProof(
  error: 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce',
  reason: ResourceReason,
  description: string,
  extras: Compared & Pick<ProblemExtras, 'headers'>,
): Problem {
  const challenge = { scheme: 'DPoP', error, error_description: description } as const;
  return new Problem(401, reason, description, { challenge, members: { error }, ...extras });
}

/** Contents of a proof whose signature was verified. */
export interface Proof {
  readonly payload: JWTPayload;
  readonly jkt: string;
}

/** RFC 9449 §4.3, items 1 to 7. */
export async function readProof(proof: string, algorithms: readonly string[]): Promise<Proof> {
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
    const [reason, compared] = faultOf(error, { proof, why, algorithms });
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

function faultOf(
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
export interface ProvedRequest {
  readonly method: string;
  /** The URLs that its `htu` may be. */
  readonly urls: readonly string[];
  readonly token: string;
}

/** RFC 9449 §4.3, items 8, 9 and 11. */
export function checkRequest({ htm, htu, ath }: JWTPayload, { method, urls, token }: ProvedRequest): void {
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
export function lastTime({ iat = 0 }: JWTPayload): number {
  return iat + oldest + 1;
}

/** `times` are the times of our clocks. A proof is accepted if one of them accepts it. */
export function checkTime({ iat }: JWTPayload, times: readonly number[]): void {
  const isNear = (now: number) => typeof iat === 'number' && iat <= now + furthestAhead && iat >= now - oldest;
  if (times.some(isNear)) return;
  const [now = 0] = times;
  const description = `iat of the proof is ${describe(iat)}; the time here is ${now}`;
  throw refusedProof('invalid_dpop_proof', 'dpop_iat_out_of_range', description, {
    sent: typeof iat === 'number' ? `iat ${moment(iat)}` : asSent('iat', iat),
    expected: `at most ${oldest} s before and ${furthestAhead} s after now ${moment(now)}`,
  });
}
