import type { SigningKey } from '../../protocol/tokens/signing-key.ts';
import type { OwnIssuer } from '../extension.ts';

/**
 * RSA keys take a second to create, so an issuer starts with the keys of the first issuer and of others that had to
 * create more.
 */
export function createKeyPool({ core: { server } }: OwnIssuer) {
  const learnt = new Map<string, Promise<SigningKey>>();
  return {
    all(): ReadonlyMap<string, Promise<SigningKey>> {
      return new Map([...learnt, ...server.keys.algs.map(alg => [alg, server.keys.forAlg(alg)] as const)]);
    },
    learn({ core }: OwnIssuer): void {
      const { keys } = core.server;
      for (const alg of keys.algs) if (!learnt.has(alg)) learnt.set(alg, keys.forAlg(alg));
    },
  };
}
