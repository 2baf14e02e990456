import { describe, expect, it } from 'vitest';
import { modules } from '../../../src/modules.ts';
import { defaultPaths } from '../../../src/protocol/authorization-server.ts';
import { issuerMembers, reservedSegments } from '../../../src/sandbox/config/issuers.ts';
import type { IssuerEntry, SandboxConfig } from '../../../src/sandbox/config/sandbox-config.ts';
import { otherRoutes } from '../../../src/server/http/other-routes.ts';
import { endpointRoutes } from '../../../src/server/http/routes.ts';
import { loadConfig } from '../../support/load-config.ts';
import { settingList } from '../../support/tables.ts';
import { problemsOf, shop } from './support.ts';

async function issuersOf(config: SandboxConfig) {
  const { issuers } = await loadConfig({ overrides: config });
  return new Map(issuers.map(({ path, config: own }) => [path, own]));
}

describe('issuers beside the first', () => {
  it('are none by default', async () => {
    expect((await loadConfig({})).issuers).toEqual([]);
  });

  it('have clients and settings of their own, and the rest from the first', async () => {
    const issuers = await issuersOf({
      codeLifetime: 30,
      signingAlg: 'ES256',
      users: [{ sub: 'zoe' }],
      issuers: { blue: { clients: [shop], signingAlg: 'PS256' } },
    });
    const blue = issuers.get('/blue');
    expect(blue?.clients.map(client => client.client_id)).toEqual(['shop']);
    expect(blue?.users.map(user => user.sub)).toEqual(['zoe']);
    expect(blue).toMatchObject({ signingAlg: 'PS256', codeLifetime: 30 });
  });

  it('say more than flags and the environment do', async () => {
    const { issuers, signingAlg } = await loadConfig({
      env: { SIGNING_ALG: 'ES384' },
      overrides: { issuers: { blue: { signingAlg: 'PS256' }, green: {} } },
    });
    expect(signingAlg).toBe('ES384');
    expect(issuers.map(({ config }) => config.signingAlg)).toEqual(['PS256', 'ES384']);
  });

  it('may be written with a slash', async () => {
    expect([...(await issuersOf({ issuers: { '/a/b': {}, c: {} } })).keys()]).toEqual(['/a/b', '/c']);
  });

  it('can override the members of IssuerEntry, and no others', () => {
    const typed = {
      clients: 0,
      users: 0,
      scopes: 0,
      collections: 0,
      authorizationDetailsTypes: 0,
      trustedIssuers: 0,
    } satisfies Partial<Record<keyof IssuerEntry, 0>>;
    const settings: readonly string[] = Object.keys(typed);
    const members = issuerMembers(settingList);
    expect(settings.filter(name => !members.includes(name))).toEqual([]);
    for (const name of ['port', 'host', 'issuer', 'tls', 'logLevel', 'allowedHosts', 'outbound', 'issuers']) {
      expect(members).not.toContain(name);
    }
  });
});

describe('problems', () => {
  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['a path with spaces', { 'a b': {} }, 'issuers["a b"]', /letters, digits/],
    ['a path with dot segments', { 'a/../b': {} }, 'issuers["a/../b"]', /dot segments/],
    ['a path of the sandbox itself', { 'oauth2/token': {} }, 'issuers["oauth2/token"]', /belongs to the sandbox/],
    ['a path around those of the sandbox', { oauth2: {} }, 'issuers.oauth2', /belongs to the sandbox/],
    ['an entry that is no object', { a: 'x' }, 'issuers.a', /an object/],
    ['a path below another', { a: {}, 'a/b': {} }, 'issuers["a/b"]', /the path of a different issuer/],
    ['a setting of the whole sandbox', { a: { port: 1 } }, 'issuers["a"]: port', /set once for the whole sandbox/],
    ['a client that is wrong', { a: { clients: [{ ...shop, scope: 1 }] } }, 'issuers["a"]: clients[0].scope', /text/],
  ])('name %s', async (_what, issuers, source, expected) => {
    const problems = await problemsOf({ overrides: { issuers } as unknown as SandboxConfig });
    expect(problems).toEqual([
      expect.objectContaining({ source: `createSandbox: ${source}`, expected: expect.stringMatching(expected) }),
    ]);
  });

  it.each([
    ['is the path of the first', 'auth'],
    ['is below the path of the first', 'auth/login'],
  ])('name a path that %s', async (_what, path) => {
    const problems = await problemsOf({ overrides: { issuer: 'http://localhost:9000/auth', issuers: { [path]: {} } } });
    expect(problems).toEqual([
      expect.objectContaining({ expected: 'a path outside /auth, the path of the first issuer' }),
    ]);
  });

  it('that several issuers share are reported once', async () => {
    const problems = await problemsOf({ env: { SIGNING_ALG: 'RS255' }, overrides: { issuers: { a: {}, b: {} } } });
    expect(problems.map(({ source }) => source)).toEqual(['environment SIGNING_ALG']);
  });
});

it('no issuer can hide a path of the sandbox', () => {
  const paths = [...endpointRoutes({ paths: defaultPaths }, ''), ...otherRoutes].map(({ path }) => path.split('/')[1]);
  const reserved = reservedSegments([]);
  expect([...new Set(paths)].filter(segment => segment !== '' && !reserved.has(segment ?? ''))).toEqual([]);
});

it('no issuer can hide a path of an extension', () => {
  const reserved = reservedSegments(modules.extensions);
  expect(['lessons', 'room', 'demo-app'].filter(segment => !reserved.has(segment))).toEqual([]);
  expect(reserved.has('labs'), 'which only the issuers of learners have').toBe(false);
});
