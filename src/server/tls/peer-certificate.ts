import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../protocol/authorization.ts';

const known = new WeakMap<Socket, ClientCertificate>();

/**
 * The certificate that the peer of a connection has proven to own (RFC 8705 §2). It is read from the connection and
 * never from a header, which anybody can send (RFC 9700 §4.13).
 */
export function peerCertificate(socket: Socket): ClientCertificate | undefined {
  if (!isSecure(socket)) return undefined;
  const found = known.get(socket) ?? read(socket);
  if (found !== undefined) known.set(socket, found);
  return found;
}

/** Not `instanceof`, because that would load TLS on plain HTTP. */
function isSecure(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true;
}

function read(socket: TLSSocket): ClientCertificate | undefined {
  // it returns undefined for a connection without a certificate, although its type does not say so
  const certificate: X509Certificate | undefined = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  const thumbprint = Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
  return { der: certificate.raw.toString('base64'), thumbprint, isTrusted: socket.authorized };
}
