import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A page of an app: text is answered with 200, headers with a redirect. */
export type ServedPage = (asked: {
  readonly cookie: string;
  readonly form: URLSearchParams;
}) => Promise<OutgoingHttpHeaders | string>;

/** Serves the pages of an app. Returns its address. */
export async function served(pages: Readonly<Record<string, ServedPage>>): Promise<string> {
  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '', 'http://app');
    const form = new URLSearchParams([...url.searchParams, ...new URLSearchParams(await text(req))]);
    const answer = (await pages[url.pathname]?.({ cookie: req.headers.cookie ?? '', form })) ?? 'not found';
    if (typeof answer === 'string') res.end(answer);
    else res.writeHead(302, answer).end();
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
