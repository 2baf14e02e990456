import { X509Certificate } from 'node:crypto';
import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { asSent } from './compared.ts';
import type { Claims } from './token-claims.ts';

/**
 * Accepts a token that is bound to a client certificate only on a connection with this certificate (RFC 8705 §3). A
 * refusal is a 401 `invalid_token` problem.
 */
export function checkCertificateBinding({ cnf }: Claims, { socket }: { readonly socket: object }): void {
  const bound = thumbprintIn(cnf);
  if (bound === undefined) return;
  const shown = peerThumbprint(socket);
  if (shown === bound) return;
  const expected = `the certificate with x5t#S256 ${asSent('x5t#S256', bound)}`;
  if (shown === undefined) {
    const detail = 'the token is bound to a client certificate, and the connection shows none; connect with mutual TLS';
    throw invalidToken('certificate_missing', detail, { sent: 'no client certificate', expected });
  }
  throw invalidToken(
    'certificate_mismatch',
    `the token is bound to a different client certificate than the connection shows; expected one with x5t#S256 ${describe(bound)}`,
    { sent: `the certificate with x5t#S256 ${shown}`, expected },
  );
}

/** RFC 8705 §3.1. A value that is not text matches no certificate. */
function thumbprintIn(cnf: unknown): unknown {
  return typeof cnf === 'object' && cnf !== null && 'x5t#S256' in cnf ? cnf['x5t#S256'] : undefined;
}

/** Thumbprint of the certificate of the TLS connection. Never taken from a header, because anybody could write one. */
function peerThumbprint(socket: object): string | undefined {
  if (!('getPeerX509Certificate' in socket) || typeof socket.getPeerX509Certificate !== 'function') return undefined;
  const certificate: unknown = socket.getPeerX509Certificate();
  if (!(certificate instanceof X509Certificate)) return undefined;
  return Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
}
