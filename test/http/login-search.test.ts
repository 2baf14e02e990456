import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/sandbox.ts';
import { authorizationUrl } from '../support/authorization-url.ts';
import { get, post } from '../support/wire.ts';

const users = Array.from({ length: 1000 }, (_, at) => ({ sub: `user-${at}`, claims: { name: `Núñez ${at}` } }));
const sandbox = await createSandbox({ signingAlg: 'ES256', users });
afterAll(() => sandbox.stop());

const cards = (html: string) => [...html.matchAll(/data-testid="login-user-([^"]*)"/g)].map(([, sub]) => sub);
const actionIn = (html: string) =>
  sandbox.url + (/action="(\/login[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
const open = async () => (await get(authorizationUrl(sandbox, 'http://localhost:5173/callback'))).text();
const send = (to: string, form: Readonly<Record<string, string>>) => post(to, form, { origin: sandbox.url });

describe('a login page with 1,000 users', () => {
  it('shows the first, in a small page', async () => {
    const html = await open();
    expect(cards(html)).toEqual(users.slice(0, 50).map(({ sub }) => sub));
    expect(html).toContain('50 of 1000 users');
    expect(Buffer.byteLength(html)).toBeLessThan(64_000);
  });

  it('finds one of the rest without scripts, who signs in for the same request', async () => {
    const html = await open();
    const found = await (await send(actionIn(html), { action: 'search', search: 'nunez 987' })).text();
    expect(cards(found)).toEqual(['user-987']);
    expect(found).toContain('value="nunez 987"');
    expect(actionIn(found)).toBe(actionIn(html));
    const signedIn = await send(actionIn(found), { action: 'login', sub: 'user-987' });
    expect(signedIn.status).toBe(303);
    expect(sandbox.events.latest('login.succeeded', 1)[0]).toMatchObject({ sub: 'user-987' });
  });

  it('says that nobody is called so', async () => {
    const found = await (await send(actionIn(await open()), { action: 'search', search: 'nobody' })).text();
    expect(cards(found)).toEqual([]);
    expect(found).toContain('Nobody here is called that.');
  });
});
