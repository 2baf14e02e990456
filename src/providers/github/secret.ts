import { hash } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A token with a prefix, `length` random letters and digits, and their checksum in six more. */
export function secretOf(prefix: string, random: string, length: number): string {
  const letters = inBase62(BigInt(`0x${hash('sha512', random)}`))
    .padStart(length, '0')
    .slice(-length);
  return `${prefix}_${letters}${inBase62(BigInt(crc32(letters))).padStart(6, '0')}`;
}

function inBase62(number: bigint): string {
  let [rest, text] = [number, ''];
  for (; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}

/** The checksum of ISO 3309, as zip files have it. */
function crc32(text: string): number {
  let rest = ~0;
  for (const byte of Buffer.from(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}
