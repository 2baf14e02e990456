import { describe, expect, it } from 'vitest';
import type { EventFact, SandboxEvent } from '../../../../src/base/events/event.ts';
import { answer, chain, exchange, seen } from '../../../../src/extensions/lessons/checks/check.ts';
import { countable, judge, judgeAll } from '../../../../src/extensions/lessons/checks/judge.ts';

type Told = EventFact & { readonly requestId?: string; readonly at?: number };

/** One event a second, each of a request of its own where the test names none. */
function log(...facts: readonly Told[]): readonly SandboxEvent[] {
  return facts.map((fact, index) => ({ id: index + 1, at: index, requestId: `req_${index + 1}`, ...fact }));
}

const judged = (check: Parameters<typeof judge>[0], ...facts: readonly Told[]) =>
  judge(check, { events: log(...facts), answers: {} });

const asked = (client_id: string, code_challenge_method?: string): Told => ({
  type: 'authorization.requested',
  client_id,
  redirect_uri: 'http://app.test/cb',
  response_type: 'code',
  response_mode: 'query',
  ignored: [],
  ...(code_challenge_method === undefined ? {} : { code_challenge_method }),
});

const refused = (reason: string, error = 'invalid_grant'): Told => ({
  type: 'error.returned',
  endpoint: 'token',
  status: 400,
  error,
  reason,
  description: '',
  form: 'json',
});

const code = (tokenId: string, client_id: string): Told => ({
  type: 'code.issued',
  tokenId,
  token: 'c',
  authorizationId: `aut_${tokenId}`,
  client_id,
  iat: 0,
  exp: 1,
  redirect_uri: 'http://app.test/cb',
});

const access = (tokenId: string, client_id: string, parentTokenId?: string, token = 't'): Told => ({
  type: 'token.issued',
  tokenType: 'access',
  format: 'jwt',
  grant_type: 'authorization_code',
  tokenId,
  token,
  authorizationId: `aut_${parentTokenId ?? tokenId}`,
  client_id,
  iat: 0,
  exp: 1,
  ...(parentTokenId === undefined ? {} : { parentTokenId }),
});

const request = (url: string, more: Partial<Extract<EventFact, { type: 'request.completed' }>> = {}): Told => ({
  type: 'request.completed',
  endpoint: 'authorize',
  method: 'GET',
  path: url.split('?', 1)[0] ?? '',
  status: 302,
  milliseconds: 1,
  exchange: { url, ip: '', requestHeaders: '', responseHeaders: '' },
  ...more,
});

describe('seen', () => {
  it('is done with the request of the first event that matches', () => {
    const check = seen({ type: 'error.returned', reason: 'code_replayed' });
    expect(judged(check, refused('code_replayed'), refused('code_replayed'))).toEqual({
      state: 'done',
      requestId: 'req_1',
    });
  });

  it('is not yet done without an event of its type', () => {
    expect(judged(seen({ type: 'session.ended' }), refused('code_replayed'))).toEqual({ state: 'not yet' });
  });

  it('is close to the newest event that differs in one field, and shows the sent and the expected value', () => {
    const check = seen({ type: 'authorization.requested', client_id: 'web', code_challenge_method: 'S256' });
    expect(judged(check, asked('web', 'S512'), asked('web', 'plain'), asked('other'))).toMatchObject({
      state: 'close',
      requestId: 'req_2',
      difference: { field: 'code_challenge_method', sent: 'plain', expected: 'S256' },
    });
  });

  it('names a field that was not sent at all', () => {
    const check = seen({ type: 'authorization.requested', client_id: 'web', code_challenge_method: 'S256' });
    expect(judged(check, asked('web'))).toMatchObject({
      difference: { field: 'code_challenge_method', expected: 'S256' },
    });
  });

  it('is not close to the request that did another task', () => {
    const check = seen({ type: 'error.returned', error: 'invalid_grant', reason: 'code_replayed' });
    const events = log(refused('pkce_missing'));
    expect(judge(check, { events, answers: {} }).state).toBe('close');
    expect(judge(check, { events, answers: {}, spent: new Set(['req_1']) }).state).toBe('not yet');
  });

  it.each([
    ['equality', 'pkce_missing'],
    ['one of a list', ['pkce_mismatch', 'pkce_missing']],
    ['a beginning', { startsWith: 'pkce_' }],
    ['a part', { includes: 'missing' }],
    ['any value', { present: true }],
  ] as const)('compares text by %s', (_, reason) => {
    expect(judged(seen({ type: 'error.returned', reason }), refused('pkce_missing')).state).toBe('done');
    const other = judged(seen({ type: 'error.returned', reason, client_id: { present: false } }), refused('other'));
    expect(other.state).toBe(typeof reason === 'object' && 'present' in reason ? 'done' : 'close');
  });

  it('compares lists by an entry, and by whether they are empty', () => {
    const granted: Told = {
      type: 'consent.granted',
      sub: 'bob',
      client_id: 'web',
      withheld: ['email'],
      remembered: false,
    };
    expect(judged(seen({ type: 'consent.granted', withheld: { includes: 'email' } }), granted).state).toBe('done');
    expect(judged(seen({ type: 'consent.granted', withheld: { includes: 'phone' } }), granted).state).toBe('close');
    expect(judged(seen({ type: 'consent.granted', withheld: { empty: false } }), granted).state).toBe('done');
    expect(judged(seen({ type: 'consent.granted', withheld: { empty: true } }), granted).state).toBe('close');
  });

  it('counts events, within some seconds', () => {
    const twice = seen({ type: 'error.returned', reason: 'slow_down' }, { count: 2, within: 3 });
    const at = (time: number): Told => ({ ...refused('slow_down'), at: time });
    expect(judged(twice, at(0), at(3))).toEqual({ state: 'done', requestId: 'req_2' });
    expect(judged(twice, at(0), at(4), at(6))).toEqual({ state: 'done', requestId: 'req_3' });
    expect(judged(twice, at(0), at(4))).toMatchObject({ state: 'not yet', reached: 1, steps: 2 });
  });

  it('with `not` is done until there is such an event', () => {
    const check = seen({ type: 'error.returned', reason: 'code_replayed' }, { not: true });
    expect(judged(check, refused('pkce_missing'))).toEqual({ state: 'done' });
    expect(judged(check, refused('code_replayed'))).toEqual({ state: 'not yet' });
  });

  it('links no request if the event has none', () => {
    const moved: Told = { type: 'clock.changed', who: 'all', by: 'dashboard', offset: 300, requestId: 'sandbox' };
    expect(judged(seen({ type: 'clock.changed' }), moved)).toEqual({ state: 'done' });
  });
});

describe('chain', () => {
  const redeemed = chain(
    { type: 'authorization.requested', code_challenge_method: 'S256' },
    { type: 'code.issued', as: 'c' },
    { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'c.tokenId' } },
    { by: 'client_id' },
  );

  it('is done with the request of its last step', () => {
    expect(judged(redeemed, asked('web', 'S256'), code('tok_c', 'web'), access('tok_a', 'web', 'tok_c'))).toEqual({
      state: 'done',
      requestId: 'req_3',
    });
  });

  it('asks for the order', () => {
    const facts = [code('tok_c', 'web'), asked('web', 'S256'), access('tok_a', 'web', 'tok_c')];
    expect(judged(redeemed, ...facts)).toMatchObject({ state: 'not yet', reached: 1, steps: 3 });
  });

  it('asks for a token that grew from that code', () => {
    const facts = [asked('web', 'S256'), code('tok_c', 'web'), access('tok_a', 'web', 'tok_x')];
    expect(judged(redeemed, ...facts)).toMatchObject({
      state: 'close',
      requestId: 'req_3',
      difference: { field: 'parentTokenId', sent: 'tok_x', expected: 'tok_c' },
    });
  });

  it('asks for the same client in all steps', () => {
    const facts = [asked('web', 'S256'), code('tok_c', 'other')];
    expect(judged(redeemed, ...facts)).toMatchObject({
      state: 'close',
      difference: { field: 'client_id', sent: 'other', expected: 'web' },
    });
  });

  it('counts requests and not their events, and says what is next', () => {
    const ofOne = chain(
      { type: 'authorization.requested' },
      { type: 'code.issued', next: 'log in as Bob' },
      { type: 'token.issued', as: 't' },
      { type: 'token.used', tokenId: { $: 't.tokenId' }, as: 'used' },
      { type: 'request.completed', requestId: { $: 'used.requestId' } },
    );
    const login = asked('web', 'S256');
    expect(judged(ofOne, login)).toMatchObject({ reached: 1, steps: 4, next: 'log in as Bob' });
    const both = [
      { ...login, requestId: 'req_9' },
      { ...code('tok_c', 'web'), requestId: 'req_9' },
    ];
    expect(judged(ofOne, ...both)).toMatchObject({ reached: 1, steps: 3, next: 'get a token' });
  });

  it('counts no request that has done only some of its steps', () => {
    const token = chain(
      { type: 'authorization.requested' },
      { type: 'code.issued', client_id: 'web', next: 'log in', as: 'c' },
      { type: 'token.issued', requestId: { $: 'c.requestId' } },
    );
    const events = [asked('web', 'S256'), code('tok_c', 'web'), asked('web', 'S256')];
    expect(judged(token, ...events)).toMatchObject({ state: 'not yet', reached: 1, steps: 2, next: 'log in' });
    const ofOne = chain({ type: 'code.issued' }, { type: 'token.issued' }, { by: 'requestId' });
    expect(judged(ofOne, code('tok_c', 'web'))).toMatchObject({ state: 'not yet', reached: 0, steps: 1 });
  });

  it('is close to the newest request, and not to an older one that got further', () => {
    const events = log(asked('web', 'S256'), code('tok_c', 'other'), asked('web', 'plain'));
    expect(judge(redeemed, { events, answers: {} })).toMatchObject({ difference: { field: 'client_id' } });
    const isNewest = ({ id }: SandboxEvent) => id === 3;
    expect(judge(redeemed, { events, answers: {}, isNewest })).toMatchObject({
      requestId: 'req_3',
      difference: { field: 'code_challenge_method', sent: 'plain', has: expect.arrayContaining(['redirect_uri']) },
    });
  });

  it('is not close to the ID token of a request whose refresh token is a step', () => {
    const check = chain(
      { type: 'token.issued', tokenType: 'refresh', as: 'first' },
      { type: 'token.issued', tokenType: 'refresh', parentTokenId: { $: 'first.tokenId' } },
    );
    const issued = (tokenType: 'refresh' | 'id') =>
      ({ ...access(tokenType, 'a'), tokenType, requestId: 'req_1' }) as const;
    expect(judged(check, issued('id'), issued('refresh'))).toMatchObject({ state: 'not yet', reached: 1, steps: 2 });
    expect(judged(check, issued('id')).state).toBe('close');
  });

  it('tries every beginning, and reports the furthest', () => {
    const facts = [asked('web', 'S256'), asked('app', 'S256'), code('tok_c', 'app'), access('tok_a', 'app', 'tok_c')];
    expect(judged(redeemed, ...facts)).toEqual({ state: 'done', requestId: 'req_4' });
    expect(judged(redeemed, ...facts.slice(0, 3))).toMatchObject({ state: 'not yet', reached: 2, steps: 3 });
  });

  it('holds all steps to the seconds of `within`', () => {
    const quick = chain({ type: 'session.ended' }, { type: 'error.returned' }, { within: 2 });
    const ended: Told = { type: 'session.ended', sub: 'bob', sid: 's' };
    expect(judged(quick, ended, { ...refused('login_required'), at: 3 }).state).toBe('not yet');
    expect(judged(quick, ended, { ...refused('login_required'), at: 2 }).state).toBe('done');
  });

  it('remembers chains without a continuation: 300 logins take few comparisons', () => {
    let reads = 0;
    const counted = (fact: Told): Told => ({
      ...fact,
      get client_id() {
        reads++;
        return 'web';
      },
    });
    const facts = Array.from({ length: 100 }, () => [asked('web', 'S256'), asked('web', 'S256'), asked('web', 'S256')]);
    const many = chain(
      { type: 'authorization.requested', client_id: 'web' },
      { type: 'authorization.requested', client_id: 'web' },
      { type: 'authorization.requested', client_id: 'web' },
      { type: 'session.ended' },
    );
    const events = facts.flat().map((fact, index) => ({ ...log(fact)[0], ...{ id: index + 1 } }) as SandboxEvent);
    const watched = events.map(event =>
      Object.defineProperties({ ...event }, Object.getOwnPropertyDescriptors(counted(event as Told))),
    );
    expect(judge(many, { events: watched, answers: {} })).toMatchObject({ state: 'not yet', reached: 1, steps: 2 });
    expect(reads).toBeLessThan(300 * 300 * 3);
  });

  it('is not built with a reference to a step that is not earlier', () => {
    expect(() => chain({ type: 'token.used', tokenId: { $: 't.tokenId' } }, { type: 'token.issued', as: 't' })).toThrow(
      'tokenId refers to t.tokenId, and no earlier step has that name',
    );
  });
});

describe('a step of a chain with `without`', () => {
  const check = chain(
    { type: 'code.issued', as: 'bad' },
    { type: 'error.returned', reason: 'login_required' },
    { type: 'session.ended', without: { type: 'token.issued', parentTokenId: { $: 'bad.tokenId' } } },
  );
  const end: Told = { type: 'session.ended', sub: 'bob', sid: 's' };
  const bad = (tokenId: string) => [code(tokenId, 'web'), refused('login_required')];

  it('is done if no such event came since the step before', () => {
    expect(judged(check, ...bad('a'), end).state).toBe('done');
    expect(judged(check, ...bad('a'), access('t', 'web', 'b'), end), 'that of a different code').toMatchObject({
      state: 'done',
    });
    expect(judged(check, ...bad('a'), end, access('t', 'web', 'a')), 'it came later').toMatchObject({ state: 'done' });
  });

  it('is close to such an event, also to one that is no longer the newest request, until the next attempt begins', () => {
    const events = log(...bad('a'), access('t', 'web', 'a'), end);
    const isNewest = ({ id }: SandboxEvent) => id === 4;
    expect(judge(check, { events, answers: {}, isNewest })).toMatchObject({
      state: 'close',
      requestId: 'req_3',
      difference: { field: 'without' },
    });
    expect(judged(check, ...bad('a'), access('t', 'web', 'a'), ...bad('b'))).toMatchObject({
      state: 'not yet',
      reached: 2,
    });
    expect(judged(check, ...bad('a'), access('t', 'web', 'a'), ...bad('b'), end).state).toBe('done');
  });

  it('is not built with a reference to a step that is not earlier', () => {
    const without = { type: 'token.issued', request: { parameter: { code: { $: 'none.token' } } } } as const;
    expect(() => chain({ type: 'session.ended', without })).toThrow('code refers to none.token');
  });
});

describe('a parameter that must be new in each sign-in', () => {
  const check = chain(
    { type: 'session.ended' },
    { type: 'authorization.requested', request: { parameter: { state: { fresh: true } } } },
  );
  const sent = (state: string | undefined, requestId: string): readonly Told[] => [
    { ...asked('web'), requestId },
    { ...code(requestId, 'web'), requestId },
    {
      type: 'request.completed',
      ...{ endpoint: 'authorize', method: 'GET', path: '/oauth2/authorize', status: 303, milliseconds: 1, requestId },
      exchange: {
        url: `/oauth2/authorize?client_id=web${state === undefined ? '' : `&state=${state}`}`,
        ip: '',
        requestHeaders: '',
        responseHeaders: '',
      },
    },
  ];
  const end: Told = { type: 'session.ended', sub: 'bob', sid: 's' };
  const second = (state: string | undefined) => judged(check, ...sent('a', 'req_a'), end, ...sent(state, 'req_b'));

  it('is there, and no earlier sign-in had it', () => {
    expect(second('b').state).toBe('done');
    expect(second('a')).toMatchObject({ state: 'close', difference: { field: 'state', expected: 'a new value' } });
    expect(second(undefined)).toMatchObject({ state: 'close', difference: { field: 'state' } });
  });

  it('may be sent twice in one sign-in, as after a login page', () => {
    const again = sent('b', 'req_c').filter(({ type }) => type !== 'code.issued');
    expect(judged(check, ...sent('a', 'req_a'), end, ...again, ...sent('b', 'req_b')).state).toBe('done');
  });
});

describe('a chain that begins with the switch of a lab', () => {
  const switched = (isDefended: boolean): Told => ({ type: 'lab.switched', isDefended });
  const check = chain({ type: 'lab.switched', isDefended: true }, { type: 'error.returned', reason: 'pkce_missing' });

  it('is done by an event after the switch', () => {
    expect(judged(check, switched(true), refused('pkce_missing'))).toEqual({ state: 'done', requestId: 'req_2' });
    expect(judged(check, switched(false), switched(true), refused('pkce_missing')).state).toBe('done');
  });

  it('is not done by an event after the next switch', () => {
    expect(judged(check, switched(true), switched(false), refused('pkce_missing')).state).toBe('not yet');
  });
});

describe('a chain that reads a request', () => {
  const check = chain(
    { type: 'code.issued', as: 'code' },
    { type: 'request.completed', path: '/evil', read: { parameter: 'code', is: { $: 'code.token' } } },
  );

  it('is done by a request with the value of an earlier event', () => {
    expect(judged(check, code('tok_1', 'web'), request('/evil?code=c')).state).toBe('done');
  });

  it('is close to a request with a different value', () => {
    expect(judged(check, code('tok_1', 'web'), request('/evil?code=d'))).toMatchObject({
      state: 'close',
      requestId: 'req_2',
      difference: { field: 'code', sent: 'd', expected: 'c' },
    });
  });

  it('cannot refer to a step that does not exist', () => {
    const step = { type: 'request.completed', read: { parameter: 'code', is: { $: 'none.token' } } } as const;
    expect(() => chain(step)).toThrow('is refers to none.token');
  });
});

describe('exchange', () => {
  it('reads a parameter of the query, or of the form', () => {
    const check = exchange({ endpoint: 'authorize' }, { parameter: 'state', is: { present: true } });
    expect(judged(check, request('/authorize?state=x')).state).toBe('done');
    const form = {
      url: '/authorize',
      ip: '',
      requestHeaders: 'Content-Type\napplication/x-www-form-urlencoded',
      requestBody: { text: 'state=x', bytes: 7 },
      responseHeaders: '',
    };
    expect(judged(check, request('/authorize', { method: 'POST', exchange: form })).state).toBe('done');
  });

  it('is close to a request without that parameter', () => {
    const check = exchange({ endpoint: 'authorize' }, { parameter: 'state', is: { present: true } });
    expect(judged(check, request('/authorize?scope=openid'))).toMatchObject({
      state: 'close',
      requestId: 'req_1',
      difference: { field: 'state', expected: 'any value' },
    });
  });

  it('reads headers of both directions, and a member of the answer', () => {
    const sent = {
      url: '/token',
      ip: '',
      requestHeaders: 'DPoP\nabc',
      responseHeaders: 'WWW-Authenticate\nBearer realm="x"',
      responseBody: { text: '{"error":"invalid_client"}', bytes: 26 },
    };
    const by = (read: Parameters<typeof exchange>[1]) =>
      judged(exchange({}, read), request('/token', { exchange: sent })).state;
    expect(by({ header: 'dpop', is: 'abc' })).toBe('done');
    expect(by({ answerHeader: 'www-authenticate', is: { startsWith: 'Bearer' } })).toBe('done');
    expect(by({ answerMember: 'error', is: 'invalid_client' })).toBe('done');
    expect(by({ answerMember: 'error', is: 'invalid_grant' })).toBe('close');
  });
});

describe('the request of an event', () => {
  const form = (text: string) => ({
    url: '/token',
    ip: '',
    requestHeaders: 'Content-Type\napplication/x-www-form-urlencoded',
    requestBody: { text, bytes: text.length },
    responseHeaders: '',
  });
  const told = (method: string, text: string): readonly Told[] => [
    { ...refused('pkce_missing'), requestId: 'req_1' },
    request('/token', { method, exchange: form(text) }),
  ];
  const check = seen({
    type: 'error.returned',
    request: { method: 'POST', parameter: { code_verifier: { present: false } }, path: { endsWith: '/token' } },
  });
  const by = (...facts: readonly Told[]) => judge(check, { events: log(...facts.map(ofOne)), answers: {} });
  const ofOne = (fact: Told): Told => ({ ...fact, requestId: 'req_1' });

  it('has the method, the path and the parameters', () => {
    expect(by(...told('POST', 'code=c')).state).toBe('done');
    expect(by(...told('GET', 'code=c'))).toMatchObject({ difference: { field: 'method', sent: 'GET' } });
    expect(by(...told('POST', 'code_verifier=v'))).toMatchObject({
      difference: { field: 'code_verifier', sent: 'v', expected: 'nothing' },
    });
  });

  it('may refer to an earlier event', () => {
    const ofCode = chain(
      { type: 'code.issued', as: 'new' },
      { type: 'error.returned', request: { parameter: { code: { $: 'new.token' } } } },
    );
    const sending = (sent: string) =>
      judge(ofCode, { events: log(code('tok_c', 'web'), ...told('POST', sent).map(ofOne)), answers: {} }).state;
    expect([sending('code=c'), sending('code=d')]).toEqual(['done', 'close']);
    expect(() => chain({ type: 'token.used', request: { parameter: { code: { $: 'new.token' } } } })).toThrow(
      'new.token',
    );
  });

  it('names the pieces of a token that were changed, also of one that is older than the task', () => {
    const all = log(access('tok_a', 'web', undefined, 'h.c.s'));
    const piece = (token: string, wanted: string) => {
      const exchange = { url: '/api', ip: '', requestHeaders: `Authorization\nBearer ${token}`, responseHeaders: '' };
      const events = log(refused('x'), { ...request('/api', { exchange }) }).map(each => ({
        ...each,
        requestId: 'req_9',
      }));
      const signed = seen({ type: 'error.returned', request: { piece: wanted } });
      return judge(signed, { events, all: [...all, ...events], answers: {} }).state;
    };
    expect(piece('h.c.x', 'signature')).toBe('done');
    expect(piece('h.x.s', 'signature')).toBe('close');
    expect(piece('h.x.s', 'claims')).toBe('done');
    expect(piece('x.c.', 'header, signature')).toBe('done');
    expect(piece('x.y.z', 'header')).toBe('close');
  });
});

describe('answer', () => {
  const question = { id: 'whose', options: ['nobody', 'bob'], right: 'nobody' };

  it('is done by the right option, and says which one was wrong', () => {
    expect(judge(answer(question), { events: [], answers: {} })).toEqual({ state: 'not yet' });
    expect(judge(answer(question), { events: [], answers: { whose: 'bob' } })).toEqual({
      state: 'not yet',
      wrong: 'bob',
    });
    expect(judge(answer(question), { events: [], answers: { whose: 'nobody' } })).toEqual({ state: 'done' });
  });

  it('is done by any option of a prediction', () => {
    const prediction = { id: 'guess', options: ['400', '401'] };
    expect(judge(answer(prediction), { events: [], answers: { guess: '400' } })).toEqual({ state: 'done' });
  });
});

describe('a task with several checks', () => {
  const checks = [
    seen({ type: 'error.returned', error: 'invalid_grant', reason: 'code_replayed' }),
    seen({ type: 'token.revoked' }),
  ];
  const revoked: Told = { type: 'token.revoked', authorizationId: 'a', client_id: 'web', reason: 'code_replayed' };

  it('is done when all of them are', () => {
    const both = { events: log(refused('code_replayed'), revoked), answers: {} };
    expect(judgeAll(checks, both)).toEqual({ state: 'done', requestId: 'req_2' });
  });

  it('is close when one of the open ones is', () => {
    expect(judgeAll(checks, { events: log(revoked, refused('pkce_missing')), answers: {} }).state).toBe('close');
    expect(judgeAll(checks, { events: log(refused('code_replayed')), answers: {} }).state).toBe('not yet');
  });
});

describe('countable events', () => {
  it('are without requests of the dashboard, and without requests that still run', () => {
    const page: Told = {
      type: 'page.served',
      endpoint: 'dashboard',
      method: 'POST',
      path: '',
      status: 200,
      milliseconds: 1,
    };
    const moved: Told = { type: 'clock.changed', who: 'all', by: 'dashboard', offset: 300, requestId: 'sandbox' };
    const events = log(
      { ...access('tok_minted', 'web'), requestId: 'req_page' },
      { ...page, requestId: 'req_page' },
      { ...access('tok_running', 'web'), requestId: 'req_running' },
      { ...access('tok_own', 'web'), requestId: 'req_own' },
      request('/token', {}),
      moved,
    ).map(event => (event.type === 'request.completed' ? { ...event, requestId: 'req_own' } : event));
    expect(countable(events).map(each => ('tokenId' in each ? each.tokenId : each.type))).toEqual([
      'tok_own',
      'request.completed',
      'clock.changed',
    ]);
  });
});

it('a misspelt field, or a value of the wrong type, is an error of the compiler', () => {
  // @ts-expect-error the field is client_id
  seen({ type: 'token.used', clientId: 'web' });
  // @ts-expect-error the endpoint is api or userinfo
  seen({ type: 'token.used', endpoint: 'token' });
  // @ts-expect-error no event has tokenIdd
  seen({ type: 'token.used', tokenId: { $: 't.tokenIdd' } });
  // @ts-expect-error no event has this type
  seen({ type: 'token.seen' });
  // @ts-expect-error no event has this field
  expect(chain({ type: 'token.used' }, { by: 'clientId' }).by).toEqual(['clientId']);
});
