import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A logout request as it reached a client. */
export interface ReceivedLogout {
  readonly path: string;
  readonly type: string | undefined;
  readonly parameters: URLSearchParams;
}

/** A client's server, which has documents and can be told of a logout; `hang` takes the request and never answers. */
export interface RelyingParty {
  readonly backchannel: string;
  /** Puts a document on the server, in place of the one that was there; its address. */
  publish(path: string, document: string, type?: string): string;
  readonly received: ReceivedLogout[];
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function openRelyingParty(answer: number | 'hang' = 200): Promise<RelyingParty> {
  const received: ReceivedLogout[] = [];
  const documents = new Map<string, { readonly type: string; readonly text: string }>();
  const server = createServer(async (req, res) => {
    const document = documents.get(req.url ?? '');
    if (document !== undefined) return res.writeHead(200, { 'Content-Type': document.type }).end(document.text);
    received.push({
      path: req.url ?? '',
      type: req.headers['content-type'],
      parameters: new URLSearchParams(await text(req)),
    });
    return answer === 'hang' ? res : res.writeHead(answer, { 'Cache-Control': 'no-store' }).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    backchannel: `http://127.0.0.1:${port}/backchannel`,
    received,
    publish(path, text, type = 'application/json') {
      documents.set(path, { type, text });
      return `http://127.0.0.1:${port}${path}`;
    },
    close() {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
