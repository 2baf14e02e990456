import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuthorizationRequest } from '../../../src/protocol/requests/authorization-request.ts';
import { readTypedClaims } from '../../../src/protocol/users/login-claims.ts';
import { createUserDirectory, type TestUser } from '../../../src/protocol/users/user.ts';
import { english } from '../../../src/server/http/signin/language.ts';
import type { EditorState } from '../../../src/server/http/signin/login-again.ts';
import type { LoginView } from '../../../src/server/http/signin/login-details.ts';
import { howManyNames, madeUpPerson } from '../../../src/server/http/signin/made-up-person.ts';
import { offeredUsers } from '../../../src/server/http/signin/user-cards.ts';
import { createViews } from '../../../src/server/http/views.ts';
import { publicClient } from '../../support/client.ts';

const templatesFolder = join(import.meta.dirname, '../../../templates');
const look = { label: '', issuer: 'http://localhost:9000/t', version: '1.2.3', dashboard: true, base: '/t' };
const views = createViews({ templatesFolder, look });
const hostile = `"'><script>alert(1)</script></textarea>`;

const alice: TestUser = { sub: 'alice', username: 'alice', claims: { name: 'Alice' }, access_token_claims: {} };
const request: AuthorizationRequest = {
  ...{ client_id: 'frontend', redirect_uri: 'http://localhost:5173/callback', response_type: 'code' },
  ...{ response_mode: 'query', scopes: ['openid'], prompt: [], acr_values: [], resources: [] },
};
const view: LoginView = {
  language: english,
  page: { client: publicClient, request, cause: 'no_session' },
  users: [alice],
  mode: 'picker',
  action: '/t/login?client_id=frontend',
  scopes: [],
  relaxations: [],
  autoLogin: { byHint: false, prompt: 'silent' },
  requestId: 'req_1',
};
const editor: EditorState = { sub: 'alice', claims: '{"a": 1}', isComplete: true, keep: 'login' };
const html = (more: Partial<LoginView>) => views.login({ ...view, ...more });
const autofocused = (page: string) => [...page.matchAll(/<(\w+)\b[^>]* autofocus/g)].map(([, tag]) => tag);

describe('the claims editor', () => {
  it('is closed and empty until somebody uses it', async () => {
    const page = await html({});
    expect(page).toMatch(/<details class="more">\s*<summary data-testid="login-someone-else">Someone else/);
    expect(page).toMatch(/data-testid="login-claims"[^>]*>\n?<\/textarea>/);
    expect(page).toContain('Leave empty to use the user’s own claims.');
    expect(page).not.toContain('name="complete"');
  });

  it('keeps what was typed, and says in which line it is wrong', async () => {
    const problem = { line: 3, reason: 'text must be in double quotes' };
    const page = await html({ editor: { ...editor, claims: hostile, problem, keep: 'user' } });
    expect(page).toContain(
      'role="alert" data-testid="login-claims-problem">Line 3: <span lang="en" dir="ltr">text must be in double quotes.</span>',
    );
    expect(page).toContain('&#34;&#39;&gt;&lt;script&gt;');
    expect(page).not.toContain('<script>alert');
    expect(page).toMatch(/value="user" data-testid="login-keep-user" checked/);
    expect(page).toMatch(/aria-describedby="claims-problem claims-note" aria-invalid="true"/);
    expect(autofocused(page)).toEqual(['textarea']);
  });

  it('says that a filled-in editor has all the claims', async () => {
    const page = await html({ editor });
    expect(page).toContain('<input type="hidden" name="complete" value="on">');
    expect(page).toContain('A claim that you delete is left out.');
    expect(page).toMatch(/<option value="alice" selected>/);
    expect(page).toMatch(/data-testid="login-sub" value="alice"/);
  });

  it('shows the preview, with the focus on its heading', async () => {
    const preview = { access: { roles: [hostile] }, id: { sub: 'alice' }, userinfo: { name: 'A' } };
    const page = await html({ editor: { ...editor, preview, edited: ['roles'] } });
    expect([...page.matchAll(/data-testid="login-preview-(\w+)"/g)].map(([, name]) => name)).toEqual([
      ...['id', 'access', 'userinfo'],
    ]);
    expect(page).toContain('Set for this sign-in: <code>roles</code>');
    expect(page).not.toContain('<script>alert');
    expect(autofocused(page)).toEqual(['h2']);
    const { id: _, userinfo: __, ...alone } = preview;
    expect(await html({ editor: { ...editor, preview: alone, edited: [] } })).toContain('does not include');
  });

  it('leaves the focus with a subject that was refused', async () => {
    const page = await html({ typed: 'Zoë', notice: { word: 'unknownSubject' }, editor: { ...editor, sub: 'Zoë' } });
    expect(autofocused(page)).toEqual(['input']);
    expect(page).toContain('aria-invalid="true"');
  });

  it('is not there for a password', async () => {
    expect(await html({ mode: 'password' })).not.toContain('login-claims');
  });
});

describe('the request details', () => {
  it.each([
    [{}, 'none; sandbox_login'],
    [{ autoLogin: { byHint: true, prompt: 'silent' } }, 'this request has none'],
    [
      {
        autoLogin: { byHint: false, prompt: 'show', user: 'alice' },
        page: { ...view.page, heldBack: { by: 'environment', named: hostile } },
      },
      'AUTO_LOGIN would sign in &#34;&#39;&gt;&lt;script',
    ],
  ] as const)('say which automation would apply: %o', async (more, words) => {
    expect(await html(more)).toContain(words);
  });

  it('lead to the flow, where there is a dashboard', async () => {
    expect(await html({})).toContain('href="/t/dashboard/flows/by-request/req_1"');
    const alone = createViews({ templatesFolder, look: { ...look, dashboard: false } });
    expect(await alone.login(view)).not.toContain('/dashboard/');
  });
});

describe('the cards', () => {
  it('say from the record who has another factor, and who is locked', async () => {
    const claims = { name: 'A', amr: ['mfa'], locked: true };
    expect(await html({ users: [{ ...alice, claims }] })).toContain('<span class="person-tags">MFA, locked</span>');
  });

  it('leave out who came once under a typed name, but for who knows them', () => {
    const directory = createUserDirectory([alice], []);
    directory.create('dora', 'visitor');
    directory.create('erin');
    const offered = (known: string[]) => offeredUsers(directory.values(), known).map(({ sub }) => sub);
    expect(offered([])).toEqual(['alice', 'erin']);
    expect(offered(['dora'])).toEqual(['alice', 'dora', 'erin']);
  });
});

it('the page without an answer leads back, and shows where the app waits', async () => {
  const page = { client: publicClient, redirect_uri: `http://localhost/${hostile}` };
  const text = await views.noAnswer({ language: english, page, again: '/t/oauth2/authorize?a=1', requestId: 'req_2' });
  expect(text).toContain('href="/t/oauth2/authorize?a=1"');
  expect(text).toContain('href="/t/dashboard/flows/by-request/req_2"');
  expect(text).not.toContain('<script>alert');
});

describe('a person who was made up', () => {
  const people = Array.from({ length: howManyNames }, (_, index) => madeUpPerson(index, 7));

  it('has a sub that can be one, and claims that a login takes', () => {
    const directory = createUserDirectory([], []);
    for (const { sub, claims } of people) {
      expect(directory.draft(sub)?.sub).toBe(sub);
      expect(readTypedClaims(JSON.stringify(claims))).toHaveProperty('claims');
      expect(sub).toMatch(/^[a-z]+\.[a-z]+\.7$/);
    }
    expect(new Set(people.map(({ sub }) => sub)).size).toBe(howManyNames);
  });

  it('has an address that belongs to nobody (RFC 2606)', () => {
    for (const { claims } of people) expect(claims.email).toMatch(/@example\.com$/);
  });
});
