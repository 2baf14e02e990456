import { describe, expect, it } from 'vitest';
import type { ErrorReturned, EventFact } from '../../src/base/events/event.ts';
import { createChecklists, latestFlow, refusalThatMatters } from '../../src/dashboard/home/home-page.ts';
import { step } from '../../src/record/progress.ts';
import { createLog, deskFor, now, requestFact, tokenFact } from './running-dashboard.ts';

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
      ['login', true],
      ['callback', true],
      ['API call', false],
      ['refresh', false],
      ['logout', false],
    ]);
    expect(first?.next?.path).toBe('/api');
    events.append(use, 'req_3');
    events.append(tokenFact('tok_2', { grant_type: 'refresh_token' }), 'req_4');
    expect(checklists(discovery)[0]?.next?.words).toBe('Log out in the app.');
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
    expect(list?.steps.filter(({ done }) => done).map(({ name }) => name)).toEqual(['login']);
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

describe('the latest flow on Home', () => {
  it('has at most six steps, with the tokens they carry and the refusal, and counts the rest', () => {
    const events = createLog();
    const context = deskFor(events);
    expect(latestFlow(context, now)).toBeUndefined();
    events.append(tokenFact('tok_1', { grant_type: 'client_credentials', client_id: 'sensor' }), 'req_1');
    events.append(requestFact(), 'req_1');
    const callApi = (requestId: string) => {
      events.append({ ...use, client_id: 'sensor' }, requestId);
      events.append(requestFact({ endpoint: 'api', method: 'GET', path: `/api/products/${requestId}` }), requestId);
    };
    callApi('req_2');
    const short = latestFlow(context, now);
    expect(short?.steps.map(({ title, tokens }) => [title, tokens])).toEqual([
      ['POST /oauth2/token', []],
      ['200', ['access']],
      ['GET /api/products/req_2', ['access']],
    ]);
    expect(short?.lanes.map(({ id }) => id)).toEqual(['client', 'idp', 'api']);
    for (let number = 3; number < 12; number++) callApi(`req_${number}`);
    const long = latestFlow(context, now);
    expect(long?.steps).toHaveLength(6);
    expect(long?.omitted).toEqual({ after: 2, count: 6 });
    expect(long?.steps.at(-1)?.title).toBe('GET /api/products/req_11');
  });
});
