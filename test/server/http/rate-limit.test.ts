import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { OAuthError } from '../../../src/protocol/errors.ts';
import type { Adapter } from '../../../src/server/http/adapter.ts';
import { asJson } from '../../../src/server/http/error-replies.ts';
import { type CallCounts, createCallCounts, createRateLimit } from '../../../src/server/http/rate-limit.ts';
import { contextOf, setContext } from '../../../src/server/http/request-context.ts';

/** Writes an error with the name of its form, as the adapter writes it in that form. */
const adapter: Pick<Adapter, 'answering'> = {
  answering: (form, work) => (req, res) =>
    void work(req, contextOf(req)).catch((error: unknown) => {
      const { status, code } = error instanceof OAuthError ? error : { status: 500, code: String(error) };
      res.writeHead(status).end(`${form.name} ${code}`);
    }),
};

/** Sends one request after the other to an endpoint that allows two a minute. */
async function answers(requests: number, counts?: CallCounts): Promise<string[]> {
  const app = express();
  app.use((req, _res, next) => {
    setContext(req, { id: 'req_1', emit: () => {}, endpoint: 'test' });
    next();
  });
  app.get('/', createRateLimit({ name: 'test', limit: 2, adapter, form: asJson, counts }), (_req, res) => {
    res.end('let in');
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const told: string[] = [];
  for (let sent = 0; sent < requests; sent++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    told.push(`${answer.status} ${await answer.text()}`);
  }
  return told;
}

it('lets in as many requests as the limit says', async () => {
  expect(await answers(3)).toEqual(['200 let in', '200 let in', '429 json temporarily_unavailable']);
});

it('counts where it is told to, by the name of the limit', async () => {
  const named: unknown[] = [];
  const counts: CallCounts = (...made) => {
    named.push(made);
    return createCallCounts(60_000);
  };
  expect(await answers(3, counts)).toContain('429 json temporarily_unavailable');
  expect(named).toEqual([['test', 60_000]]);
});

it('lets nobody in while the counts are away, and says so in the form of the endpoint', async () => {
  const away = new OAuthError('temporarily_unavailable', 'store_unavailable', 'the store is away', { status: 503 });
  const counts: CallCounts = () => ({ ...createCallCounts(60_000), increment: () => Promise.reject(away) });
  expect(await answers(1, counts)).toEqual(['503 json temporarily_unavailable']);
});
