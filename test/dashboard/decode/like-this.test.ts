import { expect, it, onTestFinished } from 'vitest';
import { decodeJwt } from '../../../src/base/text/jwt.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import type { SandboxConfig } from '../../../src/sandbox/config/sandbox-config.ts';
import { unsigned } from '../../support/tenant.ts';

const foreign = {
  iss: 'https://id.acme.test',
  sub: 'auth0|jane',
  azp: 'shop',
  iat: 1_790_000_000,
  exp: 1_790_000_600,
  email: 'jane.roe@acme.test',
  'https://acme.test/roles': ['buyer'],
  tenant_note: 'Jane likes tea',
  scp: ['orders'],
  limits: { day: 500 },
};

async function start(config: SandboxConfig = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(config);
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

function send({ url }: Sandbox, path: string, form: Readonly<Record<string, string>>): Promise<Response> {
  const headers = { Origin: url };
  return fetch(`${url}/dashboard/decode${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
}

/** The value of a hidden field, as a browser sends it. */
function fieldIn(html: string, name: string): string {
  const [, value = ''] = new RegExp(`name="${name}" value="([^"]*)"`).exec(html) ?? [];
  return value.replaceAll('&#34;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

it('shows the difference first, and after a click the tokens of the client look like the pasted one', async () => {
  const sandbox = await start();
  const page = await (await send(sandbox, '', { token: unsigned(foreign) })).text();
  expect(page).toContain('data-testid="decode-like"');
  const asked = { claims: fieldIn(page, 'claims'), client: 'frontend', kind: 'accessToken' };
  const shown = await (await send(sandbox, '/like', asked)).text();
  for (const text of [
    'Nothing has changed yet',
    'https://acme.test/roles',
    'buyer',
    'Made-up values: <code>tenant_note',
  ])
    expect(shown).toContain(text);
  expect(shown).not.toContain('Jane likes tea');
  expect(await sandbox.tokenClaims.list()).toEqual([]);

  const rule = fieldIn(shown, 'rule');
  const done = await (await send(sandbox, '/like/accept', { rule, client: 'frontend', kind: 'accessToken' })).text();
  expect(done).toContain('data-testid="decode-like-done"');
  const tokens = await sandbox.login({ client: 'frontend', user: 'bob', as: 'tokens', scope: 'openid' });
  const claims = decodeJwt(tokens.access_token)?.claims ?? {};
  expect(claims).toMatchObject({
    email: 'bob@example.com',
    'https://acme.test/roles': ['buyer'],
    scp: ['openid'],
    limits: { day: 111 },
  });
  expect(String(claims.tenant_note)).toMatch(/^\w{4} \w{5} \w{3}$/);
  const again = await (await send(sandbox, '/like', asked)).text();
  expect(again).toContain('data-testid="decode-like-same"');
});

it('changes the rule of an earlier token in place of adding one', async () => {
  const sandbox = await start();
  const rule = (claims: object) => JSON.stringify({ client: 'frontend', for: 'idToken', claims });
  for (const claims of [{ plan: 'gold' }, { region: 'eu' }])
    await send(sandbox, '/like/accept', { rule: rule(claims) });
  expect(await sandbox.tokenClaims.list()).toEqual([
    { client: 'frontend', for: 'idToken', claims: { plan: 'gold', region: 'eu' } },
  ]);
});

it.each([
  ['claims that are no object', '/like', { claims: '[', client: 'frontend' }, 'The claims must be a JSON object'],
  ['an unknown client', '/like', { claims: '{}', client: 'none' }, 'Choose a client that exists'],
  ['a rule that is no object', '/like/accept', { rule: '7' }, 'The rule must be a JSON object'],
  ['a rule for the protocol', '/like/accept', { rule: '{"claims":{"exp":1}}' }, 'the server sets exp itself'],
  ['a rule of another form', '/like/accept', { rule: '{"claims":"x"}' }, 'tokenClaims[0]'],
])('refuses %s with a sentence', async (_, path, form, said) => {
  const sandbox = await start();
  const answer = await send(sandbox, path, form);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain(said);
  expect(await sandbox.tokenClaims.list()).toEqual([]);
});

it('is not offered for tokens of the sandbox itself, nor where the dashboard only shows', async () => {
  const sandbox = await start();
  const { token } = await sandbox.issueToken({ client: 'frontend', user: 'alice' });
  expect(await (await send(sandbox, '', { token })).text()).not.toContain('data-testid="decode-like"');
  const readOnly = await start({ dashboard: 'readonly' });
  expect(await (await send(readOnly, '', { token: unsigned(foreign) })).text()).not.toContain(
    'data-testid="decode-like"',
  );
  expect((await send(readOnly, '/like/accept', { rule: '{}' })).status).toBe(403);
});
