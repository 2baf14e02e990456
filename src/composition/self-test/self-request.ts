import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { SelfAnswer, SelfRequest } from '../../dashboard/dashboard.ts';

/** Where the machine itself reaches this sandbox, which may listen everywhere. */
export function ownAddress({ host }: { readonly host: string }): string {
  if (host === 'localhost' || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

export interface OwnSocket {
  /** Where this sandbox listens. */
  readonly address: string;
  readonly port: number;
  /** Whether it speaks HTTPS. */
  readonly isSecure: boolean;
}

/** Sends a request to this very sandbox over HTTP, as a client would (demo login, replay, try-it). Its own socket only. */
export async function sendToSelf(socket: OwnSocket, sent: SelfRequest): Promise<SelfAnswer> {
  if (!socket.isSecure) return sendBy(request, socket, sent);
  const { requestOverTls } = await import('../secure-request.ts');
  return sendBy(requestOverTls, socket, sent);
}

type Request = (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => ClientRequest;

function sendBy(send: Request, { address, port }: OwnSocket, { method, path, headers, body }: SelfRequest) {
  return new Promise<SelfAnswer>((resolve, reject) => {
    // the name says whose request it is: nobody's back end uses another address than it should
    const all = { Host: `localhost:${port}`, 'User-Agent': 'Grantbox', ...headers };
    const sending = send({ host: address, port, path, method, headers: all }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks).toString())));
      response.on('error', reject);
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: string): SelfAnswer {
  const named = Object.entries(headers).filter((each): each is [string, string | string[]] => each[1] !== undefined);
  return {
    status: statusCode,
    headers: Object.fromEntries(named),
    body,
    requestId: String(headers['x-request-id'] ?? ''),
  };
}
