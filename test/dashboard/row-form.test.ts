import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userRowFields } from '../../src/dashboard/users/user-row.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import type { TestUser } from '../../src/protocol/users/user.ts';
import { get, post, signIn } from '../support/wire.ts';
import { alice } from './running-dashboard.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
});
afterEach(() => sandbox.stop());

const page = async (path: string) => (await get(`${sandbox.url}/dashboard${path}`)).text();

/** Sends the form of a row, and reads the list after it. */
async function send(path: string, form: Readonly<Record<string, string>>) {
  const origin = { origin: sandbox.url };
  const response = await post(`${sandbox.url}/dashboard${path}`, { action: 'row', ...form }, origin);
  const to = response.headers.get('location') ?? '';
  const html = to === '' ? await response.text() : await (await get(sandbox.url + to)).text();
  return { status: response.status, to, html };
}

/** The texts with a test id. */
function shown(html: string, testId: string): string[] {
  const found = [...html.matchAll(new RegExp(`data-testid="${testId}"[^>]*>([^<]*)<`, 'g'))];
  return found.map(([, text = '']) => text.replaceAll('&#34;', '"'));
}

const openForms = (html: string) => html.split('<details open>').length - 1;
const entryOf = async (path: string) => (await (await get(`${sandbox.url}/_sandbox/${path}`)).json()).entry;
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('the form below a user', () => {
  it('saves name, e-mail and roles at once, and says so in the row that stays open', async () => {
    const form = { name: 'Robert', email: 'r@example.com', roles: 'admin, buyer clerk', password: '', q: 'bob' };
    const { status, to, html } = await send('/users/bob', form);
    expect([status, to]).toEqual([303, expect.stringMatching(/users\?q=bob&open=bob&done=\d+#row-bob$/)]);
    expect(shown(html, 'users-edit-done')).toEqual([
      'Saved bob: name, e-mail and roles. In memory, takes effect with the next token.',
    ]);
    expect([openForms(html), shown(html, 'users-done')]).toEqual([1, []]);
    const { access_token } = await signIn(sandbox.url, 'bob');
    expect(claimsOf(access_token).roles).toEqual(['admin', 'buyer', 'clerk']);
    const { claims } = await entryOf('users/bob');
    expect(claims).toMatchObject({ name: 'Robert', email: 'r@example.com', given_name: 'Bob' });
    expect(claims.roles).toEqual(['admin', 'buyer', 'clerk']);
  });

  it('changes nothing that was not typed, and shows no password', async () => {
    const { html } = await send('/users/carol', { name: 'Carol Núñez', email: 'carol@example.com', roles: '' });
    expect(shown(html, 'users-edit-done')).toEqual(['Nothing to save: carol is as it was.']);
    expect(sandbox.events.count('configuration.changed')).toBe(0);
    await send('/users/carol', { password: 'opensesame' });
    expect((await entryOf('users/carol')).password).toBe('opensesame');
    const list = await page('/users');
    expect(list).toContain('Set. A new password replaces it; empty keeps it.');
    expect(list).not.toContain('opensesame');
  });

  it('takes a claim away that is empty', async () => {
    await send('/users/bob', { name: ' ', email: '', roles: '' });
    const { claims, access_token_claims } = await entryOf('users/bob');
    expect([claims.name, claims.email, claims.roles, access_token_claims.roles]).toEqual([
      undefined,
      undefined,
      [],
      [],
    ]);
  });

  it('keeps what was typed, with what was sent, expected and how to write it', async () => {
    const { status, html } = await send('/users/bob', { name: 'Robert', email: 'r@example.com', roles: '["admin"]' });
    expect(status).toBe(400);
    expect(shown(html, 'users-edit-problem')).toEqual([
      '["admin"] was sent, expected words with spaces or commas between them, without quotes or brackets, such as admin buyer.',
    ]);
    expect(html).toMatch(/value="Robert"/);
    expect(openForms(html)).toBe(1);
    expect((await entryOf('users/bob')).claims.name).toBe('Bob Brewer');
  });

  it('has no field for roles that are no words', () => {
    const names = (more: Partial<TestUser>) => userRowFields({ ...alice, ...more }).map(({ name }) => name);
    expect(names({})).toContain('roles');
    expect(names({ claims: { roles: { shop: ['admin'] } } })).not.toContain('roles');
    expect(names({ claims: {}, access_token_claims: { roles: ['Domain Users'] } })).not.toContain('roles');
    expect(names({ claims: {}, access_token_claims: {} })).toContain('roles');
  });
});

describe('the form below a client', () => {
  it('saves redirect URIs and scopes, and leaves the other members', async () => {
    const redirect_uris = 'http://localhost:3000/callback\r\nhttps://shop.example/cb';
    const { html } = await send('/clients/frontend', { redirect_uris, scope: 'openid  orders:read' });
    expect(shown(html, 'clients-edit-done')).toEqual([
      expect.stringMatching(
        /^Saved frontend: redirect URIs and scopes\. In memory, takes effect with the next request\./,
      ),
    ]);
    const client = await entryOf('clients/frontend');
    expect(client).toMatchObject({ scope: 'openid orders:read', client_name: 'Demo front end' });
    expect(client.redirect_uris).toEqual(redirect_uris.split('\r\n'));
    expect(openForms(html)).toBe(1);
  });

  it('keeps what was typed beside its problem', async () => {
    const { status, html } = await send('/clients/frontend', { redirect_uris: 'nowhere', scope: 'openid' });
    expect(status).toBe(400);
    expect(shown(html, 'clients-edit-problem')[0]).toMatch(/^"nowhere" was sent, expected an absolute URI such as/);
    expect(html).toMatch(/aria-invalid="true"[^>]*>\nnowhere</);
  });

  it('has no redirect URIs for a service, and is not there in a dashboard that only shows', async () => {
    const html = await page('/clients');
    expect(html.split('data-testid="clients-edit-redirect_uris"')).toHaveLength(2);
    await using reader = await createSandbox({ dashboard: 'readonly', signingAlg: 'ES256' });
    expect(await (await get(`${reader.url}/dashboard/clients`)).text()).not.toContain('clients-edit');
  });
});

describe('a list', () => {
  it('shows the row whose form is open, whatever the filter', async () => {
    expect(openForms(await page('/users?q=alice&open=bob'))).toBe(1);
  });

  it('that is long has links to the forms', async () => {
    const users = Array.from({ length: 30 }, (_, n) => ({ sub: `user-${n}` }));
    await using long = await createSandbox({ users, signingAlg: 'ES256' });
    const html = await (await get(`${long.url}/dashboard/users?open=user-29`)).text();
    expect(html.split('data-testid="users-edit-save"')).toHaveLength(20 + 1 + 1);
    expect(html).toContain('href="/dashboard/users?open=user-28#row-user-28"');
    expect(html).toMatch(/id="row-user-29"[\s\S]*<details open>/);
  });
});
