import type { AuthorizationServer } from '../authorization-server.ts';
import { asymmetricAlgs } from '../profile.ts';
import { algorithmOf } from '../tokens/signing-key.ts';
import { advertised } from './metadata.ts';

/** Answers that this server signs. The metadata has a list of algorithms for each, such as `id_token_signing_alg_values_supported`. */
const signed = ['id_token', 'userinfo', 'authorization', 'introspection'];

/**
 * The advertised algorithms whose keys are published before they are used. EdDSA and ES512 are not among them: some libraries fail on
 * a whole JWK Set if they do not know one type or curve in it, although RFC 7517 §5 has them ignore it. These two get their key with the
 * first client that registers for them. RSA is last, because making its keys takes longest.
 */
export function algsToPrepare(server: AuthorizationServer): readonly string[] {
  const metadata = advertised(server);
  const offered = signed.flatMap(name => metadata[`${name}_signing_alg_values_supported`] ?? []);
  const algs = asymmetricAlgs(server).filter(alg => offered.includes(alg));
  const quick = algs.filter(alg => /^ES(?:256|384)$/.test(alg));
  const slow = algs.filter(isRsa);
  return [...quick, ...slow];
}

function isRsa(alg: string): boolean {
  return algorithmOf(alg).keyType === 'rsa';
}
