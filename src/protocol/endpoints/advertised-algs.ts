import type { AuthorizationServer } from '../authorization-server.ts';
import { asymmetricAlgs } from '../profile.ts';
import { algorithmOf } from '../tokens/signing-key.ts';
import { advertised } from './metadata.ts';

/** What this server signs for clients, by the names of the metadata. */
const signed = ['id_token', 'userinfo', 'authorization', 'introspection'];

/**
 * The algorithms that the metadata offers for signatures of this server and whose keys each reader of a JWK Set knows, those whose keys
 * are made at once first. Some libraries fail on a whole set that has another type or curve, although RFC 7517 §5 has them ignore it:
 * EdDSA and ES512 get their key with the first client that registers for them.
 */
export function advertisedAlgs(server: AuthorizationServer): readonly string[] {
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
