import { describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../../src/sandbox/config/sandbox-config.ts';
import { loadConfig } from '../../support/load-config.ts';
import { shop, withFile } from './support.ts';

const found = async (content: SandboxConfig & Record<string, unknown>) =>
  (await (await loadConfig(withFile(content))).withoutEffect?.()) ?? [];

const anna = { sub: 'anna', claims: { email: 'anna@example.com', department: 'sales' } };

describe('An entry without effect is told with the line to add', () => {
  it('a claim that no scope releases, once for all users', async () => {
    expect(await found({ clients: [shop], users: [anna, { ...anna, sub: 'ben' }] })).toEqual([
      'clients.config.json: users[0].claims.department: no scope and no rule releases this claim (and of 1 more), so no token has it. ' +
        'Add to scopes: "department": { "claims": ["department"] }, and department to the scope of a client',
    ]);
  });

  it('a claim whose scope no client names', async () => {
    const users = [{ sub: 'anna', claims: { roles: ['admin'] } }];
    const clients = [{ ...shop, scope: 'openid' }];
    expect(await found({ clients, users })).toEqual([
      expect.stringMatching(/users\[0\]\.claims\.roles: .*\. Add roles to the scope of a client$/),
    ]);
  });

  it('a scope that only a client names, with the name that may be meant', async () => {
    const clients = [{ ...shop, scope: 'openid orders:read bikes:raed' }];
    expect(await found({ clients })).toEqual([
      expect.stringContaining(
        'clients[0].scope: no entry of scopes defines orders:read, which shop may ask for: it releases no claims and opens no collection. Add to scopes: "orders:read": "see orders"',
      ),
      expect.stringContaining('Did you mean bikes:read?'),
    ]);
  });

  it('offline_access of a client without the grant refresh_token', async () => {
    const machine = { client_id: 'job', client_secret: 's', grant_types: ['client_credentials'] };
    const clients = [
      { ...shop, scope: 'openid offline_access' },
      { ...machine, scope: 'offline_access' },
    ] as SandboxConfig['clients'] & object;
    expect(await found({ clients })).toEqual([
      'clients.config.json: clients[0].scope: shop may ask for offline_access, but gets no refresh token. Add: "grant_types": ["authorization_code", "refresh_token"]',
      'clients.config.json: clients[1].scope: job may ask for offline_access, but gets no refresh token. Remove offline_access: client_credentials never gives one',
    ]);
  });

  it('the audience of a client where the preset decides the aud', async () => {
    const clients = [{ ...shop, audience: 'https://api.example' }];
    expect(await found({ clients, preset: 'supabase' })).toEqual([
      expect.stringMatching(/clients\[0\]\.audience: supabase decides the aud of a token itself\./),
    ]);
  });
});

describe('Nothing is told', () => {
  it.each<[string, SandboxConfig]>([
    ['of the entries that come with Grantbox', {}],
    ['of a claim that a scope releases', { scopes: { department: { claims: ['department'] } } }],
    [
      'of a claim that a rule reads',
      { tokenClaims: [{ claims: { 'https://shop.example/dep': `\${user.department}` } }] },
    ],
    ['of a scope that a collection requires', { clients: [{ ...shop, scope: 'openid bikes:read' }] }],
    ['of a client that may ask for every scope', { clients: [shop] }],
  ])('%s', async (what, content) => {
    const users = what.includes('claim') ? [anna] : undefined;
    expect(await found({ clients: [shop], ...content, ...(users && { users }) })).toEqual([]);
  });
});

it('the line and column of a YAML file are told', async () => {
  const yaml =
    'clients:\n  - client_id: shop\n    redirect_uris: [https://shop.example/cb]\n    scope: openid offline_access\n';
  const { newFolder } = await import('../../support/new-folder.ts');
  const config = await loadConfig({ cwd: newFolder({ 'clients.config.yaml': yaml }) });
  expect(await config.withoutEffect?.()).toEqual([
    expect.stringMatching(/^clients\.config\.yaml:4:5: clients\[0\]\.scope: shop may ask for offline_access/),
  ]);
});
