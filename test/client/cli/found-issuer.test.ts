import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { healthcheck } from '../../../src/client/cli/healthcheck.ts';
import { connectSandbox, createSandbox, type Sandbox, type SandboxConfig } from '../../../src/index.ts';
import { observes } from '../../observed.ts';
import { type } from './support.ts';

const redirect_uris = ['http://localhost:3000/callback'];
const shared: SandboxConfig = {
  clients: [
    { client_id: 'web', client_secret: 'secret', grant_types: ['authorization_code'], redirect_uris, scope: 'openid' },
  ],
  users: [{ sub: 'alice', username: 'alice' }],
};

/** Each way by which the issuer, its metadata or its `iss` is not the address of the sandbox. */
const ways: readonly (readonly [name: string, config: SandboxConfig])[] = [
  ['the plain sandbox', {}],
  ['ISSUER with a path', { issuer: 'http://localhost:9000/idp' }],
  ['ISSUER with a name that is unknown here', { issuer: 'https://dev.example/a/b' }],
  ...(['keycloak', 'entra', 'auth0', 'okta', 'cognito', 'firebase', 'supabase', 'logto'] as const).map(
    preset => [`PRESET=${preset}`, { preset }] as const,
  ),
  ['PRESET=entra below a path', { preset: 'entra', issuer: 'https://dev.example/idp' }],
  ['PRESET=google with its own iss', { preset: { name: 'google', issuer: 'google' } }],
  ['PRESET=cognito with its own iss', { preset: { name: 'cognito', issuer: 'aws' } }],
];

describe.each(ways)('from the address of the sandbox, %s', (_name, config) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ ...shared, ...config });
  });
  afterAll(() => sandbox.stop());
  const here = (...argv: string[]) => type([...argv, '--url', sandbox.url]);

  it('every command finds the issuer', async () => {
    observes('command wait', 'command env', 'command token', 'command report', 'command state');
    const waited = await here('wait', '--json', '--timeout', '2m');
    expect(waited).toMatchObject({ code: 0, note: '' });
    const { url, issuer } = JSON.parse(waited.out);
    const path = new URL(sandbox.issuer).pathname.replace(/\/$/, '');
    expect(url).toBe(sandbox.url + path);

    const { out } = await here('env', '--json');
    const variables = JSON.parse(out);
    expect(variables.OIDC_ISSUER).toBe(issuer);
    const { pathname } = new URL(variables.OIDC_DISCOVERY_URL);
    expect(await (await fetch(sandbox.url + pathname)).json()).toMatchObject({ issuer });

    const login = ['token', '--client', 'web', '--secret', 'secret', '--user', 'alice', '--json'];
    const token = await here(...login);
    expect(token).toMatchObject({ code: 0, note: '' });
    const [, claims = ''] = String(JSON.parse(token.out).id_token).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: issuer });
    // what wait prints is an address, too, and the issuer is one wherever it is here
    expect(await type([...login, '--url', url])).toMatchObject({ code: 0, note: '' });
    const isHere = new URL(issuer).origin === new URL(sandbox.issuer).origin;
    const named = isHere ? sandbox.url + new URL(issuer).pathname : url;
    expect(await type([...login, '--url', named])).toMatchObject({ code: 0, note: '' });

    expect((await here('report', '--json')).out).toContain('"web"');
    expect(await here('state', 'export', '-')).toMatchObject({ code: 0, note: '' });
    for (const address of [sandbox.url, `${url}/`, `${sandbox.url}/health`])
      expect(await healthcheck({ url: address, timeoutSeconds: 60 })).toMatchObject({ code: 0 });
    const connected = await connectSandbox(sandbox.url);
    expect([connected.url, connected.issuer]).toEqual([url, sandbox.issuer]);
    expect(sandbox.events.latest('error.returned', 10)).toEqual([]);
  });
});

describe('at a path without an issuer', () => {
  it('no command waits, and each names the issuer that there is', async () => {
    await using sandbox = await createSandbox({ preset: 'keycloak' });
    for (const argv of [['wait'], ['env'], ['token', '--client', 'web'], ['report']]) {
      expect(await type([...argv, '--url', `${sandbox.url}/realms/dmeo`])).toEqual({
        code: 1,
        out: '',
        note: `grantbox ${argv[0]}: the sandbox at ${sandbox.url} has no issuer at ${sandbox.url}/realms/dmeo. Its first issuer is at ${sandbox.url}/realms/demo.\n`,
      });
    }
  });

  it('ISSUERS=any makes one', async () => {
    await using sandbox = await createSandbox({ anyIssuer: true });
    const { code, out } = await type(['wait', '--json', '--url', `${sandbox.url}/made/here`]);
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, issuer: `${sandbox.issuer}/made/here` });
  });
});
