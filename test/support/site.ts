import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a browser sent to the site. */
export interface SiteRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SiteAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Somebody else's web site: the application that asks for a login. */
export interface Site {
  /** `http://localhost:<port>`, one site with the sandbox. */
  readonly origin: string;
  /** `http://127.0.0.1:<port>`, the same server as another site. */
  readonly elsewhere: string;
  /** `http://app.test:<port>`, the same server by a name that only the browser of the tests knows. */
  readonly named: string;
  /** In order of arrival, favicons left out. */
  readonly requests: SiteRequest[];
  close(): Promise<void>;
}

const plainPage = { body: '<!doctype html><html lang="en"><title>The application</title><h1>The application</h1>' };

/** Serves on a free port of this machine; without a handler every address is a small page. With a certificate it is `https`. */
export async function openSite(
  handle: (request: SiteRequest) => SiteAnswer = () => plainPage,
  certificate?: { readonly cert: string; readonly key: string },
): Promise<Site> {
  const requests: SiteRequest[] = [];
  const listener: RequestListener = async (req, res) => {
    if (req.url === '/favicon.ico') return res.writeHead(404).end();
    const request = await received(req);
    requests.push(request);
    const { status = 200, headers = {}, body = '' } = handle(request);
    return res.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(body);
  };
  const server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificate === undefined ? 'http' : 'https'}://localhost:${port}`,
    elsewhere: `http://127.0.0.1:${port}`,
    named: `http://app.test:${port}`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

async function received(req: IncomingMessage): Promise<SiteRequest> {
  const url = new URL(req.url ?? '/', `http://${req.headers.host}`);
  return { method: req.method ?? '', url, headers: req.headers, body: await text(req) };
}
