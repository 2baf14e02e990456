import type { AuthorizationServer } from '../authorization-server.ts';
import { assertionAlgs } from '../clients/assertion-algs.ts';
import { supportedAuthMethods } from '../clients/auth-methods.ts';
import { encryptionAlgs, encryptionEncs } from '../clients/client.ts';
import { allowedAlgs } from '../profile.ts';
import { signingAlgs } from '../tokens/signing-key.ts';

type Members = Readonly<Record<string, unknown>>;

/** With what client assertions may be signed, wherever clients authenticate (RFC 8414 §2). */
export function assertionMetadata(server: AuthorizationServer): Members {
  const algs = assertionAlgs(server, supportedAuthMethods(server));
  return {
    token_endpoint_auth_signing_alg_values_supported: algs,
    ...(server.features.has('introspection') ? { introspection_endpoint_auth_signing_alg_values_supported: algs } : {}),
    ...(server.features.has('revocation') ? { revocation_endpoint_auth_signing_alg_values_supported: algs } : {}),
  };
}

/**
 * With what ID Tokens and UserInfo are signed and encrypted (Discovery 1.0 §3). A client that registers for an algorithm
 * without a key has one made.
 */
export function responseMetadata(server: AuthorizationServer): Members {
  const signing = allowedAlgs(server, signingAlgs);
  return {
    id_token_signing_alg_values_supported: signing,
    id_token_encryption_alg_values_supported: encryptionAlgs,
    id_token_encryption_enc_values_supported: encryptionEncs,
    userinfo_signing_alg_values_supported: signing,
    userinfo_encryption_alg_values_supported: encryptionAlgs,
    userinfo_encryption_enc_values_supported: encryptionEncs,
  };
}
