import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** What a connection trusts, and shows. */
export interface TlsIdentity {
  /** The CA certificate to trust, PEM. */
  readonly ca: string;
  /** The client's certificate and its key, PEM. */
  readonly cert?: string;
  readonly key?: string;
}

/** What `fetch` is called with here and by client libraries. */
export interface FetchInit {
  readonly method?: string | undefined;
  readonly headers?: ConstructorParameters<typeof Headers>[0] | undefined;
  readonly body?: unknown;
}

export type TlsFetch = (url: string | URL, init?: FetchInit) => Promise<Response>;

/** `fetch` over TLS connections that trust a CA and show a certificate; redirects are left to the caller. */
export function createTlsFetch(identity: TlsIdentity): TlsFetch {
  const agent = new Agent({ ...identity, keepAlive: true });
  return (url, { method = 'GET', headers, body } = {}) => {
    const sent = new Headers(headers);
    if (body instanceof URLSearchParams && !sent.has('content-type')) {
      sent.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
    }
    return new Promise((resolve, reject) => {
      const call = request(url, { method, agent, headers: Object.fromEntries(sent) }, response => {
        toResponse(response).then(resolve, reject);
      });
      call.on('error', reject);
      call.end(body === undefined || body === null ? undefined : String(body));
    });
  };
}

async function toResponse(message: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const headers = new Headers();
  for (let i = 0; i < message.rawHeaders.length; i += 2) {
    headers.append(message.rawHeaders[i] ?? '', message.rawHeaders[i + 1] ?? '');
  }
  const status = message.statusCode ?? 0;
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers });
}
