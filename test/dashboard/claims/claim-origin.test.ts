import { describe, expect, it } from 'vitest';
import type { EventFact, TokenIssued } from '../../../src/base/events/event.ts';
import { createEventLog, type EventLog } from '../../../src/base/events/event-log.ts';
import {
  type ClaimOrigin,
  issuanceOf,
  type OriginRecords,
  originOf,
} from '../../../src/dashboard/claims/claim-origin.ts';
import { claimsOf } from '../../../src/dashboard/claims/claim-values.ts';
import { token } from '../../../src/protocol/endpoints/token.ts';
import { startSession } from '../../../src/protocol/users/session.ts';
import type { TestUser } from '../../../src/protocol/users/user.ts';
import { createDpopKey } from '../../support/dpop.ts';
import {
  basic,
  createTestServer,
  frontend,
  issuer,
  now,
  redemption,
  type TestServer,
  type TestServerOptions,
  users,
  web,
} from '../../support/server.ts';

const app = {
  ...frontend,
  client_id: 'app',
  audience: ['https://api.example'],
  access_token_claims: { tenant: 'blue', roles: ['from the client'] },
  access_token_lifetime: 900,
};
const pairwise = { ...frontend, client_id: 'pairwise', subject_type: 'pairwise' as const };
const everything = { ...frontend, client_id: 'everything', id_token_claims: 'all' as const };
const opaque = { ...app, client_id: 'opaque', access_token_format: 'opaque' as const };
const asSensor = basic('sensor', 'sensor-secret');
const token_exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

function serverWith(options: TestServerOptions = {}): TestServer {
  return createTestServer({ clients: [app, pairwise, everything, opaque], ...options });
}

/** The newest token of a type, in a log as the dashboard reads it. */
function newest(sandbox: TestServer, tokenType: TokenIssued['tokenType']) {
  const events = createEventLog({ capacity: 1000, now: () => now });
  for (const fact of sandbox.events) events.append(fact, 'req_1');
  const event = events.latest('token.issued', 100).find(each => each.tokenType === tokenType);
  if (event === undefined) throw new Error(`no ${tokenType} token was issued`);
  return { events, event };
}

function recordsOf({ server }: TestServer, events: EventLog, more: Partial<OriginRecords> = {}): OriginRecords {
  return {
    events,
    registered: () => server.clients.values(),
    accounts: () => server.users.values(),
    scopes: [...server.scopes.values()],
    ...more,
  };
}

/** Where each claim of the newest token is from. */
function origins(
  sandbox: TestServer,
  tokenType: TokenIssued['tokenType'],
  more: Partial<OriginRecords> = {},
  since: readonly EventFact[] = [],
): Record<string, ClaimOrigin> {
  const { events, event } = newest(sandbox, tokenType);
  for (const fact of since) events.append(fact, 'req_2');
  const claims = claimsOf(event);
  const issuance = issuanceOf(event, claims, recordsOf(sandbox, events, more));
  return Object.fromEntries(Object.keys(claims).map(name => [name, originOf(name, issuance)]));
}

const sources = (all: Record<string, ClaimOrigin>) =>
  Object.fromEntries(Object.entries(all).map(([name, { source }]) => [name, source]));

const alice = users[0] as TestUser;
const changed = (what: 'client' | 'user', subject: string): EventFact => ({
  type: 'configuration.changed',
  ...{ what, subject, change: 'changed', members: ['access_token_claims'], by: 'dashboard' },
});

describe('the claims of an access token are from', () => {
  it('the server, the request, the login, and each record that has some', async () => {
    const sandbox = serverWith();
    const code = await sandbox.code({ client_id: 'app', scope: 'openid bikes:read' });
    await sandbox.token({ ...redemption, client_id: 'app', code });
    expect(sources(origins(sandbox, 'access'))).toEqual({
      ...{ iss: 'server', sub: 'user', aud: 'client', client_id: 'request', iat: 'server', nbf: 'server' },
      ...{
        exp: 'client',
        jti: 'server',
        scope: 'request',
        sid: 'login',
        auth_time: 'login',
        acr: 'login',
        amr: 'login',
      },
      ...{ fleet: 'scope', tenant: 'client', roles: 'user' },
    });
    expect(origins(sandbox, 'access')).toMatchObject({
      fleet: { words: 'Set by the definition of scope bikes:read' },
      tenant: { words: 'Set by client app', path: '/dashboard/clients/app' },
      roles: { words: 'From the record of user alice', path: '/dashboard/users/alice' },
      aud: { words: 'Set by the audience of client app' },
      exp: { words: 'Set by the access token lifetime of client app, 900 s' },
    });
  });

  it('the rule that set it last, also of a claim that the user, the client or a preset has', async () => {
    const templates = [{ claims: { roles: ['a'], tenant: 'red' } }, { claims: { roles: ['b'] } }];
    const sandbox = serverWith({ tokenRules: { templates, timeout: 2 } });
    const code = await sandbox.code({ client_id: 'app', scope: 'openid' });
    await sandbox.token({ ...redemption, client_id: 'app', code });
    for (const tokenType of ['access', 'id'] as const) {
      expect(origins(sandbox, tokenType)).toMatchObject({
        roles: { source: 'rule', words: 'Set by tokenClaims[1]' },
        tenant: { source: 'rule', words: 'Set by tokenClaims[0]' },
        sub: { source: 'user' },
      });
    }
  });

  it('the client alone, where it acts for itself; nothing is from a login', async () => {
    const sandbox = serverWith();
    await sandbox.token({ grant_type: 'client_credentials', scope: 'telemetry:write' }, asSensor);
    const all = origins(sandbox, 'access');
    expect(all.sub).toMatchObject({ source: 'client', words: 'The client, which acts for itself' });
    expect(all.aud).toMatchObject({ source: 'default' });
    expect(Object.values(sources(all))).not.toContain('login');
  });

  it('a resource that was asked for (RFC 8707)', async () => {
    const sandbox = serverWith();
    await sandbox.token(
      { grant_type: 'client_credentials', scope: 'telemetry:write', resource: `${issuer}/api/bikes` },
      asSensor,
    );
    expect(origins(sandbox, 'access').aud).toMatchObject({
      source: 'request',
      words: 'Requested by the client with the parameter resource',
    });
    const resource = 'https://elsewhere.example';
    await sandbox.token({ grant_type: 'client_credentials', scope: 'telemetry:write', resource }, asSensor);
    expect(origins(sandbox, 'access').aud).toMatchObject({
      words: 'Requested by the client with the parameter resource. Nobody configured https://elsewhere.example',
    });
  });

  it('the key of a DPoP proof', async () => {
    const sandbox = serverWith();
    const key = await createDpopKey();
    const dpop = await key.proof({ htu: `${issuer}/oauth2/token`, iat: now });
    await token(sandbox.server, sandbox.request({ ...redemption, code: await sandbox.code() }, { dpop }));
    expect(origins(sandbox, 'access').cnf).toMatchObject({ source: 'proof' });
  });

  it('the same, for an opaque one, which says nothing itself', async () => {
    const sandbox = serverWith();
    const code = await sandbox.code({ client_id: 'opaque' });
    await sandbox.token({ ...redemption, client_id: 'opaque', code });
    expect(newest(sandbox, 'access').event.format).toBe('opaque');
    expect(sources(origins(sandbox, 'access'))).toMatchObject({ iss: 'server', tenant: 'client', roles: 'user' });
  });

  it('a user whose name only this client sees, where it is pairwise', async () => {
    const sandbox = serverWith();
    const code = await sandbox.code({ client_id: 'pairwise' });
    await sandbox.token({ ...redemption, client_id: 'pairwise', code });
    const { sub } = origins(sandbox, 'access');
    expect(sub).toMatchObject({
      words: 'User alice, as a pairwise subject for this client',
      path: '/dashboard/users/alice',
    });
  });
});

describe('the claims of an ID token are from', () => {
  it('the request, the server and the login', async () => {
    const sandbox = serverWith();
    await sandbox.tokens({ nonce: 'a nonce' });
    expect(sources(origins(sandbox, 'id'))).toEqual({
      ...{ iss: 'server', sub: 'user', aud: 'request', azp: 'request', exp: 'default', iat: 'server' },
      ...{ nonce: 'request', at_hash: 'server', sid: 'login', auth_time: 'login', acr: 'login', amr: 'login' },
    });
  });

  it('the record of the user, released by a scope', async () => {
    const sandbox = serverWith();
    const code = await sandbox.code({ client_id: 'everything', scope: 'openid email' });
    await sandbox.token({ ...redemption, client_id: 'everything', code });
    expect(origins(sandbox, 'id').email).toEqual({
      source: 'user',
      words: 'From the record of user alice, released by scope email',
      path: '/dashboard/users/alice',
    });
  });

  it('the record of the user, asked for by the claims parameter (OIDC Core §5.5)', async () => {
    const sandbox = serverWith();
    await sandbox.tokens({ claims: '{"id_token":{"name":null,"nickname":null}}' });
    expect(newest(sandbox, 'id').event.requested).toEqual(['name']);
    expect(origins(sandbox, 'id').name).toMatchObject({
      source: 'claims_parameter',
      words: expect.stringContaining('claims parameter'),
    });
  });
});

describe('what was set for one login', () => {
  it('is from the claims editor, in each token that has it', async () => {
    const sandbox = serverWith();
    const edited = { set: { roles: ['auditor'], acr: 'gold', plan: 'pro' }, removed: [] };
    const session = await startSession(sandbox.server, { user: alice, method: 'click', edited });
    await sandbox.tokens({}, session);
    for (const type of ['access', 'id'] as const) {
      expect(sources(origins(sandbox, type))).toMatchObject({ acr: 'edit', plan: 'edit', amr: 'login' });
    }
    expect(origins(sandbox, 'access').roles).toEqual({
      source: 'edit',
      words: 'Set for this sign-in in the claims editor',
    });
  });
});

describe('an exchanged token', () => {
  it('says who acts, whom it was asked for, and that it ends with what it was made from', async () => {
    const sandbox = createTestServer({
      clients: [{ ...web, client_id: 'gateway', grant_types: [token_exchange], access_token_lifetime: 3600 }],
    });
    const subject_token = (await sandbox.tokens()).access_token;
    const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token';
    const actor = { actor_token: subject_token, actor_token_type: subject_token_type, audience: 'web' };
    const asGateway = basic('gateway', 'web-secret');
    await sandbox.token({ grant_type: token_exchange, subject_token, subject_token_type, ...actor }, asGateway);
    expect(origins(sandbox, 'access')).toMatchObject({
      act: { source: 'request' },
      aud: { source: 'request', words: expect.stringContaining('resource or audience') },
      exp: { source: 'server', since: expect.stringContaining('expires together with the token it was issued from') },
    });
  });
});

describe('a record that was edited since', () => {
  const editedAlice = { ...alice, access_token_claims: { roles: ['guest'] } };

  it('is named, with what it says now', async () => {
    const sandbox = serverWith();
    await sandbox.tokens();
    const more = { accounts: () => [editedAlice] };
    expect(origins(sandbox, 'access', more, [changed('user', 'alice')]).roles).toEqual({
      source: 'user',
      words: 'From the record of user alice',
      path: '/dashboard/users/alice',
      since: 'User alice was edited since: ["guest"].',
    });
  });

  it('does not hide the one below it that really set the claim', async () => {
    const sandbox = serverWith();
    const code = await sandbox.code({ client_id: 'app' }, await sandbox.login('bob'));
    await sandbox.token({ ...redemption, client_id: 'app', code });
    const bob = { ...(users[1] as TestUser), access_token_claims: { roles: ['guest'] } };
    expect(origins(sandbox, 'access', { accounts: () => [bob] }, [changed('user', 'bob')]).roles).toMatchObject({
      source: 'client',
      since: 'User bob was edited since; a new token would have ["guest"].',
    });
  });

  it('is named where nothing has the claim any more', async () => {
    const sandbox = serverWith();
    await sandbox.tokens();
    const more = { accounts: () => [{ ...alice, access_token_claims: {} }] };
    expect(origins(sandbox, 'access', more, [changed('user', 'alice')]).roles).toEqual({
      source: 'unknown',
      words: 'Set by a record that no longer has this claim',
      since: 'User alice was edited since.',
    });
  });

  it('counts for the profile claims of an ID token, too, and so does a user who is gone', async () => {
    const sandbox = serverWith();
    await sandbox.tokens({ claims: '{"id_token":{"name":null}}' });
    const renamed = { ...alice, claims: { ...alice.claims, name: 'Alice Other' } };
    expect(origins(sandbox, 'id', { accounts: () => [renamed] }).name?.since).toBe(
      'User alice was edited since: "Alice Other".',
    );
    expect(origins(sandbox, 'id', { accounts: () => [] }).name?.since).toBe('The user was deleted since.');
  });

  it('is not blamed for another one, nor for what came before', async () => {
    const sandbox = serverWith();
    await sandbox.tokens();
    const all = origins(sandbox, 'access', {}, [changed('user', 'bob'), changed('client', 'app')]);
    expect(Object.values(all).map(({ since }) => since)).toEqual(Object.keys(all).map(() => undefined));
  });

  it('shows in the audience and the lifetime of its client', async () => {
    const sandbox = serverWith();
    const code = await sandbox.code({ client_id: 'app' });
    await sandbox.token({ ...redemption, client_id: 'app', code });
    const registered = () => [{ ...app, audience: ['https://other.example'], access_token_lifetime: 60 }];
    expect(origins(sandbox, 'access', { registered })).toMatchObject({
      aud: { source: 'client', since: 'Client app was edited since.' },
      exp: { since: 'Client app was edited since: now 60 s.' },
    });
  });
});
