import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { authorize } from '../../../src/protocol/endpoints/authorize.ts';
import { answerConsent, type ConsentAnswer } from '../../../src/protocol/endpoints/consent.ts';
import type { Reply } from '../../../src/protocol/endpoints/endpoint.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import { rememberAsked } from '../../../src/protocol/users/asked-login.ts';
import type { Session } from '../../../src/protocol/users/session.ts';
import {
  answerOf,
  callback,
  challenge,
  createTestServer,
  eventsOf,
  frontend,
  redemption,
  type TestServer,
} from '../../support/server.ts';

const careful: RegisteredClient = { ...frontend, client_id: 'careful', require_consent: true };
const unknown: RegisteredClient = { ...frontend, client_id: 'unknown', origin: 'registration' };

const everything = 'openid profile email offline_access bikes:read';
const request = {
  client_id: 'careful',
  redirect_uri: callback,
  response_type: 'code',
  scope: everything,
  state: 'a state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};
const details = [
  { type: 'booking', bike: 'Swift' },
  { type: 'booking', bike: 'Wren' },
];

let sandbox: TestServer;
let session: Session;

beforeEach(async () => {
  sandbox = createTestServer({
    clients: [careful, unknown],
    authorizationDetailsTypes: new Map([
      [
        'booking',
        { name: 'booking', description: 'book a bike', fields: { bike: { type: 'string', required: true } } },
      ],
    ]),
  });
  session = await sandbox.login();
});

type Changes = Readonly<Record<string, string>>;
interface Browser {
  readonly as?: Session;
  readonly browserId?: string;
}

function send(changes: Changes, { as = session, browserId }: Browser = {}) {
  const browser = browserId === undefined ? {} : { browserId };
  return sandbox.request({ ...request, ...changes }, { method: 'GET', sessionId: as.id, ...browser });
}

function ask(changes: Changes = {}, browser: Browser = {}): Promise<Reply> {
  return authorize(sandbox.server, send(changes, browser));
}

function say(said: Partial<ConsentAnswer> = {}, changes: Changes = {}, as = session): Promise<Reply> {
  return answerConsent(sandbox.server, send(changes, { as }), {
    allow: true,
    sid: session.sid,
    scopes: new Set(everything.split(' ')),
    claims: new Set(),
    details: new Set(),
    returnTo: '/back',
    ...said,
  });
}

async function answered(changes: Changes = {}, browser: Browser = {}) {
  return Object.fromEntries(answerOf(await ask(changes, browser)));
}

async function tokensAfter(said: Partial<ConsentAnswer>, changes: Changes = {}) {
  expect(await say(said, changes)).toEqual({ kind: 'redirect', location: '/back' });
  const { code = '' } = await answered(changes);
  return sandbox.token({ ...redemption, client_id: 'careful', code });
}

function pageName(reply: Reply): string {
  return reply.kind === 'page' ? reply.page.name : reply.kind;
}

describe('consent is asked for (OIDC Core §3.1.2.4)', () => {
  it('where the client is registered for it', async () => {
    expect(await ask()).toMatchObject({ page: { name: 'consent', client: { client_id: 'careful' }, session } });
  });

  it('where the request has prompt=consent, of any client', async () => {
    expect(pageName(await ask({ client_id: 'frontend', prompt: 'consent' }))).toBe('consent');
  });

  it('and not where neither is so', async () => {
    expect(await answered({ client_id: 'frontend' })).toHaveProperty('code');
  });

  it('after the login, which comes first', async () => {
    expect(pageName(await ask({ prompt: 'login consent' }))).toBe('login');
    await rememberAsked(sandbox.server, session, send({ prompt: 'login consent' }).parameters);
    expect(pageName(await ask({ prompt: 'login consent' }))).toBe('consent');
  });

  it.each([
    ['that needs it', { prompt: 'none' }],
    [
      'with authorization_details',
      { client_id: 'frontend', prompt: 'none', authorization_details: JSON.stringify(details) },
    ],
  ])('and silently refused to a client %s', async (_what, changes) => {
    expect(await answered(changes)).toMatchObject({ error: 'consent_required', state: 'a state' });
    expect(eventsOf(sandbox.events, 'error.returned')).toMatchObject([{ reason: 'consent_required' }]);
  });
});

describe('an answer', () => {
  it('lets the same request continue once', async () => {
    await say();
    expect(await answered()).toHaveProperty('code');
    expect(pageName(await ask())).toBe('consent');
  });

  it('is logged', async () => {
    await say({ scopes: new Set(['profile']) });
    expect(eventsOf(sandbox.events, 'consent.granted')).toEqual([
      {
        type: 'consent.granted',
        sub: 'alice',
        client_id: 'careful',
        scope: 'openid profile',
        withheld: ['email', 'offline_access', 'bikes:read'],
        remembered: false,
      },
    ]);
  });

  it.each([
    ['another scope', { scope: 'openid profile products:write' }],
    ['another redirect_uri', { redirect_uri: 'http://localhost:4000/callback' }],
    ['another state', { state: 'another' }],
    ['another client', { client_id: 'frontend', prompt: 'consent' }],
  ])('says nothing about a request with %s', async (_what, changes) => {
    await say();
    expect(pageName(await ask(changes))).toBe('consent');
  });

  it('says nothing about another session, not even of the same user', async () => {
    await say();
    expect(pageName(await ask({}, { as: await sandbox.login() }))).toBe('consent');
  });

  it('counts for nothing where somebody else has logged in meanwhile', async () => {
    const bob = await sandbox.login('bob');
    expect(await say({}, {}, bob)).toEqual({ kind: 'redirect', location: '/back' });
    expect(pageName(await ask({}, { as: bob }))).toBe('consent');
    expect(eventsOf(sandbox.events, 'consent.granted')).toEqual([]);
  });

  it('is forgotten after two minutes', async () => {
    await say();
    sandbox.pass(120);
    expect(pageName(await ask())).toBe('consent');
  });

  it('that denies is access_denied for the client', async () => {
    expect(Object.fromEntries(answerOf(await say({ allow: false })))).toMatchObject({
      error: 'access_denied',
      state: 'a state',
    });
    expect(eventsOf(sandbox.events, 'consent.denied')).toEqual([
      { type: 'consent.denied', sub: 'alice', client_id: 'careful' },
    ]);
    expect(pageName(await ask())).toBe('consent');
  });

  it('that allows nothing at all is a denial', async () => {
    const plain = { scope: 'profile bikes:read' };
    const reply = await say({ scopes: new Set() }, plain);
    expect(answerOf(reply).get('error')).toBe('access_denied');
  });

  it('cannot redirect a bad request anywhere', async () => {
    await expect(say({}, { redirect_uri: 'https://evil.example/' })).rejects.toMatchObject({
      reason: 'redirect_uri_not_registered',
    });
  });
});

describe('unticked scopes', () => {
  it('is in no token, and the token response says so (RFC 6749 §3.3)', async () => {
    const tokens = await tokensAfter({ scopes: new Set(['email', 'offline_access', 'evil:write']) });
    expect(tokens.scope).toBe('openid email offline_access');
    expect(decodeJwt(tokens.access_token).scope).toBe('openid email offline_access');
    expect(tokens.id_token).toEqual(expect.any(String));
  });

  it('cannot come back by a refresh', async () => {
    const { refresh_token = '' } = await tokensAfter({ scopes: new Set(['email', 'offline_access']) });
    const refresh = { grant_type: 'refresh_token', client_id: 'careful', refresh_token };
    await expect(sandbox.token({ ...refresh, scope: 'openid profile' })).rejects.toMatchObject({
      reason: 'scope_widened',
    });
    expect(await sandbox.token(refresh)).toMatchObject({ scope: 'openid email offline_access' });
  });

  it('takes the refresh token away, if it was offline_access', async () => {
    expect(await tokensAfter({ scopes: new Set(['email']) })).not.toHaveProperty('refresh_token');
  });

  it('may be one claim of the claims parameter', async () => {
    const claims = JSON.stringify({ userinfo: { email: null, roles: null }, id_token: { name: null, email: null } });
    const tokens = await tokensAfter({ scopes: new Set(), claims: new Set(['email']) }, { scope: 'openid', claims });
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ email: 'alice@example.com' });
    expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('name');
    const sent = sandbox.request({}, { method: 'GET', authorization: `Bearer ${tokens.access_token}` });
    expect(await userinfo(sandbox.server, sent)).toMatchObject({ body: { sub: 'alice', email: 'alice@example.com' } });
  });

  it('takes the single claims along that it releases: they are not asked about twice', async () => {
    const claims = JSON.stringify({ id_token: { email: null, name: null, roles: null } });
    const asked = { scope: 'openid profile email', claims };
    const said = { scopes: new Set(['profile']), claims: new Set(['email', 'roles']) };
    const tokens = await tokensAfter(said, asked);
    const idToken = decodeJwt(tokens.id_token ?? '');
    expect(idToken).toMatchObject({ name: 'Alice Archer', roles: ['admin'] });
    expect(idToken).not.toHaveProperty('email');
  });

  it('may be one object of authorization_details (RFC 9396 §7)', async () => {
    const tokens = await tokensAfter({ details: new Set([1]) }, { authorization_details: JSON.stringify(details) });
    expect(tokens.authorization_details).toEqual([details[1]]);
    expect(decodeJwt(tokens.access_token).authorization_details).toEqual([details[1]]);
  });
});

describe('consent that a browser remembers', () => {
  const browserId = 'a browser';
  beforeEach(async () => {
    await say({ browserId, scopes: new Set(['profile', 'email']) });
    await ask(); // the request it was said about
  });

  it('is not asked for again, whatever the login', async () => {
    expect(await answered({ scope: 'openid email' }, { browserId, as: await sandbox.login() })).toHaveProperty('code');
    expect(await answered({ scope: 'openid', prompt: 'none' }, { browserId })).toHaveProperty('code');
  });

  it.each([
    ['a scope that was not allowed before', { scope: 'openid bikes:read' }],
    ['a claim that was not asked for before', { scope: 'openid', claims: '{"userinfo": {"roles": null}}' }],
    ['prompt=consent', { scope: 'openid', prompt: 'consent' }],
  ])('does not cover %s', async (_what, changes) => {
    expect(pageName(await ask(changes, { browserId }))).toBe('consent');
  });

  it('is nothing in another browser, for another user or for another client', async () => {
    const other = { ...request, scope: 'openid' };
    expect(pageName(await ask(other, { browserId: 'another' }))).toBe('consent');
    expect(pageName(await ask(other, { browserId, as: await sandbox.login('bob') }))).toBe('consent');
    expect(pageName(await ask({ ...other, client_id: 'unknown' }, { browserId }))).toBe('consent');
  });

  it('is added to, and ends after 30 days', async () => {
    await say({ browserId, scopes: new Set(['bikes:read']) }, { scope: 'openid bikes:read' });
    await ask({ scope: 'openid bikes:read' });
    expect(await answered({ scope: 'openid email bikes:read' }, { browserId })).toHaveProperty('code');
    sandbox.pass(30 * 24 * 3600);
    expect(pageName(await ask({ scope: 'openid' }, { browserId, as: await sandbox.login() }))).toBe('consent');
  });
});

describe('a client nobody configured (client ID metadata documents, RFC 7591 §5)', () => {
  const asUnknown = { client_id: 'unknown', scope: 'openid email' };

  it('gets no answer before the user has seen it: a session of somewhere else is not enough', async () => {
    expect(pageName(await ask(asUnknown))).toBe('consent');
    expect(await answered({ ...asUnknown, prompt: 'none' })).toMatchObject({ error: 'consent_required' });
  });

  it('is seen on the login screen of its own request, and then for this session', async () => {
    await rememberAsked(sandbox.server, session, send(asUnknown).parameters);
    expect(await answered(asUnknown)).toHaveProperty('code');
    expect(await answered({ ...asUnknown, state: 'later', prompt: 'none' })).toHaveProperty('code');
    expect(pageName(await ask({ ...asUnknown, scope: 'openid email bikes:read' }))).toBe('consent');
    expect(pageName(await ask(asUnknown, { as: await sandbox.login() }))).toBe('consent');
  });
});

describe('authorization_details', () => {
  const asked = { client_id: 'frontend', authorization_details: JSON.stringify(details) };

  it('are shown to the user, even where scopes are not', async () => {
    expect(await ask(asked)).toMatchObject({ page: { name: 'consent', request: { authorization_details: details } } });
  });

  it('that were remembered are not asked for again, however they are written', async () => {
    await say({ browserId: 'b', details: new Set([0, 1]) }, asked);
    await ask(asked);
    const again = JSON.stringify([{ bike: 'Wren', type: 'booking' }]);
    expect(await answered({ ...asked, authorization_details: again }, { browserId: 'b' })).toHaveProperty('code');
    const more = JSON.stringify([{ bike: 'Heron', type: 'booking' }]);
    expect(pageName(await ask({ ...asked, authorization_details: more }, { browserId: 'b' }))).toBe('consent');
  });

  it('mean nothing where the feature is off', async () => {
    const features = new Set([...sandbox.server.features].filter(name => name !== 'rar'));
    const off = createTestServer({ features });
    const answer = await off.answer({ authorization_details: 'not even JSON' }, await off.login());
    expect(answer.has('code')).toBe(true);
  });
});
