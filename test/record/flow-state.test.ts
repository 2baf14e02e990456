import { describe, expect, it } from 'vitest';
import type { Flow, FlowStep } from '../../src/record/flows/flow.ts';
import { stateOf, stateSentence } from '../../src/record/flows/flow-state.ts';

const noFlow: Flow = {
  ...{ id: 'flow_1', kind: 'authorization_code', status: 'open', startedAt: 0, lastAt: 100, lastEventId: 1 },
  ...{ steps: [], tokenIds: [], authorizationIds: [], incomplete: false },
};

const step = (changes: Partial<FlowStep>): FlowStep => ({
  ...{ requestId: 'req_1', at: 100, endpoint: 'authorize', method: 'GET', path: '/oauth2/authorize', status: 200 },
  ...{ milliseconds: 1, channel: 'front', actor: 'browser', joinedBy: 'first' },
  ...changes,
});

const stepsOf = (changes: Partial<FlowStep>) => ({ steps: [step(changes)] });

const refusedFor = (reason: string, error = 'invalid_request'): Partial<Flow> => ({
  status: 'failed',
  ...stepsOf({ status: 400, refusal: { error, reason, description: 'a sentence' } }),
});

const wordsOf = (changes: Partial<Flow>) => {
  const { words, look } = stateOf({ ...noFlow, ...changes });
  return [words, look];
};

describe('the state of a flow', () => {
  it.each<[string, Partial<Flow>]>([
    ['Waiting at the sign-in page', stepsOf({})],
    ['Waiting at the consent page', stepsOf({ endpoint: 'consent' })],
    ['App has not opened the sign-in page', stepsOf({ endpoint: 'par' })],
    ['App has not redeemed the code', { tokenIds: ['tok_1'] }],
    ['Pending: the user decides', { kind: 'device', ...stepsOf({ status: 400 }) }],
    ['Pending: the app asks again', { kind: 'client_credentials' }],
    ['Waiting at the logout page', { kind: 'logout' }],
    ['Left at the sign-in page', { status: 'abandoned' }],
    ['Code expired, never redeemed', { status: 'abandoned', tokenIds: ['tok_1'] }],
    ['Expired: the user did not decide', { kind: 'ciba', status: 'abandoned' }],
    ['Nobody was signed in', { kind: 'logout', status: 'ok' }],
    ['Denied by the user', refusedFor('user_denied', 'access_denied')],
  ])('%s, in grey', (words, changes) => {
    expect(wordsOf(changes)).toEqual([words, '']);
  });

  it.each([
    ['redirect_uri', 'redirect_uri_not_registered'],
    ['post_logout_redirect_uri', 'post_logout_redirect_uri_mismatch'],
    ['PKCE', 'pkce_mismatch'],
    ['client_id', 'client_unknown'],
    ['code', 'code_replayed'],
    ['grant_type', 'grant_type_unsupported'],
    ['access token', 'api_token_expired'],
    ['invalid_request', 'profile_violated'],
  ])('Refused: %s, in red, for %s', (subject, reason) => {
    expect(wordsOf(refusedFor(reason))).toEqual([`Refused: ${subject}`, 'err']);
    expect(stateOf({ ...noFlow, ...refusedFor(reason) }).detail).toBe('a sentence');
  });

  it.each<[string, Partial<FlowStep>]>([
    ['Fault: 503', { status: 503, faults: ['unavailable'] }],
    ['Fault: wrong_state', { status: 302, faults: ['wrong_state'] }],
    ['Response missing (fault)', { status: 444, faults: ['connection_dropped'] }],
    ['Response missing (fault)', { status: 499, faults: ['slow'] }],
    ['Response missing (fault)', { status: 200, faults: ['empty_body'] }],
  ])('%s, in yellow, because the user armed it', (words, changes) => {
    expect(wordsOf({ status: 'failed', ...stepsOf(changes) })).toEqual([words, 'warn']);
  });

  it('is yellow, too, for an error that somebody chose on the sign-in page', () => {
    expect(wordsOf(refusedFor('chosen_on_login_screen'))).toEqual(['Failed on purpose', 'warn']);
  });

  it('is no fault while a slow response only comes later', () => {
    expect(wordsOf(stepsOf({ faults: ['slow'] }))).toEqual(['Waiting at the sign-in page', '']);
  });

  it.each<[string, Partial<Flow>]>([
    ['Signed in', { tokenIds: ['tok_1'] }],
    ['Token issued', { kind: 'client_credentials', tokenIds: ['tok_1'] }],
    ['Signed out', { kind: 'logout', sid: 'sid' }],
    ['Done', { kind: 'calls' }],
  ])('%s, after a good end', (words, changes) => {
    expect(wordsOf({ status: 'ok', ...changes })).toEqual([words, 'ok']);
  });

  it('names a failure without a refusal by its status', () => {
    expect(wordsOf({ status: 'failed', ...stepsOf({ status: 500 }) })).toEqual(['Failed: 500', 'err']);
  });

  it('says when a wait is over, and what it is then', () => {
    const withCode = { ...noFlow, tokenIds: ['tok_1'], waitsUntil: 160 };
    expect(stateOf(withCode).wait).toEqual({ since: 100, until: 160, after: 'Code expired, never redeemed' });
    expect(stateOf(noFlow).wait).toEqual({ until: 700, after: 'Left at the sign-in page' });
    expect(stateOf({ ...noFlow, status: 'abandoned' }).wait).toBeUndefined();
  });
});

describe('a flow without a page', () => {
  it.each(['client_credentials', 'password', 'token_exchange', 'jwt_bearer', 'refresh_token'] as const)(
    'of %s waits for its client, not for somebody at the sign-in page',
    kind => {
      const sentence = (status: 'open' | 'abandoned') => stateSentence({ ...noFlow, kind, status });
      expect(sentence('open')).toBe('The client has not tried again.');
      expect(sentence('abandoned')).toBe('The client did not try again.');
    },
  );
});
