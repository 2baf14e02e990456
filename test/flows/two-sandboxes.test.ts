import { decodeProtectedHeader } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../support/bundle.ts';
import { answer, authorizeQuery, get, login, post, redeem, signIn } from '../support/wire.ts';

const [one, other] = await Promise.all([createSandbox({ label: 'one' }), createSandbox({ label: 'other' })]);
afterAll(() => Promise.all([one.stop(), other.stop()]));

describe('two sandboxes in one process', () => {
  it('listen at addresses of their own, and are issuers of their own', () => {
    expect(one.url).not.toBe(other.url);
    expect([one.issuer, other.issuer]).toEqual([one.url, other.url]);
  });

  it('sign with keys of their own', async () => {
    const kids = await Promise.all(
      [one, other].map(async ({ url }) => decodeProtectedHeader((await signIn(url)).access_token).kid),
    );
    expect(new Set(kids).size).toBe(2);
  });

  it('do not take the tokens of one another', async () => {
    const { access_token, id_token, refresh_token } = await signIn(one.url, 'alice', { scope: 'openid products:read' });
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await get(`${one.url}/userinfo`, headers)).status).toBe(200);
    expect((await get(`${other.url}/userinfo`, headers)).status).toBe(401);
    expect((await get(`${other.url}/api/products`, headers)).status).toBe(401);
    expect((await get(`${other.url}/connect/logout?id_token_hint=${id_token}`)).status).toBe(400);
    const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    expect((await post(`${other.url}/oauth2/token`, form)).status).toBe(400);
    expect((await post(`${one.url}/oauth2/token`, form)).status).toBe(200);
  });

  it('do not take the codes of one another, nor burn them', async () => {
    const code = (await answer(one.url, await login(one.url))).get('code') ?? '';
    expect((await redeem(other.url, code)).status).toBe(400);
    expect((await redeem(one.url, code)).status).toBe(200);
  });

  it('keep their logins apart, though a browser sends the cookies of both to both', async () => {
    const cookies = `${await login(one.url, 'alice')}; ${await login(other.url, 'bob')}`;
    const subOf = async (url: string) => {
      const code = (await answer(url, cookies, { prompt: 'none' })).get('code') ?? '';
      const { access_token } = (await (await redeem(url, code)).json()) as { access_token: string };
      const userinfo = await get(`${url}/userinfo`, { authorization: `Bearer ${access_token}` });
      return ((await userinfo.json()) as { sub: string }).sub;
    };
    expect([await subOf(one.url), await subOf(other.url)]).toEqual(['alice', 'bob']);
  });

  it('tell their own events only', async () => {
    const before = other.events.count('token.issued');
    await signIn(one.url, 'carol');
    expect(one.events.latest('login.succeeded', 1)).toMatchObject([{ sub: 'carol' }]);
    expect(other.events.count('token.issued')).toBe(before);
    expect(other.events.latest('login.succeeded', 100).map(({ sub }) => sub)).not.toContain('carol');
  });

  it('keep typed users apart', async () => {
    const form = { sub: 'typed-at-one', keep: 'user', action: 'login' };
    await (await post(`${one.url}/login?${authorizeQuery()}`, form, { origin: one.url })).arrayBuffer();
    const page = await (await get(`${one.url}/oauth2/authorize?${authorizeQuery()}`)).text();
    expect(page).toContain('typed-at-one');
    expect(await (await get(`${other.url}/oauth2/authorize?${authorizeQuery()}`)).text()).not.toContain('typed-at-one');
  });

  it('are reset one at a time', async () => {
    const [mine, yours] = [await login(one.url), await login(other.url)];
    const { access_token } = await signIn(one.url);
    await one.reset();
    expect((await answer(one.url, mine, { prompt: 'none' })).get('error')).toBe('login_required');
    expect((await answer(other.url, yours, { prompt: 'none' })).has('code')).toBe(true);
    expect(one.events.count('login.succeeded')).toBe(0);
    expect(other.events.count('login.succeeded')).toBeGreaterThan(0);
    // keys stay, so what was signed before still reads
    expect((await get(`${one.url}/userinfo`, { authorization: `Bearer ${access_token}` })).status).toBe(200);
  });

  it('end one at a time', async () => {
    const third = await createSandbox();
    await third.stop();
    await third.stop();
    await expect(get(`${third.url}/health`)).rejects.toThrow();
    expect((await get(`${one.url}/health`)).status).toBe(200);
  });
});
