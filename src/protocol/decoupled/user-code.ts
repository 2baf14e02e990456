import type { Random } from '../random.ts';

/** No vowels, so that it spells nothing, and no two letters that look alike (RFC 8628 §6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const form = new RegExp(`^[${letters}]{8}$`);

/** `WDJB-MJHT`: eight letters, 34 bits. */
export function randomUserCode(random: Pick<Random, 'below'>): string {
  const code = Array.from({ length: 8 }, () => letters.charAt(random.below(letters.length))).join('');
  return withDash(code);
}

/** A typed user code as it was shown; case, dashes and spaces do not count. Undefined if the text cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  return form.test(code) ? withDash(code) : undefined;
}

function withDash(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
