import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';

/** Source of all values that must be unguessable or unique. With a seed they are the same on each run. */
export interface Random {
  /** 256 bits, base64url: codes, opaque tokens, session ids (RFC 6749 §10.10). */
  secret(): string;
  /** A UUID: unique, not secret. */
  id(): string;
  /** `tok_…`, the short public name of a code or token. */
  tokenId(): string;
  /** A whole number from 0 up to but not including this one. */
  below(end: number): number;
  /** Starts again from the beginning of the seed, if there is one. */
  restart(): void;
}

/** From the CSPRNG of the system. */
export const systemRandom: Random = {
  secret: randomSecret,
  id: randomUUID,
  tokenId: () => tokenIdOf(randomUUID()),
  below: end => randomInt(end),
  restart() {},
};

/** 256 bits from the CSPRNG, base64url; for values that no seed may fix. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Unique, not secret; for values that no seed may fix. */
export function randomId(): string {
  return randomUUID();
}

export function tokenIdOf(uuid: string): string {
  return `tok_${uuid.replaceAll('-', '').slice(0, 12)}`;
}

/** Compares two secrets of any length. The time depends on the longer one, and on no character of either. */
export function sameSecret(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length);
  // UTF-16, in which texts of the same length have as many bytes
  const bytes = (text: string) => Buffer.from(text.padEnd(longest, '\0'), 'utf16le');
  return timingSafeEqual(bytes(a), bytes(b)) && a.length === b.length;
}
