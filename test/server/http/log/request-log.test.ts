import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { EventOf, SandboxEvent } from '../../../../src/base/events/event.ts';
import { createRequestLog } from '../../../../src/server/http/log/request-log.ts';

const explanationOf = (id: string) => `http://localhost:9000/dashboard/problems/${id}`;

function refused(more: Partial<EventOf<'error.returned'>> = {}): EventOf<'error.returned'> {
  const fact = {
    type: 'error.returned',
    endpoint: 'token',
    form: 'json',
    status: 400,
    error: 'invalid_grant',
  } as const;
  const why = { reason: 'pkce_mismatch', description: 'code_verifier does not match', client_id: 'frontend' };
  return { ...fact, ...why, id: 1, at: 0, requestId: 'req_1', ...more };
}

function over(requestId = 'req_1'): EventOf<'request.completed'> {
  const exchange = { url: '/oauth2/token', ip: '', requestHeaders: '', responseHeaders: '' };
  const served = { endpoint: 'token', method: 'POST', path: '/oauth2/token', status: 400, milliseconds: 2 };
  return { type: 'request.completed', ...served, exchange, id: 2, at: 0, requestId };
}

/** What is written for these events, a line each. */
async function lines(level: 'info' | 'debug', ...events: SandboxEvent[]): Promise<{ level: number; msg: string }[]> {
  const destination = new PassThrough();
  const log = createRequestLog({ level, format: 'json', destination });
  for (const event of events) log.event(event, explanationOf);
  await log.close();
  destination.end();
  const written = (await text(destination)).trimEnd();
  return written === '' ? [] : written.split('\n').map(line => JSON.parse(line));
}

describe('a refusal in the log', () => {
  it('is one line with the status, the request, the client, the error and where it is explained', async () => {
    expect(await lines('info', refused(), over())).toMatchObject([
      {
        level: 40,
        msg: `400 POST /oauth2/token frontend invalid_grant: code_verifier does not match -> ${explanationOf('req_1')}`,
        ...{ request_id: 'req_1', status: 400, milliseconds: 2, reason: 'pkce_mismatch' },
      },
    ]);
  });

  it('does without a client where none is known', async () => {
    const { client_id: _, ...nobody } = refused();
    expect((await lines('info', nobody, over()))[0]?.msg).toMatch(/^400 POST \/oauth2\/token invalid_grant: /);
  });

  it('is written at the latest when the log ends, if its request never does', async () => {
    expect(await lines('info', refused())).toMatchObject([
      { msg: expect.stringMatching(/^400 frontend invalid_grant: /) },
    ]);
  });

  it('is a line each where one request was refused twice', async () => {
    expect(await lines('info', refused(), refused({ error: 'invalid_request' }), over())).toHaveLength(2);
  });

  it('is only the request where a device asks as it should', async () => {
    const pending = refused({ error: 'authorization_pending', reason: 'authorization_pending' });
    expect(await lines('info', pending, over())).toMatchObject([{ level: 30, msg: 'POST /oauth2/token 400' }]);
    expect(await lines('debug', pending, over())).toMatchObject([
      { level: 20, msg: expect.stringContaining('pending') },
    ]);
  });

  it('belongs to its own request', async () => {
    const messages = (await lines('info', refused(), over('req_2'), over())).map(({ msg }) => msg);
    expect(messages).toEqual(['POST /oauth2/token 400', expect.stringContaining('invalid_grant')]);
  });
});

it('issuers that come and go are a line each', async () => {
  const issuer = 'http://localhost:9000/i/one';
  const stamp = { id: 1, at: 0, requestId: 'sandbox', issuer };
  const events: SandboxEvent[] = [
    { ...stamp, type: 'issuer.created', expiresAt: 60, by: 'api' },
    { ...stamp, type: 'issuer.ended', by: 'dashboard' },
    { ...stamp, type: 'issuer.ended', by: 'lifetime' },
  ];
  expect(await lines('info', ...events)).toMatchObject([
    { level: 30, issuer, by: 'api', msg: `issuer ${issuer} was created by the api` },
    { msg: `issuer ${issuer} was ended by the dashboard` },
    { msg: `issuer ${issuer} ended: its lifetime was over` },
  ]);
});
