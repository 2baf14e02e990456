import { beforeEach, describe, expect, it } from 'vitest';
import type { EventFact, SandboxEvent } from '../../src/events/event.ts';
import { createEventLog, type EventLog } from '../../src/events/event-log.ts';

let time: number;
let log: EventLog;
beforeEach(() => {
  time = 1000.5;
  log = createEventLog({ capacity: 3, now: () => time });
});

const ended = (sub: string): EventFact => ({ type: 'session.ended', sub, sid: `sid-${sub}` });

const token = (tokenId: string, authorizationId = 'auth'): EventFact =>
  ({
    ...{
      type: 'token.issued',
      tokenId,
      token: `raw-${tokenId}`,
      authorizationId,
      client_id: 'frontend',
      iat: 1,
      exp: 2,
    },
    ...{ tokenType: 'access', format: 'jwt', grant_type: 'authorization_code' },
  }) as const;

const code = (tokenId: string, authorizationId = 'auth'): EventFact =>
  ({
    ...{
      type: 'code.issued',
      tokenId,
      token: `raw-${tokenId}`,
      authorizationId,
      client_id: 'frontend',
      iat: 1,
      exp: 2,
    },
    redirect_uri: 'http://localhost/',
  }) as const;

const refused: EventFact = {
  ...{ type: 'error.returned', endpoint: 'api', form: 'challenge', status: 401 },
  ...{ error: 'invalid_token', reason: 'api_token_expired', description: 'the token has expired' },
};

const ids = (events: readonly SandboxEvent[] | undefined) => events?.map(({ id }) => id);

describe('append', () => {
  it('stamps id, time and request', () => {
    const event = log.append(ended('alice'), 'req_1');
    expect(event).toEqual({
      type: 'session.ended',
      sub: 'alice',
      sid: 'sid-alice',
      id: 1,
      at: 1000.5,
      requestId: 'req_1',
    });
  });

  it('counts ids up over all types', () => {
    log.append(ended('a'), 'r');
    log.append(token('t'), 'r');
    expect(log.append(ended('b'), 'r').id).toBe(3);
    expect(log.lastId).toBe(3);
  });
});

describe('the bound', () => {
  it('is per type, so that a flood of one does not push out the others', () => {
    log.append(token('t'), 'r');
    for (let count = 0; count < 100; count++) log.append(ended(`u${count}`), 'r');
    expect(log.latest('token.issued', 10)).toHaveLength(1);
    expect(log.latest('session.ended', 10).map(({ sub }) => sub)).toEqual(['u99', 'u98', 'u97']);
  });

  it('still counts dropped events', () => {
    for (let count = 0; count < 10; count++) log.append(ended('a'), 'r');
    expect(log.count('session.ended')).toBe(10);
    expect(log.count('token.issued')).toBe(0);
  });

  it('removes dropped events from the indexes', () => {
    for (const name of ['a', 'b', 'c', 'd']) log.append(token(name, `auth-${name}`), `req-${name}`);
    expect(log.issued('a')).toBeUndefined();
    expect(log.ofRequest('req-a')).toEqual([]);
    expect(log.ofAuthorization('auth-a')).toEqual([]);
    expect(log.issued('d')).toMatchObject({ token: 'raw-d' });
    expect(log.ofRequest('req-d')).toHaveLength(1);
    expect(log.ofAuthorization('auth-d')).toHaveLength(1);
  });

  it('drops the oldest only from an index that holds several', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) log.append(token(name), 'req');
    expect(ids(log.ofRequest('req'))).toEqual([3, 4, 5]);
    expect(ids(log.ofAuthorization('auth'))).toEqual([3, 4, 5]);
  });
});

describe('reading', () => {
  it('gives the newest first, so many, and before an id', () => {
    for (const name of ['a', 'b', 'c']) log.append(ended(name), 'r');
    expect(ids(log.latest('session.ended', 2))).toEqual([3, 2]);
    expect(ids(log.latest('session.ended', 2, 2))).toEqual([1]);
    expect(log.latest('session.ended', 0)).toEqual([]);
    expect(log.latest('login.succeeded', 5)).toEqual([]);
  });

  it('merges codes and tokens, newest first', () => {
    for (const fact of [code('c1'), token('t1'), token('t2'), code('c2'), ended('x'), token('t3')])
      log.append(fact, 'r');
    expect(log.latestIssued(10).map(({ tokenId }) => tokenId)).toEqual(['t3', 'c2', 't2', 't1', 'c1']);
    expect(log.latestIssued(2, 4).map(({ tokenId }) => tokenId)).toEqual(['t2', 't1']);
  });

  it('knows everything of a request and of an authorization, oldest first', () => {
    log.append(code('c', 'one'), 'req_1');
    log.append(token('t', 'one'), 'req_2');
    log.append(ended('x'), 'req_2');
    log.append({ type: 'token.revoked', authorizationId: 'one', client_id: 'f', reason: 'code_replayed' }, 'req_3');
    expect(ids(log.ofAuthorization('one'))).toEqual([1, 2, 4]);
    expect(ids(log.ofRequest('req_2'))).toEqual([2, 3]);
    expect(log.ofRequest('__proto__')).toEqual([]);
  });

  it('knows what was done with a token, apart from what grew from its authorization', () => {
    const about = { authorizationId: 'one', client_id: 'f' } as const;
    log.append(token('t', 'one'), 'r');
    log.append({ type: 'token.used', endpoint: 'api', tokenId: 't', ...about }, 'r');
    log.append({ type: 'token.introspected', client_id: 'other', state: 'active', about: 't' }, 'r');
    log.append({ ...refused, about: 't', authorizationId: 'one' }, 'r');
    log.append({ type: 'token.used', endpoint: 'userinfo', tokenId: 'other', ...about }, 'r');
    log.append(refused, 'r');
    expect(ids(log.ofToken('t'))).toEqual([2, 3, 4]);
    expect(ids(log.ofAuthorization('one'))).toEqual([1]);
    expect(log.issued('t')).toMatchObject({ type: 'token.issued' });
    expect(log.issued('other')).toBeUndefined();
  });

  it('forgets the uses of a token one by one, and not the token', () => {
    log.append(token('t', 'one'), 'r');
    const use = { type: 'token.used', endpoint: 'api', tokenId: 't', authorizationId: 'one', client_id: 'f' } as const;
    for (let count = 0; count < 5; count++) log.append(use, 'r');
    expect(ids(log.ofToken('t'))).toEqual([4, 5, 6]);
    expect(log.issued('t')).toMatchObject({ tokenId: 't' });
  });

  it('gives lists that a reader may change', () => {
    log.append(ended('a'), 'req');
    log.ofRequest('req').pop();
    expect(log.ofRequest('req')).toHaveLength(1);
  });
});

describe('since', () => {
  it('returns events after an id in order, over all types', () => {
    for (const fact of [ended('a'), token('t'), ended('b'), code('c')]) log.append(fact, 'r');
    expect(ids(log.since(1))).toEqual([2, 3, 4]);
    expect(ids(log.since(4))).toEqual([]);
    expect(ids(log.since(0))).toEqual([1, 2, 3, 4]);
  });

  it('is undefined when some of it is forgotten: the reader must begin again', () => {
    for (let count = 0; count < 5; count++) log.append(ended('a'), 'r');
    expect(log.since(0)).toBeUndefined();
    expect(log.since(1)).toBeUndefined();
    expect(ids(log.since(2))).toEqual([3, 4, 5]);
  });

  it('is undefined for a reader from before a clear', () => {
    log.append(ended('a'), 'r');
    log.append(ended('b'), 'r');
    log.clear();
    log.append({ type: 'sandbox.reset' }, 'sandbox');
    expect(log.since(1)).toBeUndefined();
    expect(ids(log.since(2))).toEqual([3]);
  });
});

describe('subscribe', () => {
  it('tells each listener of each event from now on', () => {
    const heard: string[] = [];
    log.append(ended('before'), 'r');
    log.subscribe(event => heard.push(`1:${event.id}`));
    log.subscribe(event => heard.push(`2:${event.id}`));
    log.append(ended('after'), 'r');
    expect(heard).toEqual(['1:2', '2:2']);
  });

  it('ends when it is told to', () => {
    const heard: number[] = [];
    const stop = log.subscribe(event => heard.push(event.id));
    log.append(ended('a'), 'r');
    stop();
    stop();
    log.append(ended('b'), 'r');
    expect(heard).toEqual([1]);
  });

  it('may end during its notification', () => {
    const heard: number[] = [];
    const stop = log.subscribe(event => {
      heard.push(event.id);
      stop();
    });
    log.subscribe(event => heard.push(-event.id));
    log.append(ended('a'), 'r');
    log.append(ended('b'), 'r');
    expect(heard).toEqual([1, -1, -2]);
  });
});

describe('waitFor', () => {
  it('gives the first that is kept already', async () => {
    log.append(ended('alice'), 'r');
    log.append(ended('bob'), 'r');
    expect(await log.waitFor('session.ended')).toMatchObject({ sub: 'alice' });
    expect(await log.waitFor('session.ended', ({ sub }) => sub === 'bob')).toMatchObject({ sub: 'bob' });
  });

  it('waits for one to come, of the type, that matches', async () => {
    const waiting = log.waitFor('session.ended', ({ sub }) => sub === 'bob');
    log.append(token('t'), 'r');
    log.append(ended('alice'), 'r');
    log.append(ended('bob'), 'r');
    expect(await waiting).toMatchObject({ sub: 'bob', id: 3 });
  });

  it('gives up after so many seconds, in words', async () => {
    await expect(log.waitFor('login.succeeded', undefined, 0.01)).rejects.toThrow(
      'no login.succeeded that matches within 0.01 s',
    );
  });

  it('rejects when its condition fails, and the event goes on to the others', async () => {
    const heard: number[] = [];
    const waiting = log.waitFor('session.ended', () => {
      throw new TypeError('a mistake in the test');
    });
    log.subscribe(event => heard.push(event.id));
    log.append(ended('a'), 'r');
    await expect(waiting).rejects.toThrow('a mistake in the test');
    expect(heard).toEqual([1]);
  });

  it('continues after a clear', async () => {
    const waiting = log.waitFor('session.ended');
    log.clear();
    log.append(ended('a'), 'r');
    expect(await waiting).toMatchObject({ sub: 'a' });
  });
});

describe('clear', () => {
  it('drops everything and continues to count ids', () => {
    log.append(token('t'), 'req');
    log.clear();
    expect(log.latest('token.issued', 5)).toEqual([]);
    expect(log.ofRequest('req')).toEqual([]);
    expect(log.issued('t')).toBeUndefined();
    expect(log.count('token.issued')).toBe(0);
    expect(log.append(ended('a'), 'r').id).toBe(2);
  });
});

it('knows the real time of an event, whatever the clock of the sandbox shows', () => {
  let real = 1000.25;
  log = createEventLog({ capacity: 3, now: () => time, wall: () => real });
  const before = log.append(ended('a'), 'req_1');
  time += 3600;
  real += 2;
  const after = log.append(ended('b'), 'req_2');
  expect(after.at - before.at).toBe(3600);
  expect(log.wallOf(after) - log.wallOf(before)).toBeLessThan(3);
  expect([log.wallOf(after), log.wall()]).toEqual([1002.25, 1002.25]);
});
