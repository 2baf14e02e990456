import { readFileSync } from 'node:fs';
import { decodeJwt } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox, SandboxConfig, TokenRule } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';

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
