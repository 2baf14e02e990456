import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../src/server/http/request-context.ts';
import { createSenderMark } from '../../../src/server/http/request-context.ts';

function requestWith(headers: Readonly<Record<string, string>>) {
  const rawHeaders = Object.entries({ Accept: '*/*', ...headers }).flat();
  const req = { headers: { accept: '*/*', ...headers }, rawHeaders } as unknown as IncomingMessage; // as much as it reads
  const context = { id: 'req_1', endpoint: 'token', emit() {} } as RequestContext;
  return { req, context };
}

describe('the mark of a request that a page of the sandbox sent', () => {
  it('is noted, and its secret is gone from everything that is recorded', () => {
    const mark = createSenderMark();
    const { req, context } = requestWith(mark.headers('playground'));
    mark.take(req, context);
    expect(context.by).toBe('playground');
    expect(req.rawHeaders).toEqual(['Accept', '*/*', 'sandbox-playground', '***']);
    expect(req.headers).toEqual({ accept: '*/*', 'sandbox-playground': '***' });
  });

  it.each(['', 'playground', 'undefined', crypto.randomUUID()])(
    'is not set by the value %j of another sender',
    value => {
      const mark = createSenderMark();
      for (const isUsed of [false, true]) {
        if (isUsed) mark.headers('playground');
        const { req, context } = requestWith({ 'sandbox-playground': value });
        mark.take(req, context);
        expect(context.by).toBeUndefined();
        expect(req.headers['sandbox-playground']).toBe(value);
      }
    },
  );

  it('of another issuer changes nothing', () => {
    const { req, context } = requestWith(createSenderMark().headers('playground'));
    createSenderMark().take(req, context);
    expect(context.by).toBeUndefined();
  });
});
