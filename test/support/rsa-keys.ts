import crypto, { type generateKeyPair } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

// A setup file: the sandboxes and self-tests of a worker take turns with a few RSA keys, because making one takes longer than most
// of what is tested with it. The keys of a sandbox still differ from one another, and a rotated key from the one before.

/** More than any one test asks for. */
const size = 24;

type Done = (error: Error | null, publicKey: unknown, privateKey: unknown) => void;
type Generate = (type: string, options: object, done: Done) => void;

/** The files of a worker share it, and each of them runs this file. */
const mark = Symbol.for('grantbox.test.rsa-keys');

if (!(mark in crypto.generateKeyPair)) {
  // Node's overloads want the type as a literal
  const generate = crypto.generateKeyPair as unknown as Generate;
  const pools = new Map<string, { readonly made: Promise<Parameters<Done>>[]; next: number }>();

  const take: Generate = (type, options, done) => {
    if (type !== 'rsa') return generate(type, options, done);
    const kind = JSON.stringify(options);
    const pool = pools.get(kind) ?? { made: [], next: 0 };
    pools.set(kind, pool);
    const place = pool.next++ % size;
    pool.made[place] ??= new Promise(resolve => generate(type, options, (...result) => resolve(result)));
    void pool.made[place].then(result => done(...result));
  };
  crypto.generateKeyPair = Object.assign(take, { [mark]: true }) as unknown as typeof generateKeyPair;
  syncBuiltinESMExports();
}
