import { send } from '../server/wire/send.ts';
import type { Issuer } from './extension.ts';

/** A request to this sandbox itself. */
export interface SelfRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Shown in the TLS handshake, PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** The answer to a request to this sandbox. */
export interface SelfAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** The request id in the log (`X-Request-Id`). */
  readonly requestId: string;
}

/** The loopback address of this sandbox, if it listens on all addresses; otherwise its host. */
function ownAddress({ host }: { readonly host: string }): string {
  if (host === 'localhost' || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/**
 * Sends a request to this sandbox over HTTP, as a client would (demo login, replay, sample API). The certificate is not verified,
 * because the request goes to its own socket.
 */
export async function sendToSelf(
  { config, sandbox: { port, tls } }: Pick<Issuer, 'config' | 'sandbox'>,
  { method, path, headers, body, certificate }: SelfRequest,
): Promise<SelfAnswer> {
  const address = ownAddress(config);
  const host = address.includes(':') ? `[${address}]` : address;
  const answer = await send(`${tls === undefined ? 'http' : 'https'}://${host}:${port}`, {
    method,
    path,
    body,
    ...certificate,
    agent: undefined, // the default agent keeps the connection open
    rejectUnauthorized: false,
    // the User-Agent marks the request as our own, so that the host diagnosis ignores it
    headers: { Host: `localhost:${port}`, 'User-Agent': 'Grantbox', ...headers },
  });
  return {
    status: answer.status,
    headers: answer.headers as SelfAnswer['headers'], // headers that were received are never undefined
    body: answer.text,
    requestId: String(answer.headers['x-request-id'] ?? ''),
  };
}
