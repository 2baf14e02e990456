import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createControlGate } from '../../src/sandbox/control/api/control-gate.ts';
import {
  codeFact,
  createLog,
  type RunningDashboard,
  refreshFact,
  requestFact,
  runDashboard,
  tokenFact,
} from './running-dashboard.ts';

interface Message {
  readonly event: string;
  readonly id: number;
  readonly data: Record<string, unknown>;
}

/** A reader of the stream, as a browser is one. */
async function listen(dashboard: RunningDashboard, query = '', headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${dashboard.url}/dashboard/api/v1/events${query}`, { headers, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (enough: (text: string) => boolean) => {
    while (!enough(text)) {
      const next = await reader?.read();
      if (next === undefined || next.done) break;
      text += next.value;
    }
    return text;
  };
  return {
    response,
    until,
    messages: async (count: number): Promise<Message[]> => happened(await until(all => happened(all).length >= count)),
    counts: async (): Promise<Message | undefined> => parse(await until(all => parse(all).some(isCount))).find(isCount),
    ended: () => until(() => false),
    leave: () => abort.abort(),
  };
}

/** Resolves when somebody listens to the log. */
function onceSubscribed({ events }: RunningDashboard): Promise<void> {
  const { subscribe } = events;
  return new Promise(resolve => {
    Object.assign(events, {
      subscribe: (listener: Parameters<typeof subscribe>[0]) => {
        resolve();
        return subscribe(listener);
      },
    });
  });
}

const isCount = ({ event }: Message) => event === 'counts';

/** What happened, without the counts that are told after it. */
function happened(text: string): Message[] {
  return parse(text).filter(message => !isCount(message));
}

function parse(text: string): Message[] {
  const frames = text.split('\n\n').slice(0, -1);
  return frames.flatMap(frame => {
    const match = /^event: (.+)\nid: (\d+)\ndata: (.+)$/.exec(frame);
    return match === null ? [] : [{ event: match[1] ?? '', id: Number(match[2]), data: JSON.parse(match[3] ?? '') }];
  });
}

describe('a sign-out', () => {
  const token = 'open-sesame';
  const script = { authorization: `Bearer ${token}` };
  const gate = createControlGate({ token, issuer: 'http://localhost:9000' });

  /** The Cookie header of a browser in which somebody typed the token. */
  async function browser() {
    const set = await gate.signIn({ socket: {}, headers: {} } as Parameters<typeof gate.signIn>[0], token);
    return { cookie: set.split(';', 1)[0] ?? '' };
  }
  const signOut = ({ url }: RunningDashboard, headers: Record<string, string> = {}) =>
    fetch(`${url}/dashboard/sign-out`, { method: 'POST', headers: { origin: url, ...headers }, redirect: 'manual' });

  it('ends the streams of browsers, and none of a script', async () => {
    await using dashboard = await runDashboard({ gate });
    const followed = await listen(dashboard, '', await browser());
    const scripted = await listen(dashboard, '', script);
    await signOut(dashboard, await browser());
    expect(await followed.ended()).toContain('event: start');
    expect((await listen(dashboard)).response.status).toBe(401);
    dashboard.append(codeFact('tok_1'));
    expect(await scripted.messages(1)).toMatchObject([{ event: 'token' }]);
    scripted.leave();
  });

  it('ends a wait of a browser', async () => {
    await using dashboard = await runDashboard({ gate });
    const subscribed = onceSubscribed(dashboard);
    const waiting = dashboard.get('/dashboard/api/v1/events?wait=token&timeout=60', await browser());
    await subscribed;
    await signOut(dashboard, await browser());
    expect((await waiting).status).toBe(503);
  });

  it('ends nothing where nobody is signed in', async () => {
    await using dashboard = await runDashboard({ gate });
    const followed = await listen(dashboard, '', await browser());
    await signOut(dashboard);
    dashboard.append(codeFact('tok_1'));
    expect(await followed.messages(1)).toMatchObject([{ event: 'token' }]);
    followed.leave();
  });
});

describe('the live stream', () => {
  it('tells what happens as it happens, with no more than the pages need', async () => {
    await using dashboard = await runDashboard();
    const stream = await listen(dashboard);
    expect(stream.response.headers.get('content-type')).toMatch('text/event-stream');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    expect(await stream.until(text => text.includes('\n\n'))).toContain('retry: 1000');
    dashboard.append(codeFact('tok_c'));
    dashboard.append(refreshFact('tok_r', { parentTokenId: 'tok_c' }));
    dashboard.append(refreshFact('tok_r2', { parentTokenId: 'tok_r' }));
    dashboard.append({
      type: 'token.revoked',
      authorizationId: 'auth-1',
      client_id: 'frontend',
      reason: 'code_replayed',
    });
    const messages = await stream.messages(4);
    expect(messages).toMatchObject([
      { event: 'token', id: 1, data: { id: 'tok_c', type: 'code', user: 'alice', client: 'frontend' } },
      { event: 'token', id: 2, data: { id: 'tok_r', ended: 'tok_c', as: 'used' } },
      { event: 'token', id: 3, data: { id: 'tok_r2', ended: 'tok_r', as: 'replaced' } },
      { event: 'revoked', id: 4, data: { ids: ['tok_r', 'tok_r2'] } },
    ]);
    expect(JSON.stringify(messages)).not.toContain('raw-');
    stream.leave();
  });

  it('names its start before all else, on each connection, and another in each sandbox', async () => {
    await using dashboard = await runDashboard();
    await using next = await runDashboard();
    dashboard.append(tokenFact('tok_1'));
    const starts: string[] = [];
    for (const [sandbox, query] of [
      [dashboard, ''],
      [dashboard, '?after=0'],
      [next, '?after=1'],
    ] as const) {
      const stream = await listen(sandbox, query);
      const text = await stream.until(all => all.split('\n\n').length > 3);
      starts.push(/^retry: 1000\n\nevent: start\ndata: {"start":"([^"]+)"}\n\n/.exec(text)?.[1] ?? text);
      stream.leave();
    }
    expect(starts).toEqual([dashboard.events.start, dashboard.events.start, next.events.start]);
    expect(new Set(starts).size).toBe(2);
  });

  it('does not tell of the dashboard itself', async () => {
    await using dashboard = await runDashboard();
    const stream = await listen(dashboard);
    const served = { method: 'GET', path: '/', status: 200, milliseconds: 1 } as const;
    dashboard.append({ type: 'page.served', ...served, endpoint: 'dashboard' });
    dashboard.append(requestFact({ ...served, endpoint: 'jwks' }));
    expect(await stream.messages(1)).toMatchObject([{ event: 'request', data: { endpoint: 'jwks', status: 200 } }]);
    stream.leave();
  });

  it.each([
    ['Last-Event-ID', '', { 'last-event-id': '1' }],
    ['after', '?after=1', {}],
  ])('resumes by %s, and nothing comes twice', async (_, query, headers) => {
    await using dashboard = await runDashboard();
    for (const id of ['tok_1', 'tok_2', 'tok_3']) dashboard.append(tokenFact(id));
    const stream = await listen(dashboard, query, headers);
    dashboard.append(tokenFact('tok_4'));
    expect((await stream.messages(3)).map(({ data }) => data.id)).toEqual(['tok_2', 'tok_3', 'tok_4']);
    stream.leave();
  });

  it('tells a second reader nothing twice that the first is still waiting for', async () => {
    await using dashboard = await runDashboard();
    const first = await listen(dashboard, '?after=0');
    dashboard.append(tokenFact('tok_1'));
    const second = await listen(dashboard, '?after=0');
    dashboard.append(tokenFact('tok_2'));
    for (const stream of [first, second]) {
      expect((await stream.messages(2)).map(({ id }) => id)).toEqual([1, 2]);
      stream.leave();
    }
  });

  it.each([
    ['the gap is gone from the history', 3, '1'],
    ['the id is one of another start', 100, '4711'],
  ])('says resync when %s', async (_, capacity, last) => {
    await using dashboard = await runDashboard({ events: createLog(capacity) });
    for (let n = 0; n < 10; n++) dashboard.append(tokenFact(`tok_${n}`));
    const stream = await listen(dashboard, '', { 'last-event-id': last });
    expect(await stream.messages(1)).toEqual([{ event: 'resync', id: 10, data: {} }]);
    stream.leave();
  });

  it('tells after each batch how many there are now, with the id of the newest event', async () => {
    await using dashboard = await runDashboard();
    const stream = await listen(dashboard);
    dashboard.append(codeFact('tok_c'));
    dashboard.append(requestFact());
    expect(await stream.counts()).toMatchObject({ id: 2, data: { tokens: 1, requests: 1 } });
    stream.leave();
  });

  it('says resync instead of a flood', async () => {
    await using dashboard = await runDashboard();
    const stream = await listen(dashboard, '?after=0');
    for (let n = 0; n < 900; n++) dashboard.append(tokenFact(`tok_${n}`, { authorizationId: `a${n}` }));
    expect((await stream.messages(1)).map(({ event, id }) => [event, id])).toEqual([['resync', 900]]);
    stream.leave();
  });

  it('starts from now for a browser that sends no position', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(tokenFact('tok_1'));
    const stream = await listen(dashboard, '?after=nonsense');
    dashboard.append(tokenFact('tok_2'));
    expect((await stream.messages(1)).map(({ data }) => data.id)).toEqual(['tok_2']);
    stream.leave();
  });

  it('waits for a reader that is slow, and tells it to read all again where something happened meanwhile', async () => {
    await using dashboard = await runDashboard();
    const { hostname, port } = new URL(dashboard.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    socket.write(`GET /dashboard/api/v1/events HTTP/1.0\r\nHost: ${hostname}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    const quick = await listen(dashboard);
    const sub = 'x'.repeat(20_000);
    for (let n = 0; n < 400; n++) dashboard.append(tokenFact(`tok_${n}`, { sub }));
    await quick.until(text => text.includes('tok_399'));
    dashboard.append(tokenFact('tok_late'));
    await quick.until(text => text.includes('tok_late'));
    let text = '';
    for await (const chunk of socket) {
      text += chunk;
      if (String(chunk).includes('event: resync')) break;
    }
    expect(text).toContain('tok_399');
    expect(text).not.toContain('tok_late');
    expect(text).toMatch(/event: resync\nid: 401\n/);
    quick.leave();
  });

  it('tells of a reset', async () => {
    await using dashboard = await runDashboard();
    const stream = await listen(dashboard);
    dashboard.events.clear();
    dashboard.append({ type: 'sandbox.reset' });
    expect(await stream.messages(1)).toMatchObject([{ event: 'reset' }]);
    stream.leave();
  });

  it('ends when the sandbox stops, and takes nobody afterwards', async () => {
    await using dashboard = await runDashboard();
    const stream = await listen(dashboard);
    await stream.until(text => text !== '');
    dashboard.close();
    await stream.ended();
    expect((await listen(dashboard)).response.status).toBe(503);
  });

  it('is open to a hundred readers, and no more', async () => {
    await using dashboard = await runDashboard();
    const streams = await Promise.all(Array.from({ length: 100 }, () => listen(dashboard)));
    expect(new Set(streams.map(({ response }) => response.status))).toEqual(new Set([200]));
    const refused = await listen(dashboard);
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([503, '5']);
    streams[0]?.leave();
    await expect.poll(async () => (await listen(dashboard)).response.status).toBe(200);
    for (const stream of streams) stream.leave();
  });

  it.each<Record<string, string>>([{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])(
    'refuses %j',
    async headers => {
      await using dashboard = await runDashboard();
      const { response } = await listen(dashboard, '', headers as Record<string, string>);
      expect(response.status).toBe(403);
    },
  );

  it.each([
    ['one that comes', '', false],
    ['one that was before, with after', '&after=0', true],
  ])('waits for one message: %s', async (_, more, before) => {
    await using dashboard = await runDashboard();
    if (before) dashboard.append(tokenFact('tok_1'));
    const query = `?wait=token&client=frontend&user=alice&timeout=20${more}`;
    const listening = onceSubscribed(dashboard);
    const waiting = dashboard.get(`/dashboard/api/v1/events${query}`);
    if (!before) {
      await listening;
      dashboard.append(tokenFact('tok_0', { client_id: 'sensor' }));
      dashboard.append(requestFact());
      dashboard.append(tokenFact('tok_1'));
    }
    expect(await (await waiting).json()).toMatchObject({ kind: 'token', data: { id: 'tok_1', client: 'frontend' } });
  });

  it('waits for nothing once the sandbox stops', async () => {
    await using dashboard = await runDashboard();
    const listening = onceSubscribed(dashboard);
    const waiting = dashboard.get('/dashboard/api/v1/events?wait=token&timeout=60');
    await listening;
    dashboard.close();
    expect((await waiting).status).toBe(503);
  });

  it('waits no longer than it shall', async () => {
    await using dashboard = await runDashboard();
    const response = await dashboard.get('/dashboard/api/v1/events?wait=token&timeout=0');
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('answers HEAD and is gone', async () => {
    await using dashboard = await runDashboard();
    const response = await fetch(`${dashboard.url}/dashboard/api/v1/events`, { method: 'HEAD' });
    expect(response.status).toBe(200);
  });
});
