import { describe, expect, it } from 'vitest';
import type { ErrorReturned, EventFact } from '../../src/base/events/event.ts';
import { createChecklists } from '../../src/dashboard/home/checklists.ts';
import { newestSignIn, verdictOf } from '../../src/dashboard/home/hero.ts';
import { refusalThatMatters } from '../../src/dashboard/home/home-page.ts';
import type { Flow, FlowStep } from '../../src/record/flows/flow.ts';
import { step } from '../../src/record/progress.ts';
import { codeFact, createLog, deskFor, now, requestFact, tokenFact } from './running-dashboard.ts';

const login = (client_id: string): EventFact => ({
  type: 'login.succeeded',
  sub: 'alice',
  sid: 's',
  amr: ['user'],
  client_id,
});
const use: EventFact = {
  type: 'token.used',
  endpoint: 'api',
  tokenId: 'tok_1',
  authorizationId: 'auth-1',
  client_id: 'frontend',
};
const discovery = step('discovery', undefined);

describe('the checklist of an application', () => {
  it('ticks each step with the request that did it, and names the next one', () => {
    const events = createLog();
    const checklists = createChecklists(events);
    expect(checklists(discovery)).toEqual([]);
    events.append(login('frontend'), 'req_1');
    events.append(tokenFact('tok_1', { grant_type: 'authorization_code' }), 'req_2');
    const [first] = checklists(discovery);
    expect(first?.logins).toBe(1);
    expect(first?.steps.map(({ name, done }) => [name, done])).toEqual([
      ['discovery', false],
      ['sign-in', true],
      ['callback', true],
      ['API call', false],
      ['refresh', false],
      ['sign-out', false],
    ]);
    expect(first?.next?.path).toBe('/api');
    events.append(use, 'req_3');
    events.append(tokenFact('tok_2', { grant_type: 'refresh_token' }), 'req_4');
    expect(checklists(discovery)[0]?.next?.words).toBe('Sign out in the app.');
    events.append({ type: 'session.ended', sub: 'alice', sid: 's', client_id: 'frontend' }, 'req_5');
    const [done] = checklists(discovery);
    expect(done?.steps.slice(1).map(({ requestId }) => requestId)).toEqual([
      'req_1',
      'req_2',
      'req_3',
      'req_4',
      'req_5',
    ]);
    expect(done?.next).toBeUndefined();
  });

  it('is not ticked by the owner of the sandbox: a minted token, a session ended in the dashboard', () => {
    const events = createLog();
    events.append(login('frontend'), 'req_1');
    events.append(tokenFact('tok_1', { grant_type: 'authorization_code', minted: true }), 'req_2');
    events.append({ type: 'session.ended', sub: 'alice', sid: 's', client_id: 'frontend', endedBy: 'owner' }, 'req_3');
    const [list] = createChecklists(events)(discovery);
    expect(list?.steps.filter(({ done }) => done).map(({ name }) => name)).toEqual(['sign-in']);
  });

  it('puts the application of the latest login first, shows four, and forgets all with a reset', () => {
    const events = createLog();
    const checklists = createChecklists(events);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'a']) events.append(login(id), 'req_1');
    const shown = checklists(discovery);
    expect(shown.map(({ client_id, logins }) => [client_id, logins])).toEqual([
      ['a', 2],
      ['e', 1],
      ['d', 1],
      ['c', 1],
    ]);
    events.clear();
    events.append({ type: 'sandbox.reset' }, 'req_2');
    expect(checklists(discovery)).toEqual([]);
  });
});

function refusal(endpoint: string): ErrorReturned {
  return {
    type: 'error.returned',
    endpoint,
    status: 400,
    error: 'invalid_request',
    reason: 'pkce_mismatch',
    description: 'refused',
    form: 'json',
  };
}

describe('the problem that Home shows', () => {
  it('is a refused login before a token request, an API call and an unknown path', () => {
    const events = createLog();
    expect(refusalThatMatters(events)).toBeUndefined();
    const order = ['unknown', 'api', 'token', 'authorize'];
    for (const endpoint of order) {
      events.append(refusal(endpoint), 'req_1');
      events.append(refusal('unknown'), 'req_2');
      expect(refusalThatMatters(events)?.endpoint).toBe(endpoint);
    }
  });

  it('is the newest of its kind, and an old login no longer hides a new refusal', () => {
    let at = now;
    const events = createLog(1000, () => at);
    events.append(refusal('authorize'), 'req_1');
    events.append(refusal('login'), 'req_2');
    expect(refusalThatMatters(events)?.requestId).toBe('req_2');
    at += 601;
    events.append(refusal('api'), 'req_3');
    expect(refusalThatMatters(events)?.requestId).toBe('req_3');
  });
});

it('shows the second use of a code, and not the refusals of the tokens that it revoked', () => {
  const events = createLog();
  const revoked = { type: 'token.revoked', authorizationId: 'auth-1', client_id: 'frontend' } as const;
  events.append({ ...revoked, reason: 'code_replayed' }, 'req_1');
  events.append({ ...refusal('token'), reason: 'code_replayed' }, 'req_1');
  const symptom = { about: 'tok_1', authorizationId: 'auth-1' };
  events.append({ ...refusal('userinfo'), reason: 'access_token_revoked', ...symptom }, 'req_2');
  events.append({ ...refusal('token'), reason: 'authorization_revoked', ...symptom }, 'req_3');
  expect(refusalThatMatters(events)?.requestId).toBe('req_1');
});

describe('the hero of Home', () => {
  const callApi = (events: ReturnType<typeof createLog>, requestId: string) => {
    events.append({ ...use, client_id: 'sensor' }, requestId);
    events.append(requestFact({ endpoint: 'api', method: 'GET', path: `/api/products/${requestId}` }), requestId);
  };
  const signOut = (events: ReturnType<typeof createLog>) =>
    events.append(requestFact({ endpoint: 'end_session', method: 'GET', path: '/connect/logout' }), 'req_out');

  it('shows the newest sign-in, whatever came after it', () => {
    const events = createLog();
    const context = deskFor(events);
    expect(newestSignIn(context, now)).toBeUndefined();
    signOut(events);
    expect(newestSignIn(context, now)).toMatchObject({ verdict: 'Logout, nobody was signed in.', look: '' });
    events.append(login('frontend'), 'req_in');
    events.append(codeFact('tok_c'), 'req_in');
    events.append(requestFact({ endpoint: 'login', path: '/login', status: 302 }), 'req_in');
    events.append(
      tokenFact('tok_1', { authorizationId: 'auth-2', client_id: 'sensor', grant_type: 'client_credentials' }),
      'req_t',
    );
    events.append(requestFact(), 'req_t');
    expect(newestSignIn(context, now)?.verdict).toContain('Sign-in of Alice to ');
  });

  it('has the last three steps, with the tokens they carry', () => {
    const events = createLog();
    const context = deskFor(events);
    events.append(tokenFact('tok_1', { grant_type: 'client_credentials', client_id: 'sensor' }), 'req_1');
    events.append(requestFact(), 'req_1');
    for (let number = 2; number < 6; number++) callApi(events, `req_${number}`);
    const hero = newestSignIn(context, now);
    expect(hero?.steps.map(({ title, tokens }) => [title, tokens])).toEqual([
      ['GET /api/products/req_3', ['access']],
      ['GET /api/products/req_4', ['access']],
      ['GET /api/products/req_5', ['access']],
    ]);
    expect(hero?.lanes.map(({ id }) => id)).toEqual(['client', 'idp', 'api']);
  });
});

describe('the verdict on a flow', () => {
  const context = deskFor(createLog());
  const flow: Flow = {
    ...{ id: 'flow_1', kind: 'authorization_code', client_id: 'sensor', sub: 'alice', status: 'ok' },
    ...{ startedAt: 0, lastAt: 100, lastEventId: 1, steps: [], tokenIds: [], authorizationIds: [], incomplete: false },
  };
  const done = (changes: Partial<FlowStep>): FlowStep => ({
    ...{ requestId: 'req_1', at: 100, endpoint: 'api', method: 'GET', path: '/api/products', status: 200 },
    ...{ milliseconds: 1, channel: 'back', actor: 'client', joinedBy: 'token' },
    ...changes,
  });
  const refreshed = done({ endpoint: 'token', method: 'POST', joinedBy: 'refresh_token' });

  it.each<[string, string, Partial<Flow>]>([
    ['Alice signed in to Demo sensor.', 'ok', {}],
    ['Alice signed in to Demo sensor, called the API 2 times.', 'ok', { steps: [done({}), done({})] }],
    ['Alice signed in to Demo sensor, called the API once.', 'ok', { steps: [done({}), done({ status: 401 })] }],
    ['Alice signed in to Demo sensor, called the API once, refreshed once.', 'ok', { steps: [done({}), refreshed] }],
    ['Somebody signed in to gone.', 'ok', { client_id: 'gone', sub: undefined } as Partial<Flow>],
    ['Sign-in of Alice to Demo sensor. App has not redeemed the code.', '', { status: 'open', tokenIds: ['tok_1'] }],
    ['Demo sensor got a token for itself.', 'ok', { kind: 'client_credentials' }],
    ['Logout of Demo sensor, nobody was signed in.', '', { kind: 'logout' }],
    ['Alice signed out of Demo sensor.', 'ok', { kind: 'logout', sid: 'sid' }],
  ])('%s', (verdict, look, changes) => {
    expect(verdictOf(context, { ...flow, ...changes })).toEqual({ verdict, look });
  });
});
