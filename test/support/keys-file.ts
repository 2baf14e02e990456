import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { newFile } from './new-folder.ts';

/** A file with a key for each algorithm: making an RSA key takes longer than most of what is tested with it. */
export function writeKeysFile(): string {
  const rsa = privateJwk('rsa', { modulusLength: 2048 });
  const keys = [
    ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map(alg => ({ ...rsa, alg, kid: alg })),
    ...Object.entries({ ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }).map(([alg, namedCurve]) => ({
      ...privateJwk('ec', { namedCurve }),
      ...{ alg, kid: alg },
    })),
    ...['EdDSA', 'Ed25519'].map(alg => ({ ...privateJwk('ed25519', {}), alg, kid: alg })),
  ];
  return newFile('keys.json', { keys });
}

function privateJwk(type: string, options: object): JsonWebKey {
  // Node's overloads want the type as a literal
  const generate = generateKeyPairSync as unknown as (
    type: string,
    options: object,
  ) => ReturnType<typeof generateKeyPairSync>;
  return generate(type, options).privateKey.export({ format: 'jwk' });
}
