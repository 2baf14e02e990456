import type { SandboxConfig } from '../../src/index.ts';
import { codeVerifier } from './authorization-url.ts';

export const redirect_uri = 'https://app.example/callback';
export const origin = 'https://app.example';
export const tenant = '6f2d0bd4-7c3e-4a51-9d8f-2b1e5a90c7d3';
const webUri = 'https://web.example/callback';

/** A tenant with an application of each type, an API of each token version and a user in two groups. */
export const tenantConfig: SandboxConfig = {
  preset: 'entra',
  scopes: { 'api://legacy/read': { access_token_claims: { ver: '1.0' } } },
  clients: [
    {
      client_id: 'spa',
      redirect_uris: [redirect_uri],
      post_logout_redirect_uris: [`${origin}/`],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid profile email offline_access User.Read api://bikes/read api://bikes/write api://legacy/read',
    },
    {
      client_id: 'web',
      client_secret: 'web-secret',
      redirect_uris: [webUri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'password', 'implicit'],
      scope: 'openid profile email offline_access User.Read api://bikes/read api://legacy/read',
      access_token_claims: { roles: ['Bikes.Read.All'] },
      require_pkce: false,
    },
    {
      client_id: 'native',
      application_type: 'native',
      redirect_uris: ['http://localhost/native'],
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      scope: 'openid profile offline_access User.Read',
    },
  ],
  users: [
    {
      sub: 'alice',
      password: 'alice-password',
      claims: {
        name: 'Alice Archer',
        given_name: 'Alice',
        family_name: 'Archer',
        email: 'alice@example.com',
        roles: ['Admin'],
        groups: ['/acme/engineering'],
      },
    },
    { sub: 'bob', claims: { name: 'Bob Baker', groups: ['/acme'], group_overage: true } },
  ],
};

export type Form = Readonly<Record<string, string>>;
export type Members = Readonly<Record<string, unknown>>;

/** Calls of applications at a tenant: `authority` is its address, or that of another of its names. */
export function entraAt(authority: string) {
  const post = async (path: string, form: Form, headers: Form = {}) => {
    const body = new URLSearchParams(form);
    const response = await fetch(authority + path, { method: 'POST', headers, body, redirect: 'manual' });
    return { status: response.status, body: (await response.json()) as Members };
  };
  const token = (form: Form, headers: Form = { origin }) => post('/oauth2/v2.0/token', form, headers);
  const applications = {
    spa: { client_id: 'spa', redirect_uri },
    web: { client_id: 'web', redirect_uri: webUri },
  };
  /** The answer of the authorization endpoint, by automatic login. */
  async function authorize(client: keyof typeof applications, more: Form = {}): Promise<URLSearchParams> {
    const query = new URLSearchParams({
      response_type: 'code',
      ...applications[client],
      scope: 'openid profile offline_access',
      nonce: 'the-nonce',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...more,
    });
    const { headers } = await fetch(`${authority}/oauth2/v2.0/authorize?${query}`, { redirect: 'manual' });
    const { search, hash } = new URL(headers.get('location') ?? '');
    return new URLSearchParams(hash === '' ? search : hash.slice(1));
  }
  const redemption = (code: string, more: Form = {}): Form => ({
    ...{ grant_type: 'authorization_code', ...applications.spa, code, code_verifier: codeVerifier, ...more },
  });
  /** Tokens for a page. */
  async function logIn(scope: string, more: Form = {}): Promise<Members> {
    const code = (await authorize('spa', { scope, ...more })).get('code') ?? '';
    return (await token(redemption(code, { scope, client_info: '1' }))).body;
  }
  /** The same for a server with a secret. */
  const webRedemption = (code: string): Form => redemption(code, { ...applications.web, client_secret: 'web-secret' });
  return { post, token, authorize, logIn, redemption, webRedemption };
}
