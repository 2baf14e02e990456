import crypto, { type generateKeyPair } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { removeFolders } from './new-folder.ts';

// A setup file: all sandboxes take turns with a few RSA keys, because making one takes longer than most of what is
// tested with it. The keys of a sandbox still differ from one another, and a rotated key from the one before. They are kept in a
// file, so that each worker does not make them again. The folders of the tests of a file are removed after it.

afterAll(removeFolders);

/** More than any one test asks for. */
const size = 24;

type Done = (error: Error | null, publicKey: unknown, privateKey: unknown) => void;
type Generate = (type: string, options: object, done: Done) => void;

const folder = join(import.meta.dirname, '../../node_modules/.cache/grantbox-test-keys');

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
    pool.made[place] ??= kept(`${crypto.hash('sha256', kind)}-${place}`, made => generate(type, options, made));
    void pool.made[place].then(result => done(...result));
  };
  crypto.generateKeyPair = Object.assign(take, { [mark]: true }) as unknown as typeof generateKeyPair;
  syncBuiltinESMExports();
}

/** The pair in the file with this name, or a new one, which is written there if it is bytes. */
function kept(name: string, generate: (done: Done) => void): Promise<Parameters<Done>> {
  const file = join(folder, `${name}.json`);
  const found = read(file);
  if (found !== undefined) return Promise.resolve([null, ...found]);
  return new Promise(resolve =>
    generate((...result) => {
      const [error, ...pair] = result;
      if (error === null && pair.every(Buffer.isBuffer)) write(file, pair);
      resolve(result);
    }),
  );
}

function read(file: string): [Buffer, Buffer] | undefined {
  try {
    const [publicKey, privateKey] = JSON.parse(readFileSync(file, 'utf8'));
    return [Buffer.from(publicKey, 'base64'), Buffer.from(privateKey, 'base64')];
  } catch {
    return undefined;
  }
}

/** Under its name in one step, because another worker may read it at the same time. */
function write(file: string, pair: readonly Buffer[]): void {
  const part = `${file}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(part, JSON.stringify(pair.map(key => key.toString('base64'))), { mode: 0o600 });
  renameSync(part, file);
}
