import { createDiffieHellmanGroup, createHmac, hash, randomBytes } from 'node:crypto';
import { sameSecret } from '../../../protocol/random.ts';

/** SRP 6a as Cognito does it: group 15 of RFC 3526, SHA-256, and a key of 16 bytes from HKDF. */
const N = BigInt(`0x${createDiffieHellmanGroup('modp15').getPrime('hex')}`);
const g = 2n;
const k = hashOf(N, g);
const keyInfo = 'Caldera Derived Key\x01';

/** State that the server keeps from the first request of a login to the second. */
export interface SrpExchange {
  /** Hexadecimal, like the other numbers. */
  readonly A: string;
  readonly b: string;
  readonly B: string;
  readonly salt: string;
  /** Base64. */
  readonly secretBlock: string;
}

/** The names that the password is hashed with. */
export interface SrpNames {
  /** The id of the pool without its region. */
  readonly pool: string;
  readonly user: string;
}

/** Begins a login with the value of the client; undefined for one that no client sends. */
export function beginSrp(names: SrpNames, password: string, A: string): SrpExchange | undefined {
  if (!/^[0-9a-f]{1,768}$/i.test(A) || BigInt(`0x${A}`) % N === 0n) return undefined;
  const salt = numberOf(randomBytes(16));
  const b = numberOf(randomBytes(32));
  const v = power(g, privateKey(names, password, salt));
  const B = (k * v + power(g, b)) % N;
  return {
    A,
    b: b.toString(16),
    B: B.toString(16),
    salt: salt.toString(16),
    secretBlock: randomBytes(64).toString('base64'),
  };
}

/** True if the client knows the password: its signature is made by the key that both can compute. */
export function srpFits(
  names: SrpNames,
  password: string,
  exchange: SrpExchange,
  { signature, timestamp }: { readonly signature: string; readonly timestamp: string },
): boolean {
  const [A, b, B, salt] = [exchange.A, exchange.b, exchange.B, exchange.salt].map(hex => BigInt(`0x${hex}`));
  if (A === undefined || b === undefined || B === undefined || salt === undefined) return false;
  const u = hashOf(A, B);
  const v = power(g, privateKey(names, password, salt));
  const shared = power((A * power(v, u)) % N, b);
  const secret = createHmac('sha256', padded(u)).update(padded(shared)).digest();
  const key = createHmac('sha256', secret).update(keyInfo).digest().subarray(0, 16);
  const signed = [names.pool, names.user, Buffer.from(exchange.secretBlock, 'base64'), timestamp];
  const mac = createHmac('sha256', key);
  for (const part of signed) mac.update(part);
  return sameSecret(mac.digest('base64'), signature);
}

function privateKey({ pool, user }: SrpNames, password: string, salt: bigint): bigint {
  const inner = hash('sha256', `${pool}${user}:${password}`, 'buffer');
  return numberOf(hash('sha256', Buffer.concat([padded(salt), inner]), 'buffer'));
}

function hashOf(...numbers: readonly bigint[]): bigint {
  return numberOf(hash('sha256', Buffer.concat(numbers.map(padded)), 'buffer'));
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

/** The bytes of a number, with a zero in front if the first would have its highest bit set. */
function padded(number: bigint): Buffer {
  const digits = number.toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, 'hex');
}

/** `base` to the power of `exponent`, modulo N. */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % N;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % N;
    square = (square * square) % N;
  }
  return result;
}
