import { createServer, type IncomingMessage } from 'node:http';

/** A POST request from the server under test. */
export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The website of the test clients: serves their documents and records POST requests to them. Listens on loopback only. */
export type Site = Awaited<ReturnType<typeof createSite>>;

/** Starts the site on a free port. */
export async function createSite() {
  const documents = new Map<string, { readonly type: string; readonly body: string }>();
  const posted = new Map<string, Received>();
  const server = createServer(async (req, res) => {
    const path = req.url ?? '';
    if (req.method === 'POST') posted.set(path, { headers: req.headers, body: await readAll(req) });
    const document = documents.get(path);
    if (document === undefined) return res.writeHead(req.method === 'POST' ? 200 : 404).end();
    return res.writeHead(200, { 'Content-Type': document.type }).end(document.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    /** Without a trailing slash. */
    url,
    /** Serves a document from now on; returns its URL. */
    publish(path: string, type: string, body: string): string {
      documents.set(path, { type, body });
      return url + path;
    },
    /** The last POST request to this path. */
    received: (path: string) => posted.get(path),
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

async function readAll(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
