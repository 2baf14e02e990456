import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { startEngine, type TestEngine } from './engine.ts';

let engine: TestEngine;
let one: Sandbox;
let two: Sandbox;
beforeAll(async () => {
  engine = await startEngine();
  const shared = { issuer: 'http://localhost:9000', storeUrl: engine.url, logLevel: 'silent' } as const;
  [one, two] = [await createSandbox(shared), await createSandbox(shared)];
});
afterAll(async () => {
  for (const each of [one, two]) await each?.stop();
  await engine?.[Symbol.asyncDispose]();
});

interface Told {
  readonly type: string;
  readonly requestId: string;
  readonly path?: string;
  readonly status?: number;
  readonly exchange?: { readonly responseBody?: { readonly text: string } };
}

async function eventsIn({ url }: Sandbox): Promise<readonly Told[]> {
  const { events } = await (await fetch(`${url}/_sandbox/events?limit=1000&exchange=true`)).json();
  return events;
}

async function askForToken({ url }: Sandbox, secret = 'sensor-secret') {
  const answer = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`sensor:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return { id: answer.headers.get('x-request-id') ?? '', status: answer.status, text: await answer.text() };
}

describe('the log of two replicas', () => {
  it('has a request of one in the other as soon as it is answered, as it was answered', async () => {
    for (let count = 0; count < 20; count++) {
      const { id, status, text } = await askForToken(one, count % 2 === 0 ? 'sensor-secret' : 'wrong');
      const told = (await eventsIn(two)).filter(({ requestId }) => requestId === id);
      const completed = told.find(({ type }) => type === 'request.completed');
      expect(completed).toMatchObject({ status, path: '/oauth2/token' });
      expect(told.at(-1)).toBe(completed);
      expect(completed?.exchange?.responseBody?.text).toBe(text);
      expect(status).toBe(count % 2 === 0 ? 200 : 401);
    }
  });

  it('gives requests of each an id of their own', async () => {
    const ids = [await askForToken(one), await askForToken(two)].map(({ id }) => id.slice(0, 8));
    expect(new Set(ids).size).toBe(2);
  });

  it('is what the library waits for and reports', async () => {
    const waiting = one.events.waitFor('token.issued', () => true, 60);
    await askForToken(two);
    await waiting;
    expect((await one.report({ client: 'sensor' })).clients).toHaveLength(1);
  });

  it('explains on the error page of one what happened at the other', async () => {
    const page = await fetch(`${two.url}/oauth2/authorize?client_id=nobody`, { headers: { Accept: 'text/html' } });
    const id = page.headers.get('x-request-id');
    expect(await page.text()).toContain('nobody');
    expect(await (await fetch(`${one.url}/dashboard/problems/${id}`)).text()).toContain('nobody');
  });

  it('is cleared for both by a reset', async () => {
    await askForToken(one);
    await fetch(`${two.url}/_sandbox/reset`, { method: 'POST' });
    const told = await eventsIn(one);
    expect(told.some(({ type }) => type === 'token.issued')).toBe(false);
    expect(told.some(({ type }) => type === 'sandbox.reset')).toBe(true);
  });
});
