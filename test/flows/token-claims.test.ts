import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectSandbox, type Sandbox, type SandboxConfig, type TokenRule } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import { runningChild, until } from '../support/child.ts';
import { newFolder } from '../support/new-folder.ts';
import { asSensor, get, post } from '../support/wire.ts';

const client = { client_id: 'app', redirect_uris: ['http://localhost:3000/callback'], scope: 'openid email' };
const user = { sub: 'alice', claims: { email: 'alice@example.com', roles: ['admin'] } };

async function sandboxWith(config: SandboxConfig): Promise<Sandbox> {
  const sandbox = await createSandbox({ clients: [client], users: [user], ...config });
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

/** The tokens of a login of alice, and what UserInfo answers. */
async function loginAt(sandbox: Sandbox) {
  const { access_token, id_token = '' } = await sandbox.login({ client: 'app', user: 'alice', as: 'tokens' });
  const { userinfo_endpoint } = (await (
    await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)
  ).json()) as Record<string, string>;
  const headers = { authorization: `Bearer ${access_token}` };
  const userinfo = (await (await fetch(String(userinfo_endpoint), { headers })).json()) as Record<string, unknown>;
  return { accessToken: decodeJwt(access_token), idToken: decodeJwt(id_token), userinfo };
}

describe('tokenClaims', () => {
  it('are in the tokens and in UserInfo, and the page of a token names their rule', async () => {
    const sandbox = await sandboxWith({
      tokenClaims: [{ claims: { seal: 'red' } }, { claims: { seal: 'of ${user.email}' } }],
    });
    const { accessToken, idToken, userinfo } = await loginAt(sandbox);
    for (const claims of [accessToken, idToken, userinfo]) expect(claims.seal).toBe('of alice@example.com');
    const issued = sandbox.events.latest('token.issued', 10).filter(({ tokenType }) => tokenType !== 'refresh');
    for (const { tokenId } of issued) {
      const page = await (await fetch(`${sandbox.issuer}/dashboard/tokens/${tokenId}`)).text();
      expect(page).toContain('Set by tokenClaims[1]');
    }
    const settings = await (await fetch(`${sandbox.issuer}/dashboard/settings`)).text();
    expect(settings).toContain('<dt>tokenClaims[1]</dt>');
    expect(settings).toContain('of ${user.email}');
  });

  it('are in minted tokens, which may set other values, and in previews', async () => {
    const sandbox = await sandboxWith({
      tokenClaims: [{ claims: { seal: 'red', how: '${grant.type}' } }],
      onToken: ({ claims }) => ({ by: `after ${claims.seal}` }),
    });
    const asked = { client: 'app', user: 'alice', scope: 'openid' } as const;
    for (const type of ['access', 'id'] as const) {
      const { claims, tokenId } = await sandbox.issueToken({ ...asked, type, claims: { how: 'by hand' } });
      expect(claims).toMatchObject({ seal: 'red', how: 'by hand', by: 'after red' });
      const [issued] = sandbox.events.latest('token.issued', 1);
      expect(issued?.ruled).toEqual({ seal: 'tokenClaims[0]', by: 'onToken' });
      const page = await (await fetch(`${sandbox.issuer}/dashboard/tokens/${tokenId}`)).text();
      for (const words of ['Set by tokenClaims[0]', 'Set by onToken', 'Set by the call that minted it']) {
        expect(page).toContain(words);
      }
    }
    const { claims } = await sandbox.issueToken({ ...asked, format: 'opaque' });
    expect(claims).toMatchObject({ seal: 'red', how: 'mint' });
    const preview = await (await fetch(`${sandbox.issuer}/_sandbox/users/alice/claims?client=app`)).json();
    const seal = expect.objectContaining({ seal: 'red', how: 'authorization_code' });
    expect(preview).toEqual({ access: seal, id: seal, userinfo: seal });
    expect(await (await fetch(`${sandbox.issuer}/dashboard/users/alice`)).text()).toContain('Set by tokenClaims[0]');
  });

  it('of each issuer are its own', async () => {
    const sandbox = await sandboxWith({
      tokenClaims: [{ claims: { seal: 'first' } }],
      issuers: { '/other': { tokenClaims: [{ claims: { seal: 'other' } }] } },
    });
    expect((await loginAt(sandbox)).idToken.seal).toBe('first');
    const [other] = sandbox.issuers.values();
    const tokens = await other?.login({ client: 'app', user: 'alice', as: 'tokens' });
    expect(decodeJwt(tokens?.id_token ?? '').seal).toBe('other');
  });

  it('come after the claims of PRESET=keycloak, and see them', async () => {
    const sandbox = await sandboxWith({ preset: 'keycloak', tokenClaims: [ruleOf('keycloak')] });
    const { accessToken } = await loginAt(sandbox);
    expect(accessToken).toMatchObject({ typ: 'Bearer', resource_access: { shop: { roles: ['admin'] } } });
    expect(accessToken.realm_access).toMatchObject({ roles: expect.arrayContaining(['offline_access', 'admin']) });
  });
});

/** A folder with a configuration file in JavaScript, and other files. */
function folderWith(config: string, files: Readonly<Record<string, string>> = {}): string {
  return newFolder({ ...files, 'clients.config.mjs': config });
}

const machineToken = (url: string) =>
  post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor });

describe('onToken of a configuration file', () => {
  it('adds claims, and a reload brings the next one', async () => {
    const cwd = folderWith(`export default { onToken: async ({ client }) => ({ seal: 'of ' + client.client_name }) };`);
    await using child = await runningChild({ args: ['--config', 'clients.config.mjs'], cwd, env: { WATCH: 'off' } });
    const seal = async () => decodeJwt(((await (await machineToken(child.url)).json()) as Tokens).access_token).seal;
    expect(await seal()).toMatch(/^of .*sensor/i);
    writeFileSync(join(cwd, 'clients.config.mjs'), `export default { onToken: () => ({ seal: 'new' }) };`);
    const reloaded = await (await connectSandbox(child.url)).reload();
    expect(reloaded).toMatchObject({ entries: [{ kind: 'rule', name: 'onToken', change: 'changed' }] });
    expect(await seal()).toBe('new');
  });

  it('that fails is a server_error, with the stack in the log and nowhere else', async () => {
    const cwd = folderWith(`export default { onToken() { throw new Error('no tenant'); } };`);
    await using child = await runningChild({ args: ['--config', 'clients.config.mjs'], cwd });
    const answer = await machineToken(child.url);
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      ...{ error: 'server_error', error_description: 'onToken failed: Error: no tenant' },
    });
    await until(() => child.output.stdout.includes('clients.config.mjs:1'));
    const [failure] = child.output.stdout.split('\n').filter(line => line.includes('onToken failed"'));
    expect(JSON.parse(failure ?? '{}')).toMatchObject({ level: 50, err: { stack: expect.stringMatching(/\n +at /) } });
    const shown = await (await get(`${child.url}/_sandbox/events`)).text();
    expect(shown).toContain('on_token_failed');
    expect(shown + text).not.toMatch(/clients\.config\.mjs|\\n +at /);
  });

  it('that takes longer than onTokenTimeout is a server_error', async () => {
    observes('setting onTokenTimeout');
    const sandbox = await sandboxWith({
      onTokenTimeout: '1s',
      onToken: () => new Promise<never>(() => {}),
      clients: [{ client_id: 'sensor', client_secret: 'sensor-secret', grant_types: ['client_credentials'] }],
    });
    const answer = await machineToken(sandbox.url);
    const error_description = 'onToken failed: Error: it took longer than 1 second (ON_TOKEN_TIMEOUT)';
    expect(await answer.json()).toMatchObject({ error: 'server_error', error_description });
  });

  it('runs a file with an Action of Auth0', async () => {
    const action = `exports.onExecutePostLogin = async (event, api) => {
      if (!event.user.email.endsWith('@example.com')) return api.access.deny('only colleagues');
      api.idToken.setCustomClaim('https://shop.example/roles', event.authorization.roles);
      api.accessToken.setCustomClaim('mail', event.user.email);
    };`;
    const cwd = folderWith(
      `import { onExecutePostLogin } from './action.cjs';
      export default {
        onToken: { auth0Action: onExecutePostLogin },
        users: [{ sub: 'alice', claims: { email: 'alice@example.com', roles: ['admin'] } }, { sub: 'bob', claims: { email: 'bob@other.example' } }],
      };`,
      { 'action.cjs': action },
    );
    await using child = await runningChild({ args: ['--config', 'clients.config.mjs'], cwd });
    const sandbox = await connectSandbox(child.url);
    const tokens = await sandbox.login({ client: 'frontend', user: 'alice', as: 'tokens' });
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ 'https://shop.example/roles': ['admin'] });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ mail: 'alice@example.com' });
    await expect(sandbox.login({ client: 'frontend', user: 'bob', as: 'tokens' })).rejects.toThrow('only colleagues');
  });
});

interface Tokens {
  readonly access_token: string;
}

describe('docs/token-claims.md', () => {
  it.each([
    ['auth0', { 'https://shop.example/roles': ['admin'] }],
    ['cognito', { 'cognito:groups': ['admin'] }],
    ['entra', { roles: ['admin'] }],
    ['keycloak', { realm_access: { roles: ['admin'] }, resource_access: { shop: { roles: ['admin'] } } }],
    ['okta', { groups: ['Everyone', 'admin'] }],
    ['springSecurity', { authorities: ['admin'] }],
  ])('writes roles as %s does', async (provider, expected) => {
    const { accessToken } = await loginAt(await sandboxWith({ tokenClaims: [ruleOf(provider)] }));
    expect(accessToken).toMatchObject(expected);
  });
});

/** The rule of a provider, as the documentation has it. */
function ruleOf(provider: string): TokenRule {
  const text = readFileSync('docs/token-claims.md', 'utf8');
  const [, source = ''] = new RegExp(`^const ${provider} = (\\{[\\s\\S]*?\\n?\\});$`, 'm').exec(text) ?? [];
  return new Function(`return ${source}`)() as TokenRule;
}
