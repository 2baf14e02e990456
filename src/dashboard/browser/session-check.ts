/**
 * Answers `<client_id> <session_state>` (OIDC Session Management §3.2): tells whether the state was made for this client, this
 * origin and the current login of the browser.
 */
export function checkSessionState(
  message: unknown,
  origin: string,
  browserState: string,
): 'unchanged' | 'changed' | 'error' {
  const [, client_id, hash, salt] = /^(.+) ([0-9a-f]{64})\.([\w-]+)$/s.exec(String(message)) ?? [];
  if (client_id === undefined) return 'error';
  return sha256(`${client_id} ${origin} ${browserState} ${salt}`) === hash ? 'unchanged' : 'changed';
}

/** The value of a cookie; empty if there is no such cookie. */
export function cookieValue(cookies: string, name: string): string {
  const pair = cookies.split('; ').find(each => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}

/**
 * SHA-256 (FIPS 180-4 §6.2) in hexadecimal. WebCrypto exists only in secure contexts, and a frame in a plain HTTP page of a host
 * other than localhost is not one.
 */
export function sha256(text: string): string {
  const state = Uint32Array.from(roots(8, 1 / 2));
  const words = padded(new TextEncoder().encode(text));
  for (let start = 0; start < words.length; start += 16) mix(state, words.subarray(start, start + 16));
  return [...state].map(word => word.toString(16).padStart(8, '0')).join('');
}

const constants = Uint32Array.from(roots(64, 1 / 3));

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function roots(count: number, exponent: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every(prime => number % prime !== 0)) primes.push(number);
  }
  return primes.map(prime => Math.floor((prime ** exponent % 1) * 2 ** 32));
}

/** Pads the bytes with a one bit, zeros and the length in bits, and splits them into blocks of 16 words. */
function padded(bytes: Uint8Array): Uint32Array {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const view = new DataView(new ArrayBuffer(blocks * 64));
  bytes.forEach((byte, index) => {
    view.setUint8(index, byte);
  });
  view.setUint8(bytes.length, 0x80);
  view.setUint32(blocks * 64 - 4, bytes.length * 8);
  return Uint32Array.from({ length: blocks * 16 }, (_, index) => view.getUint32(index * 4));
}

function mix(state: Uint32Array, block: Uint32Array): void {
  const schedule = scheduleOf(block);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  schedule.forEach((word, round) => {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (constants[round] ?? 0) + word) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  });
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] ?? 0) + word;
  });
}

function scheduleOf(block: Uint32Array): Uint32Array {
  const words = new Uint32Array(64);
  words.set(block);
  for (let index = 16; index < 64; index++) {
    const [early = 0, late = 0] = [words[index - 15], words[index - 2]];
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + low + (words[index - 7] ?? 0) + high;
  }
  return words;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
