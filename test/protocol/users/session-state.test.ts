import { describe, expect, it } from 'vitest';
import { checkSessionState } from '../../../src/dashboard/browser/session-check.ts';
import { browserState } from '../../../src/protocol/users/session.ts';
import { callback, createTestServer, frontend } from '../../support/server.ts';

const app = { ...frontend, client_id: 'app', redirect_uris: ['com.example.app:/callback'] };
const sandbox = createTestServer({ clients: [app] });
const origin = 'http://localhost:5173';

describe('the session_state of an authentication response (Session Management §2)', () => {
  it('is what the iframe makes of client, origin and browser state', async () => {
    const session = await sandbox.login();
    const state = (await sandbox.answer({}, session)).get('session_state') ?? '';
    const check = (client_id: string, from: string, of = browserState(session)) =>
      checkSessionState(`${client_id} ${state}`, from, of);
    expect(check('frontend', origin)).toBe('unchanged');
    expect(check('frontend', 'http://localhost:5174')).toBe('changed');
    expect(check('web', origin)).toBe('changed');
    expect(check('frontend', origin, '')).toBe('changed');
    expect(check('frontend', origin, browserState(await sandbox.login('bob')))).toBe('changed');
  });

  it.each(['query', 'fragment', 'form_post'])('is there in the response mode %s', async response_mode => {
    const session = await sandbox.login();
    expect((await sandbox.answer({ response_mode }, session)).get('session_state')).toMatch(/^[0-9a-f]{64}\.[\w-]+$/);
  });

  it('is there in a silent answer, with a salt of its own', async () => {
    const session = await sandbox.login();
    const states = [await sandbox.answer({ prompt: 'none' }, session), await sandbox.answer({}, session)];
    expect(new Set(states.map(answer => answer.get('session_state'))).size).toBe(2);
    expect(states.every(answer => answer.has('session_state'))).toBe(true);
  });

  it('is there beside the tokens of a hybrid answer', async () => {
    const hybrid = { ...frontend, client_id: 'hybrid', response_types: ['code id_token'] as const };
    const server = createTestServer({
      clients: [{ ...hybrid, grant_types: [...frontend.grant_types, 'implicit'] }],
    });
    const asked = { client_id: 'hybrid', response_type: 'code id_token', nonce: 'n' };
    const answer = await server.answer(asked, await server.login());
    expect([answer.has('id_token'), answer.has('session_state')]).toEqual([true, true]);
  });

  it('does not give the session away', async () => {
    const session = await sandbox.login();
    expect(browserState(session)).not.toContain(session.id);
    expect(browserState(session)).not.toContain(session.sid);
    expect(browserState(session)).toBe(browserState({ id: session.id }));
  });

  it.each([
    ['without openid', { scope: 'products:read' }],
    ['for an address without an origin', { client_id: 'app', redirect_uri: 'com.example.app:/callback' }],
  ])('is absent %s', async (_when, parameters: Record<string, string>) => {
    const answer = await sandbox.answer(parameters, await sandbox.login());
    expect([answer.has('code'), answer.has('session_state')]).toEqual([true, false]);
  });

  it('is absent where session management is off', async () => {
    const features = new Set([...sandbox.server.features].filter(name => name !== 'session-management'));
    const quiet = createTestServer({ features });
    const answer = await quiet.answer({ redirect_uri: callback }, await quiet.login());
    expect([answer.has('code'), answer.has('session_state')]).toEqual([true, false]);
  });
});
