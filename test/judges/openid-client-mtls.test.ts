import { X509Certificate } from 'node:crypto';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { afterAll, describe, expect, it } from 'vitest';
import type { ClientEntry } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';

const callback = 'https://bank.example/callback';

/** As the FAPI security profile has it: mutual TLS for the client and its tokens, PKCE, nothing else. */
const bank: ClientEntry = {
  client_id: 'bank',
  token_endpoint_auth_method: 'tls_client_auth',
  tls_client_auth_san_dns: 'bank.example',
  tls_client_certificate_bound_access_tokens: true,
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  redirect_uris: [callback],
  require_pkce: true,
  scope: 'openid profile products:read',
};
const sandbox = await createSandbox({ tls: 'self-signed', clients: [bank] });
afterAll(() => sandbox.stop());

const ca = sandbox.tls?.ca ?? '';
const certificate = await sandbox.tls?.clientCertificate?.({ subject_dn: 'CN=Bank', san_dns: 'bank.example' });
const other = await sandbox.tls?.clientCertificate?.({ subject_dn: 'CN=Bank', san_dns: 'bank.example' });
const called: string[] = [];

async function discover(identity: typeof certificate): Promise<client.Configuration> {
  const fetchBy = createTlsFetch({ ca, ...identity });
  const customFetch: client.CustomFetch = (url, { method, headers, body }) => {
    called.push(url);
    return fetchBy(url, { method, headers, body });
  };
  const metadata = { use_mtls_endpoint_aliases: true };
  const execute = [client.enableNonRepudiationChecks];
  const config = await client.discovery(new URL(sandbox.issuer), 'bank', metadata, client.TlsClientAuth(), {
    [client.customFetch]: customFetch,
    execute,
  });
  config[client.customFetch] = customFetch;
  return config;
}

async function logIn(
  config: client.Configuration,
  buildUrl = async (...sent: Built) => client.buildAuthorizationUrl(...sent),
) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedNonce, expectedState] = [client.randomNonce(), client.randomState()];
  const url = await buildUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile products:read',
    nonce: expectedNonce,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const agent = createAgent(sandbox.url, createTlsFetch({ ca }));
  const visit = await agent.submit(await agent.open(url), 'login-user-alice');
  return client.authorizationCodeGrant(config, visit.url, { pkceCodeVerifier, expectedNonce, expectedState });
}

type Built = Parameters<typeof client.buildAuthorizationUrl>;

const thumbprint = Buffer.from(
  new X509Certificate(certificate?.cert ?? '').fingerprint256.replaceAll(':', ''),
  'hex',
).toString('base64url');

describe('openid-client with TlsClientAuth', () => {
  it('logs in, and gets tokens that are bound to its certificate', async () => {
    const config = await discover(certificate);
    const tokens = await logIn(config);
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ 'x5t#S256': thumbprint });
    expect(await client.fetchUserInfo(config, tokens.access_token, 'alice')).toMatchObject({ name: 'Alice Archer' });

    const url = new URL(`${sandbox.url}/api/products`);
    const response = await client.fetchProtectedResource(config, tokens.access_token, url, 'GET');
    expect(response.status).toBe(200);

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(decodeJwt(refreshed.access_token).cnf).toEqual({ 'x5t#S256': thumbprint });
  });

  it('pushes its authorization request, known by its certificate', async () => {
    const config = await discover(certificate);
    called.length = 0;
    const tokens = await logIn(config, client.buildAuthorizationUrlWithPAR);
    const { mtls_endpoint_aliases: aliases } = config.serverMetadata();
    expect(called[0]).toBe(aliases?.pushed_authorization_request_endpoint);
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ 'x5t#S256': thumbprint });
    const pushing = logIn(await discover(undefined), client.buildAuthorizationUrlWithPAR);
    await expect(pushing).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
  });

  it('goes where the aliases for mutual TLS lead', async () => {
    const config = await discover(certificate);
    called.length = 0;
    await client.clientCredentialsGrant(config, { scope: 'products:read' });
    expect(called).toEqual([config.serverMetadata().mtls_endpoint_aliases?.token_endpoint]);
  });

  it('is refused with a stolen token, and without a certificate', async () => {
    const { access_token } = await logIn(await discover(certificate));
    const thief = await discover(other);
    await expect(client.fetchUserInfo(thief, access_token, 'alice')).rejects.toMatchObject({ status: 401 });
    const nobody = await discover(undefined);
    await expect(client.clientCredentialsGrant(nobody)).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
  });

  it('may renew its certificate: a confidential client is not bound to the old one at a refresh', async () => {
    const tokens = await logIn(await discover(certificate));
    const refreshed = await client.refreshTokenGrant(await discover(other), tokens.refresh_token ?? '');
    expect(decodeJwt(refreshed.access_token).cnf).not.toEqual({ 'x5t#S256': thumbprint });
  });
});
