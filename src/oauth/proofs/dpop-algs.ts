import type { AuthorizationServer } from '../authorization-server.ts';
import { allowedAlgs } from '../profile.ts';

const all: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** What may sign a DPoP proof (RFC 9449 §5.1): asymmetric algorithms only. */
export function dpopAlgs(server: Pick<AuthorizationServer, 'profile'>): readonly string[] {
  return allowedAlgs(server, all);
}
