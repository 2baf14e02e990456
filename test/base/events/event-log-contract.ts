import { beforeEach, describe, expect, it } from 'vitest';
import type { ErrorReturned, EventFact, SandboxEvent } from '../../../src/base/events/event.ts';
import type { EventLog, EventLogOptions } from '../../../src/base/events/event-log.ts';

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

const refused: ErrorReturned = {
  ...{ type: 'error.returned', endpoint: 'api', form: 'challenge', status: 401 },
  ...{ error: 'invalid_token', reason: 'api_token_expired', description: 'the token has expired' },
};

const ids = (events: readonly SandboxEvent[] | undefined) => events?.map(({ id }) => id);

/** Makes an empty log. */
export type CreateLog = (options: EventLogOptions) => EventLog | Promise<EventLog>;

/** What every `EventLog` promises. A new implementation calls this in its own test. */
export function describeEventLog(name: string, create: CreateLog): void {
  describe(name, () => {
    let time: number;
    let log: EventLog;
    beforeEach(async () => {
      time = 1000.5;
      log = await create({ capacity: 3, now: () => time });
    });

    describe('append', () => {
      it('stamps id, time and request', async () => {
        const stamped = { type: 'session.ended', sub: 'alice', sid: 'sid-alice', at: 1000.5, requestId: 'req_1' };
        expect(log.append(ended('alice'), 'req_1')).toMatchObject(stamped);
        await log.caughtUp();
        expect(log.keptSince(0)).toEqual([{ id: 1, ...stamped }]);
      });

      it('counts ids up over all types', async () => {
        log.append(ended('a'), 'r');
        log.append(token('t'), 'r');
        log.append(ended('b'), 'r');
        await log.caughtUp();
        expect(ids(log.keptSince(0))).toEqual([1, 2, 3]);
        expect(log.lastId).toBe(3);
      });
    });

    describe('the bound', () => {
      it('is per type, so that a flood of one does not push out the others', async () => {
        log.append(token('t'), 'r');
        for (let count = 0; count < 100; count++) log.append(ended(`u${count}`), 'r');
        await log.caughtUp();
        expect(log.latest('token.issued', 10)).toHaveLength(1);
        expect(log.latest('session.ended', 10).map(({ sub }) => sub)).toEqual(['u99', 'u98', 'u97']);
      });

      it('still counts dropped events', async () => {
        for (let count = 0; count < 10; count++) log.append(ended('a'), 'r');
        await log.caughtUp();
        expect(log.count('session.ended')).toBe(10);
        expect(log.count('token.issued')).toBe(0);
      });

      it('removes dropped events from the indexes', async () => {
        for (const name of ['a', 'b', 'c', 'd']) log.append(token(name, `auth-${name}`), `req-${name}`);
        await log.caughtUp();
        expect(log.issued('a')).toBeUndefined();
        expect(log.ofRequest('req-a')).toEqual([]);
        expect(log.ofAuthorization('auth-a')).toEqual([]);
        expect(log.issued('d')).toMatchObject({ token: 'raw-d' });
        expect(log.ofRequest('req-d')).toHaveLength(1);
        expect(log.ofAuthorization('auth-d')).toHaveLength(1);
      });

      it('drops the oldest only from an index that holds several', async () => {
        for (const name of ['a', 'b', 'c', 'd', 'e']) log.append(token(name), 'req');
        await log.caughtUp();
        expect(ids(log.ofRequest('req'))).toEqual([3, 4, 5]);
        expect(ids(log.ofAuthorization('auth'))).toEqual([3, 4, 5]);
      });
    });

    describe('the bound in bytes', () => {
      beforeEach(async () => {
        log = await create({ capacity: 1000, bytes: 10_000, now: () => time });
      });
      const served = (text: string): EventFact => ({
        ...{ type: 'request.completed', endpoint: 'token', method: 'GET', path: '/', status: 200, milliseconds: 1 },
        exchange: { url: '/', ip: '::1', requestHeaders: '', responseHeaders: text },
      });

      it('drops the oldest of the heaviest type', async () => {
        for (let count = 0; count < 5; count++) log.append(ended(`u${count}`), 'r'); // 400 bytes each
        for (let count = 0; count < 10; count++) log.append(served('x'.repeat(999)), 'r'); // 1400 each
        await log.caughtUp();
        expect(log.kept('session.ended')).toBe(5);
        expect(ids(log.latest('request.completed', 9))).toEqual([15, 14, 13, 12, 11]);
        expect(log.count('request.completed')).toBe(10);
        expect(log.newestForgotten).toBe(10);
      });

      it('does not keep an event that is too large for it', async () => {
        log.append(ended('a'), 'r');
        log.append(served('x'.repeat(20_000)), 'r');
        await log.caughtUp();
        expect(ids(log.keptSince(0))).toEqual([1]);
        log.append(ended('b'), 'r');
        await log.caughtUp();
        expect(ids(log.keptSince(0))).toEqual([1, 3]);
      });
    });

    describe('reading', () => {
      it('gives the newest first, so many, and before an id', async () => {
        for (const name of ['a', 'b', 'c']) log.append(ended(name), 'r');
        await log.caughtUp();
        expect(ids(log.latest('session.ended', 2))).toEqual([3, 2]);
        expect(ids(log.latest('session.ended', 2, 2))).toEqual([1]);
        expect(log.latest('session.ended', 0)).toEqual([]);
        expect(log.latest('login.succeeded', 5)).toEqual([]);
      });

      it('merges codes and tokens, newest first', async () => {
        for (const fact of [code('c1'), token('t1'), token('t2'), code('c2'), ended('x'), token('t3')])
          log.append(fact, 'r');
        await log.caughtUp();
        expect(log.latestIssued(10).map(({ tokenId }) => tokenId)).toEqual(['t3', 'c2', 't2', 't1', 'c1']);
        expect(log.latestIssued(2, 4).map(({ tokenId }) => tokenId)).toEqual(['t2', 't1']);
      });

      it('knows everything of a request and of an authorization, oldest first', async () => {
        log.append(code('c', 'one'), 'req_1');
        log.append(token('t', 'one'), 'req_2');
        log.append(ended('x'), 'req_2');
        log.append({ type: 'token.revoked', authorizationId: 'one', client_id: 'f', reason: 'code_replayed' }, 'req_3');
        await log.caughtUp();
        expect(ids(log.ofAuthorization('one'))).toEqual([1, 2, 4]);
        expect(ids(log.ofRequest('req_2'))).toEqual([2, 3]);
        expect(log.ofRequest('__proto__')).toEqual([]);
      });

      it('knows what was done with a token, apart from what grew from its authorization', async () => {
        const about = { authorizationId: 'one', client_id: 'f' } as const;
        log.append(token('t', 'one'), 'r');
        log.append({ type: 'token.used', endpoint: 'api', tokenId: 't', ...about }, 'r');
        log.append({ type: 'token.introspected', client_id: 'other', state: 'active', about: 't' }, 'r');
        log.append({ ...refused, about: 't', authorizationId: 'one' }, 'r');
        log.append({ type: 'token.used', endpoint: 'userinfo', tokenId: 'other', ...about }, 'r');
        log.append(refused, 'r');
        await log.caughtUp();
        expect(ids(log.ofToken('t'))).toEqual([2, 3, 4]);
        expect(ids(log.ofAuthorization('one'))).toEqual([1]);
        expect(log.issued('t')).toMatchObject({ type: 'token.issued' });
        expect(log.issued('other')).toBeUndefined();
      });

      it('finds a code or token by its value and by the JWT inside, as long as it keeps it', async () => {
        log.append(code('c'), 'r');
        log.append({ ...token('t'), signed: 'inside-t' } as EventFact, 'r');
        await log.caughtUp();
        expect(log.issuedAs('raw-c')).toMatchObject({ tokenId: 'c' });
        expect(log.issuedAs('raw-t')).toMatchObject({ tokenId: 't' });
        expect(log.issuedAs('inside-t')).toMatchObject({ tokenId: 't' });
        expect(log.issuedAs('t')).toBeUndefined();
        // the same value again, as that of a refresh token that is not rotated
        log.append({ ...token('again'), token: 'raw-t' } as EventFact, 'r');
        for (const name of ['u', 'v']) log.append(token(name), 'r');
        await log.caughtUp();
        expect(log.issuedAs('raw-t')).toMatchObject({ tokenId: 'again' });
        expect(log.issuedAs('inside-t')).toBeUndefined();
        log.append(token('w'), 'r');
        await log.caughtUp();
        expect(log.issuedAs('raw-t')).toBeUndefined();
        expect(log.issuedAs('raw-c')).toMatchObject({ tokenId: 'c' });
      });

      it('tells whether it still has an event', async () => {
        for (const name of ['a', 'b', 'c', 'd']) log.append(ended(name), 'r');
        log.append(ended('e'), 'other');
        await log.caughtUp();
        const kept = log.latest('session.ended', 10);
        expect(kept.map(each => log.isKept(each))).toEqual([true, true, true]);
        log.append(ended('f'), 'r');
        await log.caughtUp();
        expect(kept.map(each => log.isKept(each))).toEqual([true, true, false]);
      });

      it('forgets the uses of a token one by one, and not the token', async () => {
        log.append(token('t', 'one'), 'r');
        const use = {
          type: 'token.used',
          endpoint: 'api',
          tokenId: 't',
          authorizationId: 'one',
          client_id: 'f',
        } as const;
        for (let count = 0; count < 5; count++) log.append(use, 'r');
        await log.caughtUp();
        expect(ids(log.ofToken('t'))).toEqual([4, 5, 6]);
        expect(log.issued('t')).toMatchObject({ tokenId: 't' });
      });

      it('gives lists that a reader may change', async () => {
        log.append(ended('a'), 'req');
        await log.caughtUp();
        log.ofRequest('req').pop();
        expect(log.ofRequest('req')).toHaveLength(1);
      });
    });

    describe('since', () => {
      it('returns events after an id in order, over all types', async () => {
        for (const fact of [ended('a'), token('t'), ended('b'), code('c')]) log.append(fact, 'r');
        await log.caughtUp();
        expect(ids(log.since(1))).toEqual([2, 3, 4]);
        expect(ids(log.since(4))).toEqual([]);
        expect(ids(log.since(0))).toEqual([1, 2, 3, 4]);
        expect(ids(log.keptSince(1, ['code.issued', 'token.issued']))).toEqual([2, 4]);
      });

      it('is undefined when some of it is forgotten: the reader must begin again', async () => {
        for (let count = 0; count < 5; count++) log.append(ended('a'), 'r');
        await log.caughtUp();
        expect(log.since(0)).toBeUndefined();
        expect(log.since(1)).toBeUndefined();
        expect(ids(log.since(2))).toEqual([3, 4, 5]);
      });

      it('is undefined for a reader from before a clear', async () => {
        log.append(ended('a'), 'r');
        log.append(ended('b'), 'r');
        log.clear();
        log.append({ type: 'sandbox.reset' }, 'sandbox');
        await log.caughtUp();
        expect(log.since(1)).toBeUndefined();
        expect(ids(log.since(2))).toEqual([3]);
      });
    });

    describe('subscribe', () => {
      it('tells each listener of each event from now on', async () => {
        const heard: string[] = [];
        log.append(ended('before'), 'r');
        await log.caughtUp();
        log.subscribe(event => heard.push(`1:${event.id}`));
        log.subscribe(event => heard.push(`2:${event.id}`));
        log.append(ended('after'), 'r');
        await log.caughtUp();
        expect(heard).toEqual(['1:2', '2:2']);
      });

      it('ends when it is told to', async () => {
        const heard: number[] = [];
        const stop = log.subscribe(event => heard.push(event.id));
        log.append(ended('a'), 'r');
        await log.caughtUp();
        stop();
        stop();
        log.append(ended('b'), 'r');
        await log.caughtUp();
        expect(heard).toEqual([1]);
      });

      it('may end during its notification', async () => {
        const heard: number[] = [];
        const stop = log.subscribe(event => {
          heard.push(event.id);
          stop();
        });
        log.subscribe(event => heard.push(-event.id));
        log.append(ended('a'), 'r');
        log.append(ended('b'), 'r');
        await log.caughtUp();
        expect(heard).toEqual([1, -1, -2]);
      });
    });

    it('tells those who hear this process at once, and those who overhear at the latest when it is read', async () => {
      const [own, overheard]: [string[], number[]] = [[], []];
      const stops = [log.hearOwn(({ requestId }) => own.push(requestId)), log.overhear(({ id }) => overheard.push(id))];
      log.append(ended('a'), 'req_1');
      expect(own).toEqual(['req_1']);
      await log.caughtUp();
      expect(overheard).toEqual([1]);
      for (const stop of stops) stop();
      log.append(ended('b'), 'req_2');
      await log.caughtUp();
      expect([own, overheard]).toEqual([['req_1'], [1]]);
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
        await log.caughtUp();
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
      it('drops everything and continues to count ids', async () => {
        log.append(token('t'), 'req');
        log.clear();
        await log.caughtUp();
        expect(log.latest('token.issued', 5)).toEqual([]);
        expect(log.ofRequest('req')).toEqual([]);
        expect(log.issued('t')).toBeUndefined();
        expect(log.count('token.issued')).toBe(0);
        log.append(ended('a'), 'r');
        await log.caughtUp();
        expect(ids(log.keptSince(0))).toEqual([2]);
      });
    });

    it('knows the real time of an event, whatever the clock of the sandbox shows', async () => {
      let real = 1000.25;
      log = await create({ capacity: 3, now: () => time, wall: () => real });
      log.append(ended('a'), 'req_1');
      time += 3600;
      real += 2;
      log.append(ended('b'), 'req_2');
      await log.caughtUp();
      const [after, before] = log.latest('session.ended', 2);
      if (after === undefined || before === undefined) throw new Error('two events were appended');
      expect(after.at - before.at).toBe(3600);
      expect(log.wallOf(after) - log.wallOf(before)).toBeLessThan(3);
      expect([log.wallOf(after), log.wall()]).toEqual([1002.25, 1002.25]);
    });
  });
}
