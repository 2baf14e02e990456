import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

/** 256 bits from the CSPRNG, base64url: codes, opaque tokens, session ids (RFC 6749 §10.10). */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Unique, not secret. */
export function randomId(): string {
  return randomUUID();
}

/** `tok_…`, the short public name of a code or token. */
export function randomTokenId(): string {
  return `tok_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
}

/** Compares two secrets in constant time, whatever their lengths. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
