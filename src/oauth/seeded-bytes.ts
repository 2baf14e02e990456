import { createHmac } from 'node:crypto';

/** The next so many bytes of an endless stream; each call has bytes of its own. */
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
