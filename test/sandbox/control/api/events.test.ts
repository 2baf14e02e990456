import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../src/index.ts';
import { observes } from '../../../observed.ts';
import { controlled } from './support.ts';

async function token(sandbox: Sandbox, secret = 'sensor-secret'): Promise<void> {
  await fetch(`${sandbox.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`sensor:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
}
const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);

describe('GET /_sandbox/events', () => {
  it('lists by type and query, oldest first, and includes messages on the wire only on request', async () => {
    observes('operation listEvents');
    const { call, sandbox } = await controlled();
    await token(sandbox);
    await token(sandbox, 'wrong');
    const all = (await call('GET /events')).body;
    expect(all.events[0].id).toBeLessThan(all.events.at(-1).id);
    expect(all.complete).toBe(true);
    expect(all.last_id).toBeGreaterThanOrEqual(all.events.at(-1).id);
    expect(JSON.stringify(all)).not.toContain('"exchange"');
    const of = async (query: string) => (await call(`GET /events?${query}`)).body.events;
    expect(typesOf(await of('type=token.issued,error.returned'))).toEqual(['token.issued', 'error.returned']);
    expect(typesOf(await of('q=code:invalid_client'))).toEqual(['error.returned']);
    expect(await of('q=client:sensor+type:token.issued+claim.client_id:sensor')).toHaveLength(1);
    expect(await of('q=member.grant_type:client_credentials+-type:token.requested')).toHaveLength(1);
    expect(await of('q=endpoint:token+status:4xx+type:request.completed')).toHaveLength(1);
    expect(typesOf(await of('q=grant:client_credentials'))).toContain('token.requested');
    expect(typesOf(await of('q=header.content-type:urlencoded'))).toEqual(['request.completed', 'request.completed']);
    expect(typesOf(await of('q=body:invalid_client'))).toEqual(['request.completed']);
    expect(await of(`q=header.authorization:${btoa('sensor:wrong').slice(0, 8)}`)).toEqual([]);
    const [completed] = await of('type=request.completed&exchange=true&limit=1');
    expect(completed.exchange.responseBody.text).toContain('invalid_client');
    expect(completed.exchange.requestHeaders).toContainEqual(['authorization', `Basic ${btoa('sensor:wrong')}`]);
  });

  it('pages from an event on, and says when some are forgotten', async () => {
    const { call, sandbox } = await controlled({ historySize: 100 });
    await token(sandbox);
    const first = (await call('GET /events?after=0&limit=2')).body;
    expect(first.events).toHaveLength(2);
    expect(first.last_id).toBe(first.events[1].id);
    const next = (await call(`GET /events?after=${first.last_id}`)).body;
    expect(next.events[0].id).toBeGreaterThan(first.last_id);
    await sandbox.reset('history');
    expect((await call('GET /events?after=0')).body).toMatchObject({ complete: false });
  });

  it('is not filled by those who read it', async () => {
    const { call } = await controlled();
    await call('GET /events');
    await call('GET /clients');
    expect(typesOf((await call('GET /events')).body.events)).not.toContain('request.completed');
    expect(typesOf((await call('GET /events?type=page.served')).body.events)).toContain('page.served');
  });

  it('refuses a query that is not understood, all of it at once', async () => {
    const { call } = await controlled();
    const { status, body } = await call('GET /events?q=clint:frontend&limit=0&aftr=3&limit=4');
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ member: 'limit', sent: '2 values', expected: 'one' }]);
    const { body: next } = await call('GET /events?limit=0&aftr=3');
    expect(next.errors).toMatchObject([
      { member: 'aftr', nearest: 'after' },
      { member: 'limit', sent: '"0"' },
    ]);
    const { body: last } = await call('GET /events?q=clint:frontend');
    expect(last.errors).toMatchObject([{ member: 'q', expected: expect.stringContaining('Did you mean `client:`?') }]);
  });
});

describe('GET /_sandbox/events/wait', () => {
  it('answers with one that is there, or comes', async () => {
    observes('operation waitForEvent');
    const { call, sandbox } = await controlled();
    await token(sandbox);
    const there = await call('GET /events/wait?type=token.issued');
    expect(there).toMatchObject({ status: 200, body: { event: { type: 'token.issued', client_id: 'sensor' } } });
    const waiting = call(`GET /events/wait?type=token.issued&after=${there.body.last_id}&timeout=20`);
    await token(sandbox);
    const come = await waiting;
    expect(come.body.event.id).toBeGreaterThan(there.body.event.id);
    expect(come.body.last_id).toBe(come.body.event.id);
  });

  it('answers 204 when none comes in time, and refuses more than a minute', async () => {
    const { call } = await controlled();
    expect((await call('GET /events/wait?type=token.issued&timeout=0')).status).toBe(204);
    expect((await call('GET /events/wait?timeout=61')).body.errors).toMatchObject([
      { member: 'timeout', sent: '"61"' },
    ]);
  });

  it('ends when its caller leaves', async () => {
    const { call, sandbox } = await controlled();
    await call('GET /keys');
    const left = new AbortController();
    const gone = fetch(`${sandbox.url}/_sandbox/events/wait?type=key.rotated`, { signal: left.signal }).catch(
      () => 'left',
    );
    await new Promise(resolve => setTimeout(resolve, 100));
    left.abort();
    expect(await gone).toBe('left');
    await sandbox.events.waitFor(
      'page.served',
      ({ path, status }) => path === '/_sandbox/events/wait' && status === 499,
    );
  });

  it('ends when the sandbox is stopping', async () => {
    const { call, sandbox } = await controlled();
    await call('GET /keys');
    const waiting = call('GET /events/wait?type=key.rotated&timeout=60');
    await new Promise(resolve => setTimeout(resolve, 100));
    await sandbox.stop();
    expect((await waiting).status).toBe(503); // at the end of its own time it would be told that nothing came
  });

  it('holds so many callers and no more', async () => {
    const { call, sandbox } = await controlled();
    const left = new AbortController();
    const wait = `${sandbox.url}/_sandbox/events/wait?type=key.rotated&timeout=60`;
    let refused = 0;
    const waits = Array.from({ length: 110 }, async () => {
      const answer = await fetch(wait, { signal: left.signal }).catch(() => undefined);
      if (answer?.status === 503) refused++;
    });
    // no other caller may ask meanwhile, because it would take a place, too
    await expect.poll(() => refused).toBe(10);
    expect((await call('GET /events/wait?type=key.rotated&timeout=0')).status).toBe(503);
    left.abort();
    await Promise.all(waits);
    await expect.poll(async () => (await call('GET /events/wait?type=key.rotated&timeout=0')).status).toBe(204);
  });
});

describe('GET /_sandbox/events/stream', () => {
  async function reader(url: string, headers: Record<string, string> = {}) {
    const response = await fetch(url, { headers });
    const body = response.body?.getReader();
    let text = '';
    return {
      response,
      /** Reads on until this is in it. */
      async until(wanted: string | RegExp): Promise<string> {
        while (!(typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text))) {
          const chunk = await body?.read();
          if (chunk === undefined || chunk.done) return `${text} (ended)`;
          text += new TextDecoder().decode(chunk.value);
        }
        return text;
      },
      close: () => body?.cancel(),
    };
  }

  it('streams events with ids, and resumes after the last one that was read', async () => {
    observes('operation streamEvents');
    const { sandbox } = await controlled();
    const at = `${sandbox.url}/_sandbox/events/stream?type=token.issued`;
    const first = await reader(at);
    expect(first.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await first.until('retry');
    await token(sandbox);
    const text = await first.until('"client_id":"sensor"');
    const id = /^id: (\S+)$/m.exec(text)?.[1] ?? '';
    expect(id).toMatch(/:\d+$/);
    expect(text).toMatch(/^event: token.issued$/m);
    await first.close();
    await token(sandbox);
    const second = await reader(at, { 'last-event-id': id });
    expect(await second.until(/id: \S+\n/)).not.toMatch(new RegExp(`id: ${id}\n|event: start`));
    await second.close();
  });

  it('says that some were forgotten, and ends when the sandbox is stopping', async () => {
    const { sandbox } = await controlled();
    await token(sandbox);
    await sandbox.reset('history');
    const stream = await reader(`${sandbox.url}/_sandbox/events/stream?after=1`);
    expect(await stream.until('sandbox.reset')).toContain('event: gap');
    await sandbox.stop();
    expect(await stream.until('never')).toContain('(ended)');
  });
});
