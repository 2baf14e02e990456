import { afterAll, describe, expect, it } from 'vitest';
import type { ClientEntry } from '../../../src/index.ts';
import { createSandbox } from '../../../src/index.ts';
import { authorizationUrl } from '../../support/authorization-url.ts';
import { get, post } from '../../support/wire.ts';

const users = Array.from({ length: 1000 }, (_, at) => ({ sub: `user-${at}`, claims: { name: `Núñez ${at}` } }));
const clients: readonly ClientEntry[] = [
  { client_id: 'frontend', redirect_uris: ['http://localhost:5173/callback'] },
  { client_id: 'bank', client_secret: 'bank-secret', grant_types: ['urn:openid:params:grant-type:ciba'] },
  { client_id: 'tv', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] },
];
const sandbox = await createSandbox({ signingAlg: 'ES256', users, clients });
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
    expect(html).toContain('First 50 of 1000 users');
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
    expect(found).toContain('No user matches.');
  });
});

describe.each([
  ['device', '/oauth2/device_verification?user_code=BBBB-BBBB', '/login/device?user_code=BBBB-BBBB'],
  ['approvals', '/approvals', '/login/approvals?'],
])('the login for the page of %s, with 1,000 users', (_, path, login) => {
  it('shows the first, in a small page', async () => {
    const html = await (await get(sandbox.url + path)).text();
    expect(cards(html)).toEqual(users.slice(0, 50).map(({ sub }) => sub));
    expect(html).toContain('First 50 of 1000 users');
    expect(Buffer.byteLength(html)).toBeLessThan(64_000);
  });

  it('finds one of the rest without scripts, who is led to the same page', async () => {
    const action = actionIn(await (await get(sandbox.url + path)).text());
    expect(action).toBe(sandbox.url + login);
    const searched = await send(action, { action: 'search', search: 'nunez 987' });
    const found = await searched.text();
    expect([searched.status, cards(found)]).toEqual([200, ['user-987']]);
    expect(found).toContain('1 of 1000 users');
    const signedIn = await send(actionIn(found), { action: 'login', sub: 'user-987' });
    expect(signedIn.status).toBe(303);
    expect(signedIn.headers.get('location')).toBe(path);
  });
});

it('a search is no step of a flow, is not recorded, and refuses nobody', async () => {
  const before = sandbox.events.latest('error.returned', 1);
  const found = await send(actionIn(await open()), { action: 'search', search: 'a person of this test' });
  const id = found.headers.get('x-request-id');
  await expect.poll(() => sandbox.events.latest('page.served', 5).map(each => each.requestId)).toContain(id);
  expect(sandbox.events.latest('request.completed', 5).map(each => each.requestId)).not.toContain(id);
  expect(sandbox.events.latest('error.returned', 1)).toEqual(before);
});
