import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSandbox, type Sandbox, type ShortLivedIssuer } from '../../../src/index.ts';
import { observes } from '../../observed.ts';
import { answer, get, login, redeem, signIn } from '../../support/wire.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ issuers: { blue: {} } });
});
afterAll(() => sandbox.stop());

const json = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
};
const control = (method: string, path: string, body?: unknown) =>
  json(`${sandbox.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const kidOf = async (url: string) => decodeProtectedHeader((await signIn(url)).access_token).kid;
const shop = {
  client_id: 'shop',
  redirect_uris: ['http://localhost:3000/callback'],
  grant_types: ['authorization_code'] as const,
};

describe('an issuer that is made at run time', () => {
  it('is an issuer of its own below /i', async () => {
    await using made = await sandbox.createIssuer();
    expect(made.issuer).toMatch(/^http:\/\/localhost:\d+\/i\/[0-9a-f]{12}$/);
    expect(made.issuer).toBe(`${sandbox.url}/i/${made.id}`);
    const after = await json(`${made.issuer}/.well-known/openid-configuration`);
    const before = await json(`${sandbox.url}/.well-known/oauth-authorization-server/i/${made.id}`);
    expect(after.body.issuer).toBe(made.issuer);
    expect(before.body.issuer).toBe(made.issuer);
    const { access_token } = await signIn(made.issuer, 'alice', { scope: 'openid products:read' });
    expect(decodeJwt(access_token)).toMatchObject({ iss: made.issuer, sub: 'alice' });
    const authorization = { authorization: `Bearer ${access_token}` };
    expect((await get(`${made.issuer}/api/products`, authorization)).status).toBe(200);
    expect((await get(`${made.issuer}/userinfo`, authorization)).status).toBe(200);
    expect((await get(`${sandbox.url}/api/products`, authorization)).status).toBe(401);
    expect((await get(`${made.issuer}/dashboard/tokens`)).status).toBe(200);
  });

  it('has the given settings, and otherwise those of the first issuer', async () => {
    await using made = await sandbox.createIssuer({
      clients: [shop],
      users: [{ sub: 'dora' }],
      codeLifetime: 7,
      signingAlg: 'ES256',
    });
    expect((await made.clients.list()).map(({ client_id }) => client_id)).toEqual(['shop']);
    expect((await made.users.list()).map(({ sub }) => sub)).toEqual(['dora']);
    expect((await sandbox.clients.list()).map(({ client_id }) => client_id)).not.toContain('shop');
    const { token } = await made.issueToken({ client: 'shop', user: 'dora' });
    expect(decodeProtectedHeader(token).alg).toBe('ES256');
  });

  it('begins with the keys of the first, and goes its own ways', async () => {
    await using made = await sandbox.createIssuer();
    const [first, own] = [await kidOf(sandbox.url), await kidOf(made.issuer)];
    expect(own).toBe(first);
    await made.rotateKeys();
    expect(await kidOf(made.issuer)).not.toBe(first);
    expect(await kidOf(sandbox.url)).toBe(first);
  });

  it('has keys of its own where it shall, or where it has a seed', async () => {
    await using own = await sandbox.createIssuer({ signingAlg: 'ES256' }, { keys: 'own' });
    await using seeded = await sandbox.createIssuer({ seed: 'a', signingAlg: 'ES256' }, { id: 'seeded-one' });
    const first = await kidOf(seeded.issuer);
    await seeded.stop();
    await using again = await sandbox.createIssuer({ seed: 'a', signingAlg: 'ES256' }, { id: 'seeded-one' });
    expect(await kidOf(again.issuer)).toBe(first);
    expect(await kidOf(own.issuer)).not.toBe(first);
  });

  it('has a clock, events and a next login of its own, and is reset by itself', async () => {
    await using made = await sandbox.createIssuer();
    const before = sandbox.events.lastId;
    made.clock.freeze();
    made.clock.set(1_900_000_000);
    await made.nextLogin({ sub: 'bob' });
    const { access_token } = await signIn(made.issuer, 'bob');
    expect(decodeJwt(access_token).iat).toBe(1_900_000_000);
    expect(made.events.count('token.issued')).toBeGreaterThan(0);
    expect(sandbox.events.lastId).toBe(before);
    expect(sandbox.clock.state().offset).toBe(0);
    await made.reset();
    expect(made.events.count('token.issued')).toBe(0);
    expect(made.clock.state()).toMatchObject({ offset: 0, frozen: false });
  });

  it('keeps a shorter history than the first issuer by default', async () => {
    await using few = await sandbox.createIssuer({}, { id: 'few' });
    for (let index = 0; index < 250; index++) few.events.append({ type: 'sandbox.reset' }, 'sandbox');
    expect(few.events.kept('sandbox.reset')).toBe(200);
    await using more = await sandbox.createIssuer({ historySize: 300 });
    for (let index = 0; index < 350; index++) more.events.append({ type: 'sandbox.reset' }, 'sandbox');
    expect(more.events.kept('sandbox.reset')).toBe(300);
  });

  it('answers 410 in words when it has ended, and its name is free again', async () => {
    const made = await sandbox.createIssuer({}, { id: 'short' });
    await made.stop();
    await made.stop();
    const gone = await json(`${made.issuer}/oauth2/jwks`);
    expect(gone).toMatchObject({
      status: 410,
      body: { status: 410, detail: 'the issuer at this path has ended: it was deleted' },
    });
    expect((await get(`${sandbox.url}/.well-known/openid-configuration/i/short`)).status).toBe(410);
    expect((await json(`${sandbox.url}/i/never-was`)).body).toMatchObject({ status: 404, detail: /no issuer/ });
    await using again = await sandbox.createIssuer({}, { id: 'short' });
    expect((await json(`${again.issuer}/oauth2/jwks`)).status).toBe(200);
  });

  it('ends by itself', async () => {
    const made = await sandbox.createIssuer({}, { id: 'second', lifetime: 1 });
    expect((await get(`${made.issuer}/health`)).status).toBe(200);
    await new Promise(resolve => setTimeout(resolve, 1200));
    expect((await json(`${made.issuer}/health`)).body.detail).toMatch(/its lifetime of 1 s was over/);
    expect((await control('GET', '/_sandbox/issuers')).body.issuers).toEqual([]);
  });

  it.each([
    [{ codeLifetime: 'long' }, {}, /createIssuer: config\.codeLifetime: found "long", expected/],
    [{ codeLifetimes: 5 }, {}, /config\.codeLifetimes: expected .*did you mean codeLifetime/],
    [{ port: 5 }, {}, /config\.port/],
    [{ keysFile: '/etc/passwd' }, {}, /config\.keysFile/],
    [{ clients: [{ client_id: 'x', redirect_uris: ['no url'] }], users: [{}] }, {}, /redirect_uris\[0\].*users\[0\]/],
    [{}, { id: '../x' }, /id: found "\.\.\/x", expected 1 to 64 letters/],
    [{}, { lifetime: 0, keys: 'none' }, /lifetime: found 0.*keys: found "none"/],
    [[], {}, /config: .*an object/],
  ])('is refused for %j %j, every problem at once', async (config, options, words) => {
    await expect(sandbox.createIssuer(config as object, options as object)).rejects.toThrow(words);
    await expect(sandbox.createIssuer(config as object, options as object)).rejects.toThrow(TypeError);
    expect((await control('GET', '/_sandbox/issuers')).body.issuers).toEqual([]);
  });

  it('is not made twice', async () => {
    await using made = await sandbox.createIssuer({}, { id: 'once' });
    await expect(sandbox.createIssuer({}, { id: 'once' })).rejects.toThrow(
      /id: found once, expected an id that no other/,
    );
    expect(made.id).toBe('once');
    const { status, body } = await control('POST', '/_sandbox/issuers', { id: 'once' });
    expect([status, body.reason, body.errors]).toEqual([
      ...[409, 'control_entry_taken'],
      [{ member: 'id', sent: 'once', expected: 'an id that no other issuer has' }],
    ]);
  });

  it('is not ended by an earlier issuer with its name', async () => {
    const before = await sandbox.createIssuer({}, { id: 'passed-on' });
    await control('DELETE', '/_sandbox/issuers/passed-on');
    await using made = await sandbox.createIssuer({}, { id: 'passed-on' });
    await before.stop();
    expect((await get(`${made.issuer}/health`)).status).toBe(200);
  });

  it('is logged by the first issuer when it is created and when it ends', async () => {
    const told = () =>
      [...sandbox.events.latest('issuer.ended', 9), ...sandbox.events.latest('issuer.created', 9)]
        .filter(({ issuer }) => issuer.endsWith('/told'))
        .map(({ type, by }) => `${type} ${by}`);
    const made = await sandbox.createIssuer({}, { id: 'told' });
    expect(told()).toEqual(['issuer.created library']);
    expect(made.events.count('issuer.created')).toBe(0);
    await made.stop();
    expect(told()).toEqual(['issuer.ended library', 'issuer.created library']);
    await control('POST', '/_sandbox/issuers', { id: 'told', lifetime: 1 });
    await vi.waitFor(() => expect(told()[0]).toBe('issuer.ended lifetime'), 60_000);
    await control('POST', '/_sandbox/issuers', { id: 'told' });
    await control('DELETE', '/_sandbox/issuers/told');
    expect(told()[0]).toBe('issuer.ended api');
    expect(told().filter(each => each === 'issuer.created api')).toHaveLength(2);
  });
});

describe('/_sandbox/issuers', () => {
  it('makes, lists and ends them', async () => {
    observes('operation createIssuer', 'operation listIssuers', 'operation deleteIssuer');
    const began = Math.floor(Date.now() / 1000);
    const { status, body } = await control('POST', '/_sandbox/issuers', {
      id: 'by-api',
      lifetime: 60,
      config: { users: [{ sub: 'dora' }] },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: 'by-api', issuer: `${sandbox.url}/i/by-api` });
    expect(Number(body.expiresAt) - Number(body.createdAt)).toBe(60);
    expect((await get(String(body.dashboard))).status).toBe(200);
    expect(Number(body.createdAt)).toBeGreaterThanOrEqual(began);
    expect(Number(body.createdAt)).toBeLessThanOrEqual(Date.now() / 1000);
    expect(decodeJwt((await signIn(`${sandbox.url}/i/by-api`, 'dora')).access_token).sub).toBe('dora');
    expect((await control('GET', '/_sandbox/issuers')).body).toEqual({ issuers: [body] });
    expect((await control('DELETE', '/_sandbox/issuers/by-api')).status).toBe(204);
    expect((await control('DELETE', '/_sandbox/issuers/by-api')).status).toBe(404);
    expect((await get(`${sandbox.url}/i/by-api/health`)).status).toBe(410);
  });

  it('refuses an invalid configuration with all problems at once', async () => {
    const { status, body } = await control('POST', '/_sandbox/issuers', { config: { codeLifetime: -1, usres: [] } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { member: 'config.usres', nearest: 'users' },
      { member: 'config.codeLifetime' },
    ]);
  });

  it('makes no issuers within issuers', async () => {
    await using made = await sandbox.createIssuer();
    for (const issuer of [made.issuer, `${sandbox.url}/blue`]) {
      const { status, body } = await json(`${issuer}/_sandbox/issuers`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ detail: /first one only/, expected: `${sandbox.url}/_sandbox/issuers` });
    }
  });
});

it('a hundred at once do not disturb each other', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `worker-${index}`);
  const made = await Promise.all(
    names.map(name => sandbox.createIssuer({ users: [{ sub: name }, { sub: 'common' }] }, { id: name })),
  );
  const work = async (issuer: ShortLivedIssuer, index: number) => {
    issuer.clock.advance(index * 3600);
    const mine = await signIn(issuer.issuer, names[index]);
    const cookie = await login(issuer.issuer, 'common');
    const code = (await answer(issuer.issuer, cookie)).get('code') ?? '';
    const next = made[(index + 1) % made.length] ?? issuer;
    // the code of one is nothing to another, and is not burnt there
    const foreign = await redeem(next.issuer, code);
    const own = await redeem(issuer.issuer, code);
    return { mine: decodeJwt(mine.access_token), foreign: foreign.status, own: own.status };
  };
  const began = Math.floor(Date.now() / 1000);
  const results = await Promise.all(made.map(work));
  const ended = Date.now() / 1000;
  for (const [index, { mine, foreign, own }] of results.entries()) {
    expect(mine).toMatchObject({ iss: made[index]?.issuer, sub: names[index] });
    const realTime = (mine.iat ?? 0) - index * 3600;
    expect(realTime >= began && realTime <= ended).toBe(true);
    expect([foreign, own]).toEqual([400, 200]);
    const logins = made[index]?.events.latest('login.succeeded', 9).map(({ sub }) => sub) ?? [];
    expect(logins.toSorted()).toEqual(['common', names[index]].toSorted());
  }
  await Promise.all(made.map(each => each.stop()));
  expect((await control('GET', '/_sandbox/issuers')).body.issuers).toEqual([]);
});

it('there are five hundred at most', async () => {
  const made = await Promise.all(Array.from({ length: 500 }, () => sandbox.createIssuer()));
  await expect(sandbox.createIssuer()).rejects.toThrow(/found one more than 500, expected at most 500 at a time/);
  const { status, body } = await control('POST', '/_sandbox/issuers', {});
  expect([status, body.reason]).toEqual([503, 'control_busy']);
  await made[0]?.stop();
  await using next = await sandbox.createIssuer();
  expect((await get(`${next.issuer}/health`)).status).toBe(200);
  await Promise.all(made.map(each => each.stop()));
});
