import { type AuthorizationServer, addressesOf } from '../authorization-server.ts';
import type { Confirmation } from '../confirmation.ts';
import { invalidToken, OAuthError } from '../errors.ts';
import { asymmetricAlgs } from '../profile.ts';
import type { Sender } from './sender-constraint.ts';

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
  const { verifyProof } = await import('./dpop.ts');
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
