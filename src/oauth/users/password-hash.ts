import * as crypto from 'node:crypto';
import { type PhcHash, readPhc } from '../../text/phc.ts';

/** A function that makes keys of passwords. */
interface Kind {
  /** Names of its parameters, with the most of each. */
  readonly most: Readonly<Record<string, number>>;
  derive(typed: string, hash: PhcHash, done: Done): void;
}

type Done = (error: Error | null, key: Uint8Array) => void;

/** RFC 8018 §5.2. */
const pbkdf2 = (digest: string): Kind => ({
  most: { i: 10_000_000 },
  derive: (typed, { parameters, salt, key }, done) =>
    crypto.pbkdf2(typed, salt, parameters.get('i') ?? 1, key.length, digest, done),
});

/** RFC 9106. Node has it since 24.7. The memory is in KiB. */
const argon2 = (variant: 'argon2d' | 'argon2i' | 'argon2id'): Kind => ({
  most: { m: 1_048_576, t: 1000, p: 255 },
  derive(typed, { parameters, salt, key }, done) {
    const [memory = 8, passes = 1, parallelism = 1] = ['m', 't', 'p'].map(name => parameters.get(name));
    const given = { message: typed, nonce: salt, tagLength: key.length, memory, passes, parallelism };
    crypto.argon2(variant, given, done);
  },
});

/** RFC 7914. `ln` is the logarithm of the cost; the memory is 128 bytes for each unit of cost and block size. */
const scrypt: Kind = {
  most: { ln: 17, r: 32, p: 16 },
  derive(typed, { parameters, salt, key }, done) {
    const [ln = 14, r = 8, p = 1] = ['ln', 'r', 'p'].map(name => parameters.get(name));
    crypto.scrypt(typed, salt, key.length, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }, done);
  },
};

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['pbkdf2-sha256', pbkdf2('sha256')],
  ['pbkdf2-sha512', pbkdf2('sha512')],
  ['pbkdf2', pbkdf2('sha1')],
  ['argon2id', argon2('argon2id')],
  ['argon2i', argon2('argon2i')],
  ['argon2d', argon2('argon2d')],
  ['scrypt', scrypt],
]);

/** The expected form of a hash, if the text has a different one. */
export function hashFault(text: string): string | undefined {
  const phc = readPhc(text);
  const example = '$pbkdf2-sha256$i=27500$<salt>$<hash>, with salt and hash in base64';
  if (phc === undefined) return `a hash in the PHC format, such as ${example}`;
  const kind = kinds.get(phc.id);
  if (kind === undefined) return `a hash by ${[...kinds.keys()].join(', ')}, such as ${example}`;
  const fault = Object.entries(kind.most).find(([name, most]) => !isWithin(phc.parameters.get(name), most));
  if (fault !== undefined) return `the parameter ${fault[0]} of ${phc.id}, from 1 to ${fault[1]}`;
  const isLong = phc.salt.length >= (phc.id.startsWith('argon2') ? 8 : 1) && isWithin(phc.key.length, 512);
  return isLong && phc.key.length >= 4 ? undefined : 'a longer salt, and a hash of 4 to 512 bytes';
}

function isWithin(value: number | undefined, most: number): boolean {
  return value !== undefined && value >= 1 && value <= most;
}

/** Whether this version of Node can compute it. Without that any password is accepted. */
export function canCheckHash(text: string): boolean {
  return !text.startsWith('$argon2') || typeof crypto.argon2 === 'function';
}

/** Whether a typed password has this hash, which was checked by `hashFault`. Computed by a thread, compared in constant time. */
export async function hashFits(text: string, typed: string): Promise<boolean> {
  const hash = readPhc(text);
  const kind = kinds.get(hash?.id ?? '');
  if (hash === undefined || kind === undefined) return false;
  if (!canCheckHash(text)) return true;
  const key = await new Promise<Uint8Array>((resolve, reject) =>
    kind.derive(typed, hash, (error, derived) => (error === null ? resolve(derived) : reject(error))),
  );
  return crypto.timingSafeEqual(key, hash.key);
}
