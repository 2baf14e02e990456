import type { AuthorizationServer } from '../authorization-server.ts';
import { asymmetricAlgs } from '../profile.ts';
import { openidConfiguration } from './metadata.ts';

/** What this server signs for clients, by the names of the metadata. */
const signed = ['id_token', 'userinfo', 'authorization', 'introspection'];

/** The algorithms that clients may choose for signatures of this server, as its metadata says. */
export function advertisedAlgs(server: AuthorizationServer): readonly string[] {
  const usual = openidConfiguration(server);
  const metadata = server.dialect?.metadata(server, usual) ?? usual;
  const offered = signed.flatMap(name => metadata[`${name}_signing_alg_values_supported`] ?? []);
  return asymmetricAlgs(server).filter(alg => offered.includes(alg));
}
