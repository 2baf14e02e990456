import { createHmac, hash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';

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

function tokenIdOf(uuid: string): string {
  return `tok_${uuid.replaceAll('-', '').slice(0, 12)}`;
}

/** Compares two secrets of any length. The time depends on the longer one, and on no character of either. */
export function sameSecret(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length);
  // UTF-16, in which texts of the same length have as many bytes
  const bytes = (text: string) => Buffer.from(text.padEnd(longest, '\0'), 'utf16le');
  return timingSafeEqual(bytes(a), bytes(b)) && a.length === b.length;
}

/** Returns the next bytes of an endless stream; no byte is returned twice. */
export type SeededBytes = (bytes: number) => Buffer;

/** HMAC-SHA-256 in counter mode (as NIST SP 800-108 §4.1 derives keys), keyed with the seed. */
export function seededBytes(seed: string, label: string): SeededBytes {
  let counter = 0;
  return bytes => {
    const blocks = Array.from({ length: Math.ceil(bytes / 32) }, () =>
      createHmac('sha256', seed).update(`${label} ${counter++}`).digest(),
    );
    return Buffer.concat(blocks).subarray(0, bytes);
  };
}

/** The same codes, tokens and ids on each run, in this order. Anybody who knows the seed can predict them. */
export function seededRandom(seed: string): Random {
  let next: SeededBytes = seededBytes(seed, 'ids');
  return {
    secret: () => next(32).toString('base64url'),
    id: () => uuidOf(next(16)),
    tokenId: () => tokenIdOf(uuidOf(next(16))),
    // 2^32 is so much larger than any requested end that no number is measurably more frequent
    below: end => next(4).readUInt32BE() % end,
    restart() {
      next = seededBytes(seed, 'ids');
    },
  };
}

/** Version 4, variant 1 (RFC 9562 §5.4). */
function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** The UUID of a name, the same in each run (RFC 9562 §5.5). */
export function stableId(...parts: readonly string[]): string {
  const hex = hash('sha1', JSON.stringify(parts)).slice(0, 32);
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const all = `${hex.slice(0, 12)}5${hex.slice(13, 16)}${variant}${hex.slice(18)}`;
  return all.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
