import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore, type StoreKey } from '../../src/base/store.ts';
import { introspect } from '../../src/protocol/endpoints/introspect.ts';
import { userinfo } from '../../src/protocol/endpoints/userinfo.ts';
import type { Reason } from '../../src/protocol/errors.ts';
import { endToken, idTokenMark, isEnded, resumeToken } from '../../src/protocol/kept-authorizations.ts';
import { parseTokenIdentifier } from '../../src/protocol/tokens/access-token.ts';
import {
  basic,
  createTestServer,
  eventsOf,
  frontend,
  now,
  redemption,
  refusal,
  type TestServer,
  web,
} from '../support/server.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
const urn = (type: string) => `urn:ietf:params:oauth:token-type:${type}`;
const asWeb = basic('web', 'web-secret');
const opaque = { ...frontend, client_id: 'opaque', access_token_format: 'opaque' } as const;
const gateway = {
  ...web,
  client_id: 'gateway',
  client_secret: 'gateway-secret',
  grant_types: [grant_type, 'authorization_code', 'refresh_token'],
};

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer({ clients: [opaque, gateway] });
});

/** As the log knows it. */
function idOf(token: string): string {
  const issued = [...eventsOf(sandbox.events, 'token.issued'), ...eventsOf(sandbox.events, 'code.issued')];
  const found = issued.find(each => each.token === token);
  if (found === undefined) throw new Error('the log has no such token');
  return found.tokenId;
}

const end = (token: string) => endToken(sandbox.server, idOf(token), now + 300);
const resume = (token: string) => resumeToken(sandbox.server, idOf(token));

async function isActive(token: string): Promise<boolean> {
  const reply = await introspect(sandbox.server, sandbox.request({ token }, { authorization: asWeb }));
  return reply.kind === 'json' && 'active' in reply.body && reply.body.active === true;
}

const ask = (token: string) =>
  userinfo(sandbox.server, sandbox.request('', { method: 'GET', authorization: `Bearer ${token}` }));

const refresh = (refresh_token: string) =>
  sandbox.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });

const exchange = (subject_token: string, type: string, more: Record<string, string> = {}) =>
  sandbox.token(
    { grant_type, subject_token, subject_token_type: urn(type), ...more },
    basic('gateway', 'gateway-secret'),
  );

const ended: { reason: Reason; description: unknown } = {
  reason: 'token_ended',
  description: expect.stringMatching(/ has expired: it was ended early$/),
};

describe.each([
  ['a JWT', 'frontend'],
  ['opaque', 'opaque'],
])('an access token, %s, that was ended', (_form, client_id) => {
  let token: string;
  beforeEach(async () => {
    const code = await sandbox.code({ client_id });
    ({ access_token: token } = await sandbox.token({ ...redemption, client_id, code }));
    expect(await isActive(token)).toBe(true);
    await end(token);
  });

  it('is not active, and the log says why', async () => {
    expect(await isActive(token)).toBe(false);
    expect(eventsOf(sandbox.events, 'token.introspected').at(-1)).toMatchObject({ state: 'ended', about: idOf(token) });
  });

  it('is refused by UserInfo as an expired one', async () => {
    const error = await refusal(ask(token));
    expect(error).toMatchObject({ code: 'invalid_token', status: 401, ...ended });
    const { sent, expected, about, client_id: owner } = error.details;
    expect(sent).toContain(idOf(token));
    expect(expected).toMatch(/not been ended/);
    expect(about?.tokenId).toBe(idOf(token));
    expect(owner).toBe(client_id);
  });

  it('is refused by a token exchange', async () => {
    expect(await refusal(exchange(token, 'access_token'))).toMatchObject({ code: 'invalid_request', ...ended });
  });

  it('is refused as an actor, too', async () => {
    const { access_token } = await sandbox.tokens();
    const actor = { actor_token: token, actor_token_type: urn('access_token') };
    expect(await refusal(exchange(access_token, 'access_token', actor))).toMatchObject(ended);
  });

  it('is good again when that is taken back', async () => {
    await resume(token);
    expect(await isActive(token)).toBe(true);
    expect(await ask(token)).toMatchObject({ kind: 'json', status: 200 });
  });

  it('is expired by itself when its time is over', async () => {
    sandbox.pass(300);
    expect(await isActive(token)).toBe(false);
    expect((await refusal(ask(token))).reason).toBe(
      client_id === 'opaque' ? 'access_token_unreadable' : 'access_token_expired',
    );
  });
});

describe('a refresh token that was ended', () => {
  it('gives nothing, and its family lives on', async () => {
    const { refresh_token = '', access_token } = await sandbox.tokens();
    await end(refresh_token);
    expect(await refusal(refresh(refresh_token))).toMatchObject({ code: 'invalid_grant', ...ended });
    expect(await isActive(access_token)).toBe(true);
    expect(eventsOf(sandbox.events, 'token.revoked')).toEqual([]);
  });

  it('gives tokens when that is taken back', async () => {
    const { refresh_token = '' } = await sandbox.tokens();
    await end(refresh_token);
    await refusal(refresh(refresh_token));
    await resume(refresh_token);
    expect(await refresh(refresh_token)).toHaveProperty('access_token');
  });

  it('is expired and not stolen when it was replaced before', async () => {
    const { refresh_token = '' } = await sandbox.tokens();
    await refresh(refresh_token);
    await end(refresh_token);
    expect(await refusal(refresh(refresh_token))).toMatchObject(ended);
    expect(eventsOf(sandbox.events, 'token.revoked')).toEqual([]);
  });
});

describe('a code that was ended', () => {
  it('gives nothing, and everything when that is taken back', async () => {
    const code = await sandbox.code();
    await end(code);
    const error = await refusal(sandbox.token({ ...redemption, code }));
    expect(error).toMatchObject({ code: 'invalid_grant', ...ended });
    expect(error.details.about?.tokenId).toBe(idOf(code));
    await resume(code);
    expect(await sandbox.token({ ...redemption, code })).toHaveProperty('access_token');
  });

  it('is a replay all the same when it was used before', async () => {
    const code = await sandbox.code();
    await sandbox.token({ ...redemption, code });
    await end(code);
    expect(await refusal(sandbox.token({ ...redemption, code }))).toMatchObject({ reason: 'code_replayed' });
  });
});

describe('an ID token that was ended, by its mark,', () => {
  it('is refused by a token exchange, and taken when that is taken back', async () => {
    const code = await sandbox.code({ client_id: 'gateway', redirect_uri: gateway.redirect_uris[0] ?? '' });
    const redeemed = { ...redemption, client_id: 'gateway', redirect_uri: gateway.redirect_uris[0] ?? '', code };
    const { id_token = '' } = await sandbox.token(redeemed, basic('gateway', 'gateway-secret'));
    await endToken(sandbox.server, idTokenMark(id_token), now + 300);
    expect(await refusal(exchange(id_token, 'id_token'))).toMatchObject(ended);
    await resumeToken(sandbox.server, idTokenMark(id_token));
    expect(await exchange(id_token, 'id_token')).toHaveProperty('access_token');
  });
});

it('is remembered as long as the token could be taken, and no longer', async () => {
  await endToken(sandbox.server, 'tok_1', now + 300);
  sandbox.pass(300 + 3599);
  expect(await isEnded(sandbox.server, 'tok_1')).toBe(true);
  sandbox.pass(1);
  expect(await isEnded(sandbox.server, 'tok_1')).toBe(false);
});

describe('as long as no token was ended', () => {
  it('the store is not asked', async () => {
    const asked: StoreKey[] = [];
    const store = createMemoryStore({ clock: () => now });
    const get = <T>(key: StoreKey) => {
      asked.push(key);
      return store.get<T>(key);
    };
    sandbox = createTestServer({ store: { ...store, get } });
    const { access_token } = await sandbox.tokens();
    await ask(access_token);
    expect(asked.map(([kind]) => kind)).toContain('revoked_authorization');
    expect(asked.map(([kind]) => kind)).not.toContain('ended_token');
    await endToken(sandbox.server, 'tok_other', now + 300);
    await ask(access_token);
    expect(asked).toContainEqual(['ended_token', parseTokenIdentifier(decodeJwt(access_token).jti ?? '').tokenId]);
  });
});
