// The least an HTTP server on Node can do, with a body of the size of a JWKS.
import { createServer } from 'node:http';

const body = Buffer.from(JSON.stringify({ bare: 'x'.repeat(420) }));
const headers = { 'content-type': 'application/json', 'content-length': body.length };

createServer((_request, response) => response.writeHead(200, headers).end(body)).listen(
  Number(process.argv[2]),
  '127.0.0.1',
);
