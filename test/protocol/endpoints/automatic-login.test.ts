import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/protocol/endpoints/endpoint.ts';
import { type NextLogin, putNextLogin } from '../../../src/protocol/users/next-login.ts';
import { findSession, type Session } from '../../../src/protocol/users/session.ts';
import { requestObject, signer } from '../../support/request-objects.ts';
import {
  answerOf,
  createTestServer,
  eventsOf,
  frontend,
  type TestServer,
  type TestServerOptions,
} from '../../support/server.ts';

let sandbox: TestServer;
const start = (options: TestServerOptions = {}) => {
  sandbox = createTestServer(options);
};
beforeEach(() => start());

const silent = { byHint: false, prompt: 'silent' } as const;
const lastLogin = () => eventsOf(sandbox.events, 'login.succeeded').at(-1);
const kinds = (reply: Reply) => (reply.kind === 'page' ? `page ${reply.page.name}` : reply.kind);

/** What the redirect says: who signed in, or the error. */
async function outcome(parameters: Readonly<Record<string, string>> = {}, session?: Session): Promise<string> {
  const reply = await sandbox.authorize(parameters, session);
  if (reply.kind !== 'redirect') return kinds(reply);
  const answer = answerOf(reply);
  if (answer.has('error')) return `${answer.get('error')}`;
  return reply.signedIn === undefined ? 'the session there was' : `${reply.signedIn.sub} by ${lastLogin()?.by}`;
}
const next = (login: NextLogin) => putNextLogin(sandbox.server, login);

describe('the first rule that names somebody', () => {
  const all = { sandbox_login: 'bob', login_hint: 'carol' };
  const client = { ...frontend, auto_login: 'carol' };

  it.each([
    ['nothing', {}, {}, 'page login'],
    ['AUTO_LOGIN', { autoLogin: { ...silent, user: 'alice' } }, {}, 'alice by environment'],
    ['auto_login of the client', { autoLogin: { ...silent, user: 'alice' }, clients: [client] }, {}, 'carol by client'],
    ['login_hint', { autoLogin: { ...silent, byHint: true } }, { login_hint: 'bob' }, 'bob by login_hint'],
    [
      'login_hint before the client',
      { autoLogin: { ...silent, byHint: true }, clients: [client] },
      { login_hint: 'bob' },
      'bob by login_hint',
    ],
    [
      'sandbox_login before all of these',
      { autoLogin: { ...silent, byHint: true }, clients: [client] },
      all,
      'bob by sandbox_login',
    ],
    ['login_hint without AUTO_LOGIN=hint', {}, { login_hint: 'bob' }, 'page login'],
    ['AUTO_LOGIN=hint without login_hint', { autoLogin: { ...silent, byHint: true } }, {}, 'page login'],
  ] as const)('is %s', async (_name, options, parameters, expected) => {
    start(options);
    expect(await outcome(parameters)).toBe(expected);
  });

  it('is nextLogin before all others, once', async () => {
    start({ autoLogin: { ...silent, user: 'alice' } });
    await next({ sub: 'carol' });
    expect(await outcome(all)).toBe('carol by next_login');
    expect(await outcome(all)).toBe('bob by sandbox_login');
  });

  it('names a user by username or e-mail address too', async () => {
    expect(await outcome({ sandbox_login: 'bobby' })).toBe('bob by sandbox_login');
    expect(await outcome({ sandbox_login: 'carol@example.com' })).toBe('carol by sandbox_login');
  });
});

describe('sandbox_login of a signed request (RFC 9101)', () => {
  const ask = async (inside: Record<string, string>, beside: Record<string, string>) => {
    start({ clients: [signer] });
    const request = await requestObject(inside);
    const plain = { redirect_uri: '', response_type: '', scope: '', state: '', code_challenge: '' };
    return outcome({ ...plain, code_challenge_method: '', client_id: 'signer', request, ...beside });
  };

  it('is read from the request object, or from the parameter beside it', async () => {
    expect(await ask({ sandbox_login: 'bob' }, {})).toBe('bob by sandbox_login');
    expect(await ask({}, { sandbox_login: 'bob' })).toBe('bob by sandbox_login');
    expect(await ask({ sandbox_login: 'bob' }, { sandbox_login: 'alice' })).toBe('bob by sandbox_login');
  });
});

describe('prompt=none', () => {
  it('shows nothing and signs in nobody, so that a silent renew can be tested', async () => {
    start({ autoLogin: { ...silent, user: 'alice' } });
    await next({ sub: 'bob' });
    expect(await outcome({ prompt: 'none', sandbox_login: 'bob' })).toBe('login_required');
    expect(lastLogin()).toBeUndefined();
    expect(await outcome()).toBe('bob by next_login');
  });

  it('is answered by the session there is, whatever waits', async () => {
    await next({ sub: 'bob' });
    const session = await sandbox.login('alice');
    expect(await outcome({ prompt: 'none' }, session)).toBe('the session there was');
  });
});

describe('a session', () => {
  it('will do for the rules of client and environment', async () => {
    start({ autoLogin: { ...silent, user: 'alice' } });
    expect(await outcome({}, await sandbox.login('bob'))).toBe('the session there was');
  });

  it('will do for sandbox_login where it is of that user, and ends where not', async () => {
    const session = await sandbox.login('bob');
    expect(await outcome({ sandbox_login: 'bob' }, session)).toBe('the session there was');
    expect(await outcome({ sandbox_login: 'alice' }, session)).toBe('alice by sandbox_login');
    expect(eventsOf(sandbox.events, 'session.ended')).toMatchObject([{ sub: 'bob', replacedBy: 'alice' }]);
  });

  it('does not keep nextLogin waiting', async () => {
    await next({ sub: 'bob' });
    expect(await outcome({}, await sandbox.login('alice'))).toBe('bob by next_login');
  });

  it('starts a session like a click: with cookie, auth_time and event', async () => {
    const reply = await sandbox.authorize({ sandbox_login: 'alice', acr_values: '2' });
    const { signedIn } = reply;
    expect(await findSession(sandbox.server, signedIn?.id)).toEqual(signedIn);
    expect(signedIn).toMatchObject({ sub: 'alice', acr: '2', amr: ['user'], auth_time: sandbox.server.clock() });
    expect(lastLogin()).toEqual({
      ...{ type: 'login.succeeded', by: 'sandbox_login', sub: 'alice', sid: signedIn?.sid, amr: ['user'] },
      client_id: 'frontend',
    });
  });
});

describe('prompt=login', () => {
  it.each(['login', 'select_account', 'login consent'])('%s is answered silently by a rule', async prompt => {
    const session = await sandbox.login('alice');
    const reply = await sandbox.authorize({ prompt, sandbox_login: 'alice', scope: 'openid' }, session);
    expect(reply.signedIn?.id).not.toBe(session.id);
    expect(reply.signedIn?.sid).toBe(session.sid);
    expect(lastLogin()?.silently).toBe(prompt.includes('login') ? true : undefined);
  });

  it.each(['login', 'select_account'])(
    '%s shows the page with AUTO_LOGIN_PROMPT=show, which names the rule',
    async prompt => {
      start({ autoLogin: { byHint: false, prompt: 'show', user: 'alice' } });
      const reply = await sandbox.authorize({ prompt });
      expect(reply).toMatchObject({
        kind: 'page',
        page: { name: 'login', heldBack: { by: 'environment', named: 'alice' } },
      });
      expect(await outcome()).toBe('alice by environment');
    },
  );

  it('does not prevent a nextLogin for this login', async () => {
    start({ autoLogin: { byHint: false, prompt: 'show', user: 'alice' } });
    await next({ sub: 'bob' });
    expect(await outcome({ prompt: 'login' })).toBe('bob by next_login');
    expect(lastLogin()).not.toHaveProperty('silently');
  });
});

describe('a rule that names nobody', () => {
  it.each([
    ['sandbox_login', {}, { sandbox_login: 'alcie' }, 'invalid_request', 'alice'],
    [
      'login_hint',
      { autoLogin: { ...silent, byHint: true } },
      { login_hint: 'zoe' },
      'login_required',
      'one of alice, bob, carol',
    ],
    [
      'the client',
      { clients: [{ ...frontend, auto_login: 'nobody' }] },
      {},
      'login_required',
      'one of alice, bob, carol',
    ],
    ['the environment', { autoLogin: { ...silent, user: 'caro' } }, {}, 'login_required', 'carol'],
  ] as const)(
    'is refused, and never becomes the login page: %s',
    async (_name, options, parameters, error, expected) => {
      start(options);
      expect(await outcome(parameters)).toBe(error);
      expect(eventsOf(sandbox.events, 'error.returned')).toMatchObject([
        { reason: 'automatic_login_user_unknown', form: 'redirect', expected },
      ]);
    },
  );

  it('is refused for a user who is gone since nextLogin', async () => {
    await next({ sub: 'bob' });
    sandbox.users.remove('bob');
    expect(await outcome()).toBe('login_required');
  });

  it('is refused for another user than the request is about (OIDC Core §3.1.2.2)', async () => {
    const { id_token = '' } = await sandbox.tokens({}, await sandbox.login('bob'));
    expect(await outcome({ id_token_hint: id_token, sandbox_login: 'alice' })).toBe('login_required');
    expect(eventsOf(sandbox.events, 'error.returned').at(-1)?.reason).toBe('hint_of_another_user');
    expect(await outcome({ id_token_hint: id_token, sandbox_login: 'bob' })).toBe('bob by sandbox_login');
  });

  it('is refused where the parameter came twice', async () => {
    const request = sandbox.request(
      'client_id=frontend&redirect_uri=http://localhost:5173/callback&sandbox_login=a&sandbox_login=b',
    );
    const { authorize } = await import('../../../src/protocol/endpoints/authorize.ts');
    expect(answerOf(await authorize(sandbox.server, request)).get('error')).toBe('invalid_request');
  });
});

describe('consent', () => {
  const asking = { ...frontend, require_consent: true };
  const stranger = { ...frontend, origin: 'registration' } as const;

  it.each([
    ['of a client that wants it', asking],
    ['of a client that nobody configured', stranger],
  ])('is asked for after a login without a click: %s', async (_name, client) => {
    start({ clients: [client], autoLogin: { ...silent, user: 'alice' } });
    const reply = await sandbox.authorize();
    expect(kinds(reply)).toBe('page consent');
    // the same request again, without a decision: nobody has seen its scopes, so it asks again
    expect(kinds(await sandbox.authorize({}, reply.signedIn))).toBe('page consent');
    expect(eventsOf(sandbox.events, 'login.succeeded')).toHaveLength(1);
  });

  it('does not sign in again after the return, although the request has prompt=login', async () => {
    start({ clients: [asking] });
    await next({ sub: 'alice' });
    await next({ sub: 'bob' });
    const reply = await sandbox.authorize({ prompt: 'login' });
    expect(kinds(await sandbox.authorize({ prompt: 'login' }, reply.signedIn))).toBe('page consent');
    expect(eventsOf(sandbox.events, 'login.succeeded')).toMatchObject([{ sub: 'alice' }]);
  });

  it('is given by nextLogin with approve', async () => {
    start({ clients: [asking] });
    await next({ sub: 'alice', action: 'approve' });
    expect(await outcome({ scope: 'openid email' })).toBe('alice by next_login');
    expect(eventsOf(sandbox.events, 'consent.granted')).toEqual([
      {
        ...{ type: 'consent.granted', sub: 'alice', client_id: 'frontend', scope: 'openid email' },
        ...{ withheld: [], remembered: false },
      },
    ]);
  });

  it('is not in the event of a login that did not need it', async () => {
    await next({ sub: 'alice', action: 'approve' });
    expect(await outcome()).toBe('alice by next_login');
    expect(eventsOf(sandbox.events, 'consent.granted')).toEqual([]);
  });
});

describe('nextLogin', () => {
  it.each([
    ['deny', 'access_denied', 'user_denied'],
    ['access_denied', 'access_denied', 'chosen_on_login_screen'],
    ['server_error', 'server_error', 'chosen_on_login_screen'],
    ['temporarily_unavailable', 'temporarily_unavailable', 'chosen_on_login_screen'],
  ] as const)('answers with %s, even where there is a session', async (action, error, reason) => {
    await next({ action });
    expect(await outcome({}, await sandbox.login())).toBe(error);
    expect(eventsOf(sandbox.events, 'error.returned')).toMatchObject([{ error, reason }]);
    expect(await outcome({}, await sandbox.login())).toBe('the session there was');
  });

  it('answers with nothing at all', async () => {
    await next({ action: 'no_answer' });
    expect(await outcome()).toBe('page no-answer');
    expect(eventsOf(sandbox.events, 'answer.replaced')).toEqual([
      { type: 'answer.replaced', client_id: 'frontend', choice: 'no_answer', by: 'next_login' },
    ]);
  });

  it('sets claims for this login', async () => {
    await next({ sub: 'alice', claims: { tenant: 'acme', email: null } });
    const { signedIn } = await sandbox.authorize();
    expect(signedIn?.edited).toEqual({ set: { tenant: 'acme' }, removed: ['email'] });
    expect(lastLogin()).toMatchObject({ by: 'next_login', edited: ['tenant', 'email'] });
  });
});
