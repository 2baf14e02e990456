import { createHmac } from 'node:crypto';
import { type Random, tokenIdOf } from './random.ts';

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
