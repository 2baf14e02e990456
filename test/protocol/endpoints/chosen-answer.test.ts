import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { denyAuthorization } from '../../../src/protocol/endpoints/authorize.ts';
import { chosenErrors } from '../../../src/protocol/users/next-login.ts';
import {
  answerOf,
  callback,
  challenge,
  createTestServer,
  eventsOf,
  frontend,
  issuer,
  redemption,
  refusal,
  type TestServer,
} from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer({
    clients: [
      {
        ...frontend,
        grant_types: [...frontend.grant_types, 'implicit'],
        response_types: ['code', 'id_token', 'code id_token'],
      },
    ],
  });
});

const request = {
  client_id: 'frontend',
  redirect_uri: callback,
  response_type: 'code',
  scope: 'openid',
  state: 'a state',
  nonce: 'n',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};
const choose = (choice: Parameters<typeof denyAuthorization>[2], parameters = {}) =>
  denyAuthorization(sandbox.server, sandbox.request({ ...request, ...parameters }), choice);

describe('an error that was chosen on the login screen', () => {
  it.each(chosenErrors)('is told like any other: %s', async code => {
    const answer = answerOf(await choose(code));
    expect(Object.fromEntries(answer)).toEqual({
      error: code,
      error_description: 'this error was chosen on the sign-in page',
      state: 'a state',
      iss: issuer,
    });
    expect(eventsOf(sandbox.events, 'error.returned')).toMatchObject([
      { error: code, reason: 'chosen_on_login_screen', form: 'redirect', client_id: 'frontend' },
    ]);
  });

  it.each(['fragment', 'form_post'])('goes where response_mode=%s has it', async response_mode => {
    const reply = await choose('login_required', { response_mode });
    expect(reply.kind).toBe(response_mode === 'fragment' ? 'redirect' : 'form_post');
    expect(answerOf(reply).get('error')).toBe('login_required');
  });

  it('is signed where the response is (JARM)', async () => {
    const answer = answerOf(await choose('consent_required', { response_mode: 'query.jwt' }));
    expect([...answer.keys()]).toEqual(['response']);
    expect(decodeJwt(answer.get('response') ?? '')).toMatchObject({
      ...{ iss: issuer, aud: 'frontend', error: 'consent_required', state: 'a state' },
    });
  });

  it('is not the same as a denial', async () => {
    await choose('deny');
    await choose('access_denied');
    expect(eventsOf(sandbox.events, 'error.returned').map(({ reason }) => reason)).toEqual([
      'user_denied',
      'chosen_on_login_screen',
    ]);
  });
});

describe('a wrong state', () => {
  it('comes with a code, as from somebody who plants one (RFC 6749 §10.12)', async () => {
    const answer = answerOf(await choose('wrong_state'));
    expect(answer.get('state')).toMatch(/^not-your-state-/);
    expect(answer.get('iss')).toBe(issuer);
    expect(answer.get('code')).toHaveLength(43);
    expect(eventsOf(sandbox.events, 'answer.replaced')).toEqual([
      { type: 'answer.replaced', client_id: 'frontend', choice: 'wrong_state', by: 'login_screen' },
    ]);
    expect(eventsOf(sandbox.events, 'code.issued')).toEqual([]);
  });

  it('still answers the client that redeems the code', async () => {
    const code = answerOf(await choose('wrong_state')).get('code') ?? '';
    expect(await refusal(sandbox.token({ ...redemption, code }))).toMatchObject({
      code: 'invalid_grant',
      reason: 'state_not_checked',
    });
    expect(await refusal(sandbox.token({ ...redemption, code: 'another' }))).toMatchObject({
      reason: 'code_expired_or_unknown',
    });
  });

  it('comes with an error where a code alone would be no answer', async () => {
    const answer = answerOf(await choose('wrong_state', { response_type: 'code id_token' }));
    expect(answer.get('error')).toBe('access_denied');
    expect(answer.get('state')).toMatch(/^not-your-state-/);
    expect(answer.has('id_token')).toBe(false);
  });

  it('is sent where the request had none', async () => {
    expect(answerOf(await choose('wrong_state', { state: '' })).get('state')).toMatch(/^not-your-state-/);
  });
});

it('shows a page of the sandbox for no answer, and sends nothing to the client', async () => {
  const reply = await choose('no_answer');
  expect(reply).toMatchObject({ kind: 'page', page: { name: 'no-answer', redirect_uri: callback } });
});

it('nothing is chosen for a request that is no good one', async () => {
  const answer = answerOf(await choose('server_error', { scope: 'openid unknown' }));
  expect(answer.get('error')).toBe('invalid_scope');
});
