import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

const redirect_uri = 'http://localhost:3000/callback';

/** The scopes by which Zitadel and Logto release claims. */
const scopes = [
  'urn:zitadel:iam:org:projects:roles',
  'urn:zitadel:iam:user:resourceowner',
  'urn:logto:scope:organizations',
  'urn:logto:scope:organization_roles',
  'roles',
  'custom_data',
  'identities',
];

const shape = {
  scopes: Object.fromEntries(scopes.map(name => [name, name])),
  clients: [
    {
      client_id: 'app',
      client_secret: 'app-secret',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: ['openid', 'profile', 'email', 'offline_access', ...scopes].join(' '),
    },
  ],
  users: [
    {
      sub: 'alice',
      claims: {
        name: 'Alice Archer',
        email: 'alice@example.com',
        email_verified: true,
        preferred_username: 'alice',
        picture: 'https://example.com/alice.png',
        roles: ['admin', 'editor'],
        tenant: 'acme',
        organizations: [
          { id: 'org_1', name: 'acme', roles: ['admin', 'member'] },
          { id: 'org_2', name: 'umbrella', roles: ['member'] },
        ],
        app_metadata: { plan: 'gold' },
        user_metadata: { color: 'blue' },
        identities: { google: { userId: '1' } },
      },
    },
  ],
} satisfies SandboxConfig;

type Members = Readonly<Record<string, unknown>>;

const names = ['firebase', 'supabase', 'zitadel', 'logto', 'clerk'] as const;

describe.each(names)('the preset %s', preset => {
  let found: { readonly accessToken: Members; readonly idToken: Members; readonly userinfo: Members };

  beforeAll(async () => {
    await using sandbox = await createSandbox({ ...shape, preset });
    const tokens = await sandbox.login({ client: 'app', user: 'alice', redirect_uri, as: 'tokens' });
    const metadata = await (await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)).json();
    const { userinfo_endpoint } = metadata as { readonly userinfo_endpoint: string };
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const userinfo = (await (await fetch(userinfo_endpoint, { headers })).json()) as Members;
    const idToken = decodeJwt(tokens.id_token ?? '');
    found = { accessToken: decodeJwt(tokens.access_token), idToken, userinfo };
    expectGolden(preset, found, { url: sandbox.url, random: ['jti', 'sid', 'session_id', 'at_hash', 'timestamp'] });
  });

  it('has the tokens of the golden file', () => {
    expect(found.accessToken.sub).toBe('alice');
  });
});

// the presets differ in claims alone, and this one changes the issuer, too
it('the preset firebase keeps every promise of its metadata', async () => {
  expect(notKept(await metadataPromises({ ...shape, preset: 'firebase', keysFile: writeKeysFile() }))).toEqual([]);
});

describe('a claim shape', () => {
  async function accessToken(config: SandboxConfig): Promise<Members> {
    await using sandbox = await createSandbox({ ...shape, ...config });
    const tokens = await sandbox.login({ client: 'app', user: 'alice', redirect_uri, as: 'tokens' });
    return decodeJwt(tokens.access_token);
  }

  it('takes the options of its preset', async () => {
    const firebase = await accessToken({ preset: { name: 'firebase', project: 'shop' } });
    expect(firebase).toMatchObject({ aud: 'shop', iss: expect.stringMatching(/\/shop$/), plan: 'gold' });
    const zitadel = await accessToken({
      preset: { name: 'zitadel', organization: '7', domain: 'acme.test', project: '9' },
    });
    const roles = { admin: { 7: 'acme.test' }, editor: { 7: 'acme.test' } };
    expect(zitadel).toMatchObject({
      'urn:zitadel:iam:org:project:roles': roles,
      'urn:zitadel:iam:org:project:9:roles': roles,
    });
  });
});
