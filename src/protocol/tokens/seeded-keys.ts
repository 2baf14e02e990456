import { checkPrime, createECDH, createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { type SeededBytes, seededBytes } from '../random.ts';
import { algorithmOf } from './signing-key.ts';

/** A key pair from a seed, which therefore reveals it. An RSA key needs a search for two primes: 0.1 s or more. */
export async function seededKey(
  seed: string,
  alg: string,
  generation: number,
): Promise<{ readonly privateKey: KeyObject; readonly kid: string }> {
  const { keyType, namedCurve = '' } = algorithmOf(alg);
  const random = seededBytes(seed, `${alg} ${generation}`);
  const kid = `grantbox-${random(6).toString('base64url')}`;
  if (keyType === 'ed25519') return { kid, privateKey: ed25519Key(random(32)) };
  const jwk = keyType === 'ec' ? ecKey(namedCurve, random) : await rsaKey(random);
  return { kid, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

/** RFC 8410 §7: the private key is the 32 bytes after a fixed prefix. */
function ed25519Key(seed: Buffer): KeyObject {
  const frame = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([frame, seed]), format: 'der', type: 'pkcs8' });
}

const curves: Readonly<Record<string, { readonly name: string; readonly bits: number }>> = {
  'P-256': { name: 'prime256v1', bits: 256 },
  'P-384': { name: 'secp384r1', bits: 384 },
  'P-521': { name: 'secp521r1', bits: 521 },
};

/** The first number of the stream that is in the range of the curve. */
function ecKey(crv: string, random: SeededBytes): JsonWebKey {
  const { name, bits } = curves[crv] ?? { name: crv, bits: 0 };
  const length = Math.ceil(bits / 8);
  for (;;) {
    const d = random(length);
    d[0] = (d[0] ?? 0) & (0xff >> (8 * length - bits));
    const point = publicPoint(name, d);
    if (point === undefined) continue;
    const [x, y] = [point.subarray(1, 1 + length), point.subarray(1 + length)];
    return { kty: 'EC', crv, d: d.toString('base64url'), x: x.toString('base64url'), y: y.toString('base64url') };
  }
}

function publicPoint(curve: string, d: Buffer): Buffer | undefined {
  const pair = createECDH(curve);
  try {
    pair.setPrivateKey(d);
  } catch {
    return undefined; // zero, or not below the order of the curve
  }
  return pair.getPublicKey();
}

const publicExponent = 65_537n;

/** Two primes of 1024 bits and what follows from them (RFC 8017 §3.2). */
async function rsaKey(random: SeededBytes): Promise<JsonWebKey> {
  const p = await nextPrime(random);
  const q = await nextPrime(random);
  const d = inverse(publicExponent, (p - 1n) * (q - 1n));
  const members = { n: p * q, e: publicExponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const encoded = Object.entries(members).map(([name, value]) => [name, base64url(value)]);
  return { kty: 'RSA', ...Object.fromEntries(encoded) };
}

/** The first prime after the next number of the stream. Both upper bits are set, so that two make a modulus of 2048 bits. */
async function nextPrime(random: SeededBytes): Promise<bigint> {
  const start = BigInt(`0x${random(128).toString('hex')}`);
  let candidate = start | (3n << 1022n) | 1n;
  while (!(await isUsablePrime(candidate))) candidate += 2n;
  return candidate;
}

const smallPrimes = [3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n, 59n, 61n, 67n, 71n, 73n];

/** Checks a candidate off the main thread. Most candidates fail before, because a small prime divides them. */
async function isUsablePrime(candidate: bigint): Promise<boolean> {
  if (smallPrimes.some(prime => candidate % prime === 0n) || candidate % publicExponent === 1n) return false;
  return new Promise((resolve, reject) => {
    checkPrime(candidate, (error, isPrime) => (error ? reject(error) : resolve(isPrime)));
  });
}

/** The inverse, by the extended Euclidean algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, next] = [modulus, value % modulus];
  let [factor, nextFactor] = [0n, 1n];
  while (next > 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return (factor + modulus) % modulus;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
