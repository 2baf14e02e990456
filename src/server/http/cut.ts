import type { ServerResponse } from 'node:http';
import { isRecord } from '../../base/text/record.ts';
import type { Fate } from '../faults/fault.ts';
import { otherCase } from '../faults/other-case.ts';
import { contextOf } from './request-context.ts';

/** Damages an answer when it is sent: drops the connection before it, cuts it in half, or changes its headers. */
export function cut(res: ServerResponse, fate: Fate): void {
  if (fate === 'no_cors') withHeaders(res, withoutCors);
  else if (fate === 'challenge_case') withHeaders(res, challengeInOtherCase);
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

function withoutCors(res: ServerResponse, own: unknown): unknown {
  for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name);
  return own;
}

const challengeName = 'WWW-Authenticate';

/** An endpoint has a list of names and values, which the record has, too; the sample backend has an object. */
function challengeInOtherCase(_: ServerResponse, own: unknown): unknown {
  const changed = (challenge: unknown) => String(challenge).replace(/^\w+/, otherCase);
  const at = Array.isArray(own) ? own.indexOf(challengeName) + 1 : 0;
  if (Array.isArray(own) && at > 0) own[at] = changed(own[at]);
  return isRecord(own) && challengeName in own ? { ...own, [challengeName]: changed(own[challengeName]) } : own;
}

function withHeaders(res: ServerResponse, change: (res: ServerResponse, own: unknown) => unknown): void {
  const writeHead = res.writeHead as (...all: unknown[]) => ServerResponse;
  res.writeHead = ((...[status, own, ...more]: unknown[]) =>
    writeHead.apply(res, [status, change(res, own), ...more])) as typeof res.writeHead;
}
