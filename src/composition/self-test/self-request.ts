import type { SelfAnswer, SelfRequest } from '../../dashboard/dashboard.ts';
import { send } from '../../wire/send.ts';

/** Where the machine itself reaches this sandbox, which may listen everywhere. */
export function ownAddress({ host }: { readonly host: string }): string {
  if (host === 'localhost' || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

export interface OwnSocket {
  /** Where this sandbox listens. */
  readonly address: string;
  readonly port: number;
  /** True for HTTPS. */
  readonly isSecure: boolean;
}

/**
 * Sends a request to this very sandbox over HTTP, as a client would (demo login, replay, try-it). Its own socket only, which need
 * not prove who it is.
 */
export async function sendToSelf(
  { address, port, isSecure }: OwnSocket,
  { method, path, headers, body }: SelfRequest,
): Promise<SelfAnswer> {
  const host = address.includes(':') ? `[${address}]` : address;
  const answer = await send(`${isSecure ? 'https' : 'http'}://${host}:${port}`, {
    method,
    path,
    body,
    agent: undefined, // Node's own keeps the connection
    rejectUnauthorized: false,
    // the name says whose request it is: nobody's back end uses another address than it should
    headers: { Host: `localhost:${port}`, 'User-Agent': 'Grantbox', ...headers },
  });
  return {
    status: answer.status,
    headers: answer.headers as SelfAnswer['headers'], // none that came is undefined
    body: answer.text,
    requestId: String(answer.headers['x-request-id'] ?? ''),
  };
}
