import { hash, timingSafeEqual } from 'node:crypto';
import { invalidGrant, invalidRequest } from '../errors.ts';
import { shorten } from '../parameters.ts';

/** RFC 7636 §4.1: 43 to 128 unreserved characters. */
const verifierForm = /^[A-Za-z0-9\-._~]{43,128}$/;
/** RFC 7636 §4.2: the base64url of a SHA-256, without padding. */
const challengeForm = /^[A-Za-z0-9_-]{43}$/;

/** The code challenge of a verifier (RFC 7636 §4.2). */
export function s256(verifier: string): string {
  return hash('sha256', verifier, 'base64url');
}

/**
 * Checks `code_challenge` and its method (RFC 7636 §4.3, §4.4.1). A challenge without a method is `plain`, which is
 * refused: only S256 is supported here.
 * @throws invalid_request
 */
export function checkChallenge(challenge: string | undefined, method: string | undefined, required: boolean): void {
  if (challenge === undefined) {
    if (method !== undefined) throw missing('code_challenge_method was sent without a code_challenge');
    if (required) throw missing('code_challenge is missing: this client must use PKCE with S256');
    return;
  }
  if (method !== 'S256') {
    const sent = method ?? 'no code_challenge_method, which means plain';
    const description = 'code_challenge_method must be S256; a challenge without a method means plain';
    throw invalidRequest('pkce_method_unsupported', description, { sent: shorten(sent), expected: 'S256' });
  }
  if (!challengeForm.test(challenge)) {
    const description = 'code_challenge is not the base64url SHA-256 of a verifier: 43 characters, no padding';
    throw invalidRequest('parameter_malformed', description, {
      sent: shorten(challenge),
      expected: challengeForm.source,
    });
  }
}

function missing(description: string) {
  return invalidRequest('pkce_missing', description, { expected: 'code_challenge with code_challenge_method S256' });
}

/**
 * Checks the verifier, which must be sent if and only if the authorization request had a challenge (RFC 7636 §4.6, OAuth
 * 2.1 §4.1.3).
 * @throws invalid_grant
 */
export function verifyPkce(challenge: string | undefined, verifier: string | undefined): void {
  if (challenge === undefined) {
    if (verifier === undefined) return;
    throw invalidGrant(
      'pkce_unexpected',
      'code_verifier was sent, but the authorization request had no code_challenge',
    );
  }
  if (verifier === undefined) {
    const description = 'code_verifier is missing: the authorization request had a code_challenge';
    throw invalidGrant('pkce_missing', description, { expected: 'code_verifier' });
  }
  if (!verifierForm.test(verifier)) {
    const description = 'code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~';
    throw invalidGrant('pkce_mismatch', description, { sent: `${verifier.length} characters`, expected: '43 to 128' });
  }
  const made = s256(verifier);
  if (!timingSafeEqual(Buffer.from(made), Buffer.from(challenge))) {
    const description = `code_verifier does not match the code_challenge: expected S256 ${challenge}, got ${made}`;
    throw invalidGrant('pkce_mismatch', description, { sent: made, expected: challenge });
  }
}
