import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../oauth/proofs/confirmation.ts';

const known = new WeakMap<Socket, ClientCertificate>();

/**
 * The certificate the other side of a connection has proven to own (RFC 8705 §2). It is read from the connection and never
 * from a header, which anybody can write (RFC 9700 §4.13).
 */
export function peerCertificate(socket: Socket): ClientCertificate | undefined {
  if (!isSecure(socket)) return undefined;
  const found = known.get(socket) ?? read(socket);
  if (found !== undefined) known.set(socket, found);
  return found;
}

/** Not `instanceof`: that would load TLS for those who do without. */
function isSecure(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true;
}

function read(socket: TLSSocket): ClientCertificate | undefined {
  // undefined is not in its type, but what it answers for a connection without one
  const certificate: X509Certificate | undefined = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  const thumbprint = Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
  return { der: certificate.raw.toString('base64'), thumbprint, isTrusted: socket.authorized };
}
