import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';

/** The kind of a key pair; RSA keys have 2048 bits. */
export interface KeyKind {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  readonly namedCurve?: string;
}

/** Makes a key pair on the thread pool. As DER, because exporting a generated key object as JWK can hang on Node 20. */
export function generatePrivateKey({ keyType, namedCurve }: KeyKind): Promise<KeyObject> {
  const options = {
    modulusLength: 2048,
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, _publicKey: unknown, key: Buffer) =>
      error ? reject(error) : resolve(createPrivateKey({ key, type: 'pkcs8', format: 'der' }));
    // Node's overloads want the type as a literal
    (generateKeyPair as (type: string, options: object, callback: typeof done) => void)(keyType, options, done);
  });
}
