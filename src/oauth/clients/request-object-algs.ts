import type { AuthorizationServer } from '../authorization-server.ts';
import { assertionAlgs } from './assertion-algs.ts';

/** What may sign a request object (RFC 9101 §10.1): what signs with the private key of a client, never a secret, never `none`. */
export function requestObjectAlgs(server: Pick<AuthorizationServer, 'profile'>): readonly string[] {
  return assertionAlgs(server, ['private_key_jwt']);
}
