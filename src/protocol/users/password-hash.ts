import * as crypto from 'node:crypto';
import { type PhcHash, readPhc } from '../../base/text/phc.ts';

interface Kind {
  /** Names of its parameters, with the most of each. */
  readonly most: Readonly<Record<string, number>>;
  /** The length of its keys, if it has one only. */
  readonly key?: number;
  /** The least length of its salts. Default: 1. */
  readonly salt?: number;
  /** Parameters that are words, with their values; the first is the default. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** Whether it has a secret besides, as the parameter `k` in base64. */
  readonly isKeyed?: boolean;
  derive(typed: string, hash: PhcHash, done: Done): void;
}

type Done = (error: Error | null, key: Uint8Array) => void;

/** RFC 8018 §5.2. */
const pbkdf2 = (digest: string): Kind => ({
  most: { i: 10_000_000 },
  derive: (typed, { parameters, salt, key }, done) =>
    crypto.pbkdf2(typed, salt, Number(parameters.get('i') ?? 1), key.length, digest, done),
});

/** RFC 9106. Node has it since 24.7. The memory is in KiB. */
const argon2 = (variant: 'argon2d' | 'argon2i' | 'argon2id'): Kind => ({
  most: { m: 1_048_576, t: 1000, p: 255 },
  salt: 8,
  derive(typed, { parameters, salt, key }, done) {
    const [memory = 8, passes = 1, parallelism = 1] = ['m', 't', 'p'].map(name => Number(parameters.get(name)));
    const given = { message: typed, nonce: salt, tagLength: key.length, memory, passes, parallelism };
    crypto.argon2(variant, given, done);
  },
});

/** RFC 7914. `ln` is the logarithm of the cost; the memory is 128 bytes for each unit of cost and block size. */
const scrypt: Kind = {
  most: { ln: 17, r: 32, p: 16 },
  derive(typed, { parameters, salt, key }, done) {
    const [ln = 14, r = 8, p = 1] = ['ln', 'r', 'p'].map(name => Number(parameters.get(name)));
    crypto.scrypt(typed, salt, key.length, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }, done);
  },
};

let lastBcrypt: Promise<void> = Promise.resolve();

/**
 * bcrypt, in its own form: `salt` is the text up to the salt, `key` the rest. The library computes in pieces of up to 100 ms of the
 * event loop, so one hash at a time: other requests wait for one piece.
 */
const bcrypt: Kind = {
  most: { cost: 15 },
  key: 31,
  derive(typed, { salt }, done) {
    const made = lastBcrypt.then(async () => (await import('bcryptjs')).default.hash(typed, salt.toString()));
    lastBcrypt = made.then(
      text => done(null, Buffer.from(text.slice(salt.length))),
      (error: Error) => done(error, salt),
    );
  },
};

/** Lengths of digests in bytes. OpenSSL 3 has no MD4. */
const digests = { md5: 16, sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64, ripemd160: 20 } as const;

const words = { pos: ['prefix', 'suffix'], enc: ['utf8', 'utf16le', 'ucs2', 'ascii', 'latin1', 'binary'] } as const;

/** One digest, or HMAC with the key `k`, of the salt and the password. `pos` is where the salt stands, `enc` how the password is encoded. */
const digest = (name: string, key: number, isKeyed: boolean): Kind => ({
  most: {},
  key,
  words,
  isKeyed,
  derive(typed, { parameters, salt }, done) {
    // the form was checked by `hashProblem`
    const password = Buffer.from(typed, (parameters.get('enc') ?? 'utf8') as BufferEncoding);
    const parts = parameters.get('pos') === 'suffix' ? [password, salt] : [salt, password];
    const secret = Buffer.from(parameters.get('k') ?? '', 'base64');
    const hash = isKeyed ? crypto.createHmac(name, secret) : crypto.createHash(name);
    done(null, hash.update(Buffer.concat(parts)).digest());
  },
});

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['pbkdf2-sha256', pbkdf2('sha256')],
  ['pbkdf2-sha512', pbkdf2('sha512')],
  ['pbkdf2-sha1', pbkdf2('sha1')],
  ['pbkdf2', pbkdf2('sha1')],
  ['argon2id', argon2('argon2id')],
  ['argon2i', argon2('argon2i')],
  ['argon2d', argon2('argon2d')],
  ['scrypt', scrypt],
  ['bcrypt', bcrypt],
  ...Object.entries(digests).map(([name, key]) => [name, digest(name, key, false)] as const),
  ...Object.entries(digests).map(([name, key]) => [`hmac-${name}`, digest(name, key, true)] as const),
]);

/** The form of bcrypt, up to the cost that `bcrypt` allows. */
const bcryptForm = /^(?<salt>\$2[aby]\$(?<cost>0[4-9]|1[0-5])\$[./A-Za-z0-9]{22})(?<key>[./A-Za-z0-9]{31})$/;

/** The form of LDAP (RFC 2307 §5.3): base64 of the digest of password and salt, then the salt if the name begins with `S`. */
const ldapForm = /^\{(?<salted>S?)(?<name>MD5|SHA(?:1|224|256|384|512)?)\}(?<bytes>[\w+/-]{1,1400})={0,2}$/i;

function readHash(text: string): PhcHash | undefined {
  const { cost, salt, key } = bcryptForm.exec(text)?.groups ?? {};
  if (cost !== undefined && salt !== undefined && key !== undefined)
    return { id: 'bcrypt', parameters: new Map([['cost', cost]]), salt: Buffer.from(salt), key: Buffer.from(key) };
  return readLdap(text) ?? readPhc(text);
}

function readLdap(text: string): PhcHash | undefined {
  const { salted, name = '', bytes = '' } = ldapForm.exec(text)?.groups ?? {};
  const id = Object.keys(digests).find(each => each === name.toLowerCase().replace(/^sha$/, 'sha1'));
  if (id === undefined) return undefined;
  const all = Buffer.from(bytes, 'base64');
  const length = salted === '' ? all.length : kinds.get(id)?.key;
  return { id, parameters: new Map([['pos', 'suffix']]), salt: all.subarray(length), key: all.subarray(0, length) };
}

/** The expected form of a hash, if the text has a different one. */
export function hashProblem(text: string): string | undefined {
  const hash = readHash(text);
  if (text.startsWith('$2') && hash?.id !== 'bcrypt')
    return `bcrypt with a cost from 04 to 15, 22 characters of salt and 31 of hash: $2b$10$<salt and hash>`;
  const example = '$pbkdf2-sha256$i=27500$<salt>$<hash>, with salt and hash in base64';
  if (hash === undefined)
    return `a hash in the PHC format, such as ${example}, in that of bcrypt, such as $2b$10$<salt and hash>, or in that of LDAP, such as {SSHA256}<base64>`;
  const { id, parameters } = hash;
  const kind = kinds.get(id);
  if (kind === undefined) return `a hash by ${[...kinds.keys()].join(', ')}, such as ${example}`;
  const problem = Object.entries(kind.most).find(([name, most]) => !isWithin(parameters.get(name), most));
  if (problem !== undefined) return `the parameter ${problem[0]} of ${id}, from 1 to ${problem[1]}`;
  return wordProblem(hash, kind) ?? lengthProblem(hash, kind);
}

function wordProblem({ id, parameters }: PhcHash, { words: known = {}, isKeyed }: Kind): string | undefined {
  if (isKeyed && !parameters.get('k')) return `the parameter k of ${id}, its key in base64`;
  const problem = Object.entries(known).find(
    ([name, values]) => !values.includes(parameters.get(name) ?? values[0] ?? ''),
  );
  return problem && `the parameter ${problem[0]} of ${id} to be one of ${problem[1].join(', ')}`;
}

function lengthProblem({ id, salt, key }: PhcHash, kind: Kind): string | undefined {
  if (kind.key !== undefined)
    return key.length === kind.key ? undefined : `a hash of ${kind.key} bytes, as ${id} makes them`;
  const isLong = salt.length >= (kind.salt ?? 1) && key.length >= 4 && key.length <= 512;
  return isLong ? undefined : 'a longer salt, and a hash of 4 to 512 bytes';
}

function isWithin(value = '', most: number): boolean {
  return /^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= most;
}

/** Whether this version of Node can compute it. Without that any password is accepted. */
export function canCheckHash(text: string): boolean {
  return !text.startsWith('$argon2') || typeof crypto.argon2 === 'function';
}

/** Whether a typed password has this hash, which was checked by `hashProblem`. Computed beside the event loop, or in pieces of it; compared in constant time. */
export async function hashFits(text: string, typed: string): Promise<boolean> {
  const hash = readHash(text);
  const kind = kinds.get(hash?.id ?? '');
  if (hash === undefined || kind === undefined) return false;
  if (!canCheckHash(text)) return true;
  const key = await new Promise<Uint8Array>((resolve, reject) =>
    kind.derive(typed, hash, (error, derived) => (error === null ? resolve(derived) : reject(error))),
  );
  return crypto.timingSafeEqual(key, hash.key);
}
