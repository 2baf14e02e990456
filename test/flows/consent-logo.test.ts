import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { authorizeQuery, callback, post } from '../support/wire.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.stop());

/** The pages of a login of a client that registered itself with this logo. */
async function pagesOf(logo_uri: string) {
  sandbox = await createSandbox();
  const metadata = { redirect_uris: [callback], token_endpoint_auth_method: 'none', scope: 'openid email', logo_uri };
  const registered = await post(`${sandbox.url}/connect/register`, JSON.stringify(metadata), {
    'content-type': 'application/json',
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const policies: string[] = [];
  const agent = createAgent(sandbox.url, async (url, init) => {
    const response = await fetch(url, init);
    policies.push(response.headers.get('content-security-policy') ?? '');
    return response;
  });
  const query = authorizeQuery({ client_id, scope: 'openid email', prompt: 'consent' });
  const login = await agent.open(`${sandbox.url}/oauth2/authorize?${query}`);
  const loginPolicy = policies.at(-1);
  const consent = await agent.submit(login, 'login-user-alice');
  return { login: login.html, loginPolicy, consent: consent.html, consentPolicy: policies.at(-1) };
}

describe('the logo of a client that registered itself', () => {
  it('is shown at consent, without a Referer, and no other host may show an image (OIDC Registration §2)', async () => {
    const logo = 'https://app.example/logo.png';
    const { login, loginPolicy, consent, consentPolicy } = await pagesOf(logo);
    expect(consent).toContain(`<img class="app-mark" src="${logo}" alt="" referrerpolicy="no-referrer">`);
    expect(consentPolicy).toContain("img-src 'self' data: https://app.example;");
    expect(login).toContain(`href="${logo}"`);
    expect(login).not.toContain(`src="${logo}"`);
    expect(loginPolicy).toContain("img-src 'self' data:;");
  });

  it('cannot add to the policy of the page', async () => {
    const { consentPolicy } = await pagesOf("https://app.example/a;script-src'none';b");
    expect(consentPolicy).toContain("img-src 'self' data: https://app.example;");
    expect(consentPolicy).toContain("script-src 'self';");
    expect(consentPolicy?.match(/script-src/g)).toHaveLength(1);
  });
});
