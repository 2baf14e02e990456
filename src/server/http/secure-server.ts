import type { RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type TlsServerOptions, toNodeOptions } from '../tls/tls-options.ts';

/** An HTTPS server; loaded on first use. Plain HTTP requests get an answer that names the mistake. */
export function createSecureServer(options: ServerOptions, tls: TlsServerOptions, listener: RequestListener): Server {
  const server = createServer({ ...options, ...toNodeOptions(tls) }, listener);
  // before Node's own listener, which only closes the connection
  server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_SSL_HTTP_REQUEST') plainSocket(socket)?.write(plainAnswer);
  });
  closeBeforeHandshake(server);
  return server;
}

/** Closes connections during their handshake as well: Node closes only those that have finished it. */
function closeBeforeHandshake(server: Server): void {
  const connections = new Set<Duplex>();
  server.on('connection', socket => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const closeKnown = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeKnown();
    for (const socket of connections) socket.destroy();
  };
}

const sentence = 'This port speaks HTTPS: write https:// instead of http:// in the address.\n';
const plainAnswer = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${sentence.length}`,
  'Connection: close',
  '',
  sentence,
].join('\r\n');

/** The connection under a failed handshake. Node has no public name for it; without it the caller sees a closed connection. */
function plainSocket(socket: object): Socket | undefined {
  const parent = '_parent' in socket ? socket._parent : undefined;
  return parent instanceof Socket && parent.writable ? parent : undefined;
}
