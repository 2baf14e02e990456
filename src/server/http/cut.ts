import type { ServerResponse } from 'node:http';
import type { Fate } from '../faults/fault.ts';
import { contextOf } from './request-context.ts';

/** Damages an answer when it is sent: drops the connection before it, cuts it in half, or removes its CORS headers. */
export function cut(res: ServerResponse, fate: Fate): void {
  if (fate === 'no_cors') withoutCors(res);
  else if (fate === 'drop') drop(res);
  else truncate(res);
}

function drop(res: ServerResponse): void {
  res.end = (() => {
    const context = contextOf(res.req);
    context.isDropped = true;
    delete context.sent; // nothing was sent
    return res.destroy();
  }) as typeof res.end;
}

/** The overloads of `end` are Node's. The first argument is the body, in the only forms that are used here. */
function truncate(res: ServerResponse): void {
  res.end = ((body: unknown) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    if (!res.headersSent && !res.hasHeader('Content-Length')) res.setHeader('Content-Length', bytes.length + 1);
    const sent = bytes.subarray(0, Math.floor(bytes.length / 2));
    const context = contextOf(res.req);
    context.sent = { ...context.sent, body: sent };
    res.write(sent, () => res.destroy());
    return res;
  }) as typeof res.end;
}

function withoutCors(res: ServerResponse): void {
  const writeHead = res.writeHead;
  res.writeHead = ((...all: unknown[]) => {
    for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name);
    return (writeHead as (...all: unknown[]) => ServerResponse).apply(res, all);
  }) as typeof res.writeHead;
}
