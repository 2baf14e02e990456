import { defined } from '../../base/defined.ts';
import { type AuthorizationServer, addressesOf } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { ClientCertificate, Confirmation } from '../confirmation.ts';
import { invalidGrant, invalidRequest, OAuthError } from '../errors.ts';

/** Proofs of the sender in addition to its credentials. */
export interface Sender {
  /** The `DPoP` header. */
  readonly dpop?: string;
  /** Certificate of the TLS connection. */
  readonly certificate?: ClientCertificate;
}

/**
 * The key that the tokens of this request will be bound to; undefined for bearer tokens.
 * @throws invalid_dpop_proof, use_dpop_nonce, or invalid_request if the client is registered for bound tokens and proves
 * no key (RFC 9449 §5.2, RFC 8705 §3.4)
 */
export async function senderConfirmation(
  server: AuthorizationServer,
  client: RegisteredClient,
  sender: Sender,
): Promise<Confirmation | undefined> {
  const jkt = await proofKey(server, client, sender);
  const x5t = certificateThumbprint(server, client, sender);
  if (jkt !== undefined || x5t !== undefined) return defined({ jkt, 'x5t#S256': x5t });
  if (server.profile === 'none') return undefined;
  // FAPI 2.0 Security Profile §5.3.2.1
  const description = 'the FAPI 2.0 profile is on: tokens must be bound to a key or certificate';
  throw new OAuthError('invalid_dpop_proof', 'profile_violated', description, {
    sent: 'no DPoP header',
    expected: 'DPoP: <proof>, or a client registered for certificate-bound tokens',
  });
}

async function proofKey(
  server: AuthorizationServer,
  client: RegisteredClient,
  { dpop }: Sender,
): Promise<string | undefined> {
  if (!server.features.has('dpop')) return undefined;
  if (dpop !== undefined) {
    const { verifyProof } = await import('./dpop.ts');
    return verifyProof(server, dpop, { method: 'POST', urls: addressesOf(server, server.paths.token) });
  }
  if (!client.dpop_bound_access_tokens) return undefined;
  const description = 'this client can get tokens only with a DPoP proof';
  throw new OAuthError('invalid_dpop_proof', 'dpop_proof_missing', description, {
    sent: 'no DPoP header',
    expected: 'DPoP: <proof>',
  });
}

function certificateThumbprint(
  { features }: AuthorizationServer,
  client: RegisteredClient,
  { certificate }: Sender,
): string | undefined {
  if (!client.tls_client_certificate_bound_access_tokens || !features.has('mtls')) return undefined;
  if (certificate !== undefined) return certificate.thumbprint;
  const description = 'this client can get only certificate-bound tokens, but the connection has no client certificate';
  throw invalidRequest('certificate_missing', description, {
    sent: 'no client certificate',
    expected: 'mutual TLS with the certificate of the client',
  });
}

/**
 * Checks that a grant bound to a key or certificate is redeemed with it (RFC 9449 §5, §10, RFC 8705 §4).
 * @throws invalid_grant
 */
export function checkBound(what: string, bound: Confirmation | undefined, shown: Confirmation | undefined): void {
  if (bound?.jkt !== undefined && bound.jkt !== shown?.jkt) {
    throw invalidGrant('dpop_key_mismatch', `${what} is bound to a different DPoP key than the proof uses`, {
      sent: shown?.jkt ?? 'no DPoP proof',
      expected: `a DPoP proof by the key ${bound.jkt}`,
    });
  }
  const certificate = bound?.['x5t#S256'];
  if (certificate !== undefined && certificate !== shown?.['x5t#S256']) {
    throw invalidGrant('certificate_mismatch', `${what} is bound to a different client certificate`, {
      sent: shown?.['x5t#S256'] ?? 'no client certificate',
      expected: `the certificate with x5t#S256 ${certificate}`,
    });
  }
}
