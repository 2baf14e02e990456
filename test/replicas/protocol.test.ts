import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectEngine, type Engine } from '../../src/extensions/replicas/engine.ts';
import { createEngineStore } from '../../src/extensions/replicas/engine-store.ts';
import { introspect } from '../../src/protocol/endpoints/introspect.ts';
import { userinfo } from '../../src/protocol/endpoints/userinfo.ts';
import { endToken, isEnded, resumeToken } from '../../src/protocol/kept-authorizations.ts';
import {
  findPushedRequest,
  keepPushedRequest,
  putPushedRequest,
  usePushedRequest,
} from '../../src/protocol/requests/pushed-request.ts';
import { putNextLogin, takeNextLogin } from '../../src/protocol/users/next-login.ts';
import {
  asBank,
  bank,
  cibaGrant,
  decideDevice,
  deviceGrant,
  startCiba,
  startDevice,
  tv,
} from '../support/decisions.ts';
import {
  basic,
  createTestServer,
  frontend,
  now,
  redemption,
  refusal,
  type TestServer,
  web,
} from '../support/server.ts';
import { startEngine, type TestEngine } from './engine.ts';

const legacy = { ...web, client_id: 'legacy', client_secret: 'legacy-secret', grant_types: ['password'] };

let running: TestEngine;
const engines: Engine[] = [];
beforeAll(async () => {
  running = await startEngine();
  for (let replica = 0; replica < 2; replica++)
    engines.push(await connectEngine({ url: running.url, prefix: 'sandbox' }));
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
  await running?.[Symbol.asyncDispose]();
});

let sandboxes = 0;
let one: TestServer;
let two: TestServer;
beforeEach(() => {
  const issuer = `/${sandboxes++}`;
  const clock = () => now;
  [one, two] = engines.map(engine => {
    const [store, usedJwts] = ['store', 'used'].map(name => createEngineStore({ engine, name: [name, issuer], clock }));
    return createTestServer({ clients: [tv, bank, legacy], ...(store && usedJwts && { store, usedJwts }) });
  }) as [TestServer, TestServer]; // there are two engines
});

const asked = (sandbox: TestServer, token: string) =>
  userinfo(sandbox.server, sandbox.request('', { method: 'GET', authorization: `Bearer ${token}` }));

describe('two replicas', () => {
  it('redeem a code of each other, once; the second time ends its tokens on both', async () => {
    const code = await one.code({}, await two.login());
    const { access_token } = await two.token({ ...redemption, code });
    expect(await asked(one, access_token)).toMatchObject({ kind: 'json', body: { sub: 'alice' } });
    expect(await refusal(one.token({ ...redemption, code }))).toMatchObject({ reason: 'code_replayed' });
    expect(await refusal(asked(two, access_token))).toMatchObject({ reason: 'access_token_revoked' });
  });

  it('end a family of refresh tokens for both', async () => {
    const first = await one.tokens();
    const refresh = (sandbox: TestServer, refresh_token = '') =>
      sandbox.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
    const second = await refresh(two, first.refresh_token);
    expect(await refusal(refresh(one, first.refresh_token))).toMatchObject({ reason: 'refresh_token_reused' });
    expect(await refusal(refresh(two, second.refresh_token))).toMatchObject({ reason: 'authorization_revoked' });
  });

  it('know the tokens that the other one has ended', async () => {
    await endToken(one.server, 'tok_1', now + 300);
    expect(await isEnded(two.server, 'tok_1')).toBe(true);
    await resumeToken(two.server, 'tok_1');
    expect(await isEnded(one.server, 'tok_1')).toBe(false);
  });

  it('count the wrong guesses of both', async () => {
    const guess = (sandbox: TestServer, password: string) =>
      sandbox.token({ grant_type: 'password', username: 'bobby', password }, basic('legacy', 'legacy-secret'));
    const both = () => Promise.all([refusal(guess(one, 'a guess')), refusal(guess(two, 'a guess'))]);
    for (let round = 0; round < 10; round++) await both();
    for (const sandbox of [one, two]) {
      expect(await refusal(guess(sandbox, 'bob-password'))).toMatchObject({ status: 429, details: expect.anything() });
    }
  });

  it('tell one of two polls at once that it came too early', async () => {
    const { device_code, user_code } = await startDevice(one);
    const poll = (sandbox: TestServer) => sandbox.token({ grant_type: deviceGrant, client_id: 'tv', device_code });
    const refused = await Promise.all([refusal(poll(one)), refusal(poll(two))]);
    expect(refused.map(({ code }) => code).sort()).toEqual(['authorization_pending', 'slow_down']);
    await decideDevice(two, await one.login(), user_code);
    const outcomes = await Promise.allSettled([poll(one), poll(two)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('keep all requests that wait for one user, of both', async () => {
    const sandboxes = [one, two];
    const started = await Promise.all(Array.from({ length: 12 }, (_, index) => startCiba(sandboxes[index % 2] ?? one)));
    const { waitingFor } = await import('../../src/protocol/decoupled/backchannel-authentication.ts');
    const ids = async (sandbox: TestServer) =>
      (await waitingFor(sandbox.server, 'alice')).map(({ auth_req_id }) => auth_req_id).sort();
    const expected = started.map(({ auth_req_id }) => auth_req_id).sort();
    expect(await ids(one)).toEqual(expected);
    expect(await ids(two)).toEqual(expected);
    const [first] = expected;
    const poll = two.token({ grant_type: cibaGrant, auth_req_id: first ?? '' }, asBank);
    expect(await refusal(poll)).toMatchObject({ code: 'authorization_pending' });
  });

  it('keep the newest twenty of more requests that wait for one user, of both', async () => {
    const sandboxes = [one, two];
    await Promise.all(Array.from({ length: 26 }, (_, index) => startCiba(sandboxes[index % 2] ?? one)));
    const { waitingFor } = await import('../../src/protocol/decoupled/backchannel-authentication.ts');
    expect(await waitingFor(one.server, 'alice')).toHaveLength(20);
  });

  it('give each waiting login to one of them', async () => {
    const subs = Array.from({ length: 20 }, (_, index) => `user ${index}`);
    const put = subs.map((sub, index) => putNextLogin((index % 2 === 0 ? one : two).server, { sub }));
    expect(await Promise.all(put)).toEqual(subs.map(() => true));
    const taken = await Promise.all(subs.map((_, index) => takeNextLogin((index % 2 === 0 ? two : one).server, 'web')));
    expect(taken.map(login => login?.sub).sort()).toEqual([...subs].sort());
    expect(await takeNextLogin(one.server, 'web')).toBeUndefined();
  });

  it('let nobody use a pushed request again whose page is shown meanwhile', async () => {
    const uri = await putPushedRequest(one.server, { client_id: 'frontend', query: 'a=b', isSigned: false });
    await Promise.all([keepPushedRequest(one.server, uri), usePushedRequest(two.server, uri)]);
    expect(await refusal(findPushedRequest(one.server, frontend, uri))).toMatchObject({ code: 'invalid_request_uri' });
  });

  it('accept a token of each other at introspection', async () => {
    const { access_token } = await one.tokens();
    const reply = await introspect(
      two.server,
      two.request({ token: access_token }, { authorization: basic('web', 'web-secret') }),
    );
    expect(reply).toMatchObject({ body: { active: true } });
  });
});
