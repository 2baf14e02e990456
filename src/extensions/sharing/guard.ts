import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

const firstPage = '/dashboard/flows';

/** The paths of the server of a recorded session. */
const pages = /^\/(?:dashboard(?:[/?]|$)|assets\/|health$)/;

const sentence =
  'this server only shows a recorded session: it issues no tokens, and nothing can be changed. Run npx grantbox reproduce with the file to repeat the session in a sandbox';

/** Lets requests for pages through and refuses all others, so that they never reach an endpoint. */
export function guard(listener: RequestListener): RequestListener {
  return (req, res) => {
    const { url = '', method } = req;
    if (pages.test(url)) return listener(req, res);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && url === '/') res.writeHead(303, { Location: firstPage }).end();
    else refuse(req, res);
  };
}

function refuse({ headers: { accept = '' } }: IncomingMessage, res: ServerResponse): void {
  const isBrowser = /text\/html/i.test(accept);
  const type = isBrowser ? 'text/plain; charset=utf-8' : 'application/json';
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
  const body = isBrowser
    ? `Not answered: ${sentence}. The pages are at ${firstPage}.\n`
    : JSON.stringify({ error: 'read_only_session', error_description: sentence });
  res.writeHead(403, headers).end(body);
}
