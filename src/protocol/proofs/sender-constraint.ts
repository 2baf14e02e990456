import { defined } from '../../base/defined.ts';
import type { ClientCertificate, Confirmation } from '../authorization.ts';
import { type AuthorizationServer, addressesOf } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { invalidGrant, invalidRequest, invalidToken, OAuthError } from '../errors.ts';
import { asymmetricAlgs } from '../profile.ts';
import { verifyProof } from './dpop.ts';

/** Proofs of the sender in addition to its credentials. */
interface Sender {
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

/** An access token as it was sent to one of our own resources. */
export interface PresentedToken {
  readonly token: string;
  readonly scheme: 'Bearer' | 'DPoP';
  readonly method: string;
}

/**
 * Accepts a bound token only with its key or certificate, and a DPoP proof only with a token bound to its key (RFC 9449
 * §7, RFC 8705 §3).
 * @throws invalid_token, invalid_dpop_proof or use_dpop_nonce, with a challenge
 */
export async function checkBinding(
  server: AuthorizationServer,
  presented: PresentedToken,
  cnf: Confirmation | undefined,
  sender: Sender,
): Promise<void> {
  const certificate = cnf?.['x5t#S256'];
  if (certificate !== undefined && certificate !== sender.certificate?.thumbprint) {
    throw invalidToken('certificate_mismatch', 'the access token is bound to a different client certificate', {
      sent: sender.certificate?.thumbprint ?? 'no client certificate',
      expected: `the certificate with x5t#S256 ${certificate}`,
    });
  }
  if (cnf?.jkt === undefined && presented.scheme === 'Bearer') return;
  try {
    await checkProof(server, presented, cnf?.jkt, sender.dpop);
  } catch (error) {
    throw error instanceof OAuthError ? challenged(server, error) : error;
  }
}

async function checkProof(
  server: AuthorizationServer,
  { token, scheme, method }: PresentedToken,
  bound: string | undefined,
  proof: string | undefined,
): Promise<void> {
  if (bound === undefined) {
    throw invalidToken('token_not_bound', 'the access token is a bearer token, but it was sent with the scheme DPoP', {
      sent: 'Authorization: DPoP',
      expected: 'Authorization: Bearer',
    });
  }
  if (scheme === 'Bearer') {
    const description = 'the access token is bound to a DPoP key, but it was sent as a bearer token';
    throw invalidToken('dpop_proof_missing', description, {
      sent: 'Authorization: Bearer',
      expected: 'Authorization: DPoP, with a proof in the DPoP header',
    });
  }
  if (proof === undefined) {
    const details = { status: 401, sent: 'no DPoP header', expected: 'DPoP: <proof>' };
    const description = 'the access token was sent without a DPoP proof';
    throw new OAuthError('invalid_dpop_proof', 'dpop_proof_missing', description, details);
  }
  const urls = addressesOf(server, server.paths.userinfo);
  const target = { method, urls, accessToken: token, status: 401 } as const;
  const jkt = await verifyProof(server, proof, target);
  if (jkt === bound) return;
  throw invalidToken('dpop_key_mismatch', 'the access token is bound to a different key than the DPoP proof uses', {
    sent: jkt,
    expected: bound,
  });
}

/** RFC 9449 §7.1: the challenge has the error, and the algorithms allowed for proofs. */
function challenged(server: AuthorizationServer, { code, reason, description, details }: OAuthError): OAuthError {
  const algs = asymmetricAlgs(server).join(' ');
  const challenge = `DPoP error="${code}", error_description="${description}", algs="${algs}"`;
  const headers = { ...details.headers, 'WWW-Authenticate': challenge };
  return new OAuthError(code, reason, description, { ...details, headers });
}
