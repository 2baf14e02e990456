import {
  ConfidentialClientApplication,
  type INetworkModule,
  type NetworkRequestOptions,
  type NetworkResponse,
  PublicClientApplication,
} from '@azure/msal-node';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { codeVerifier } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { tenantConfig } from '../support/entra.ts';
import { createTlsFetch, type TlsFetch } from '../support/tls-fetch.ts';

// The unmodified @azure/msal-node against the preset. It has no option for a CA, so it gets a network that trusts ours.
let sandbox: Sandbox;
let tlsFetch: TlsFetch;
beforeAll(async () => {
  const { clients = [] } = tenantConfig;
  const bikes: typeof clients = [
    {
      client_id: 'bikes',
      client_secret: 'bikes-secret',
      audience: 'api://bikes',
      grant_types: ['client_credentials', 'refresh_token'],
      scope: 'openid profile offline_access api://legacy/read',
    },
  ];
  sandbox = await createSandbox({
    ...tenantConfig,
    clients: [...clients, ...bikes],
    tls: 'self-signed',
    autoLogin: 'alice',
    pollInterval: 1,
  });
  tlsFetch = createTlsFetch({ ca: sandbox.tls?.ca ?? '' });
});
afterAll(() => sandbox.stop());

const network: INetworkModule = {
  sendGetRequestAsync: (url, options) => sent(url, 'GET', options),
  sendPostRequestAsync: (url, options) => sent(url, 'POST', options),
};

async function sent<T>(url: string, method: string, options: NetworkRequestOptions = {}): Promise<NetworkResponse<T>> {
  const response = await tlsFetch(url, { method, headers: options.headers, body: options.body });
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: (await response.json()) as T }; // as the interface has it
}

const options = (clientId: string, authority = sandbox.issuer) => ({
  auth: { clientId, authority, knownAuthorities: [new URL(sandbox.url).host] },
  system: { networkClient: network },
});

function web(secret = 'web-secret', authority = sandbox.issuer): ConfidentialClientApplication {
  const { auth, system } = options('web', authority);
  return new ConfidentialClientApplication({ auth: { ...auth, clientSecret: secret }, system });
}

const redirectUri = 'https://web.example/callback';

async function codeFor(application: ConfidentialClientApplication, scopes: string[]): Promise<string> {
  const url = await application.getAuthCodeUrl({
    scopes,
    redirectUri,
    codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    codeChallengeMethod: 'S256',
  });
  const { headers } = await tlsFetch(url);
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
}

it('logs in by code, at the tenant and at common, and renews its tokens silently', async () => {
  for (const authority of [sandbox.issuer, `${sandbox.url}/common`]) {
    const application = web('web-secret', authority);
    const scopes = ['api://bikes/read'];
    const code = await codeFor(application, scopes);
    const result = await application.acquireTokenByCode({ code, scopes, redirectUri, codeVerifier });
    expect(decodeJwt(result.accessToken)).toMatchObject({ aud: 'api://bikes', scp: 'read', azpacr: '1' });
    expect(result.account).toMatchObject({ username: 'alice@sandbox.onmicrosoft.com', tenantId: result.tenantId });
    const account = result.account;
    if (account === null) throw new Error('the login has no account');
    const renewed = await application.acquireTokenSilent({ account, scopes, forceRefresh: true });
    expect(renewed.fromCache).toBe(false);
    await expect(application.acquireTokenSilent({ account, scopes: ['Mail.Send'] })).rejects.toMatchObject({
      name: 'InteractionRequiredAuthError',
      subError: 'consent_required',
      errorNo: 65001,
    });
  }
});

/** A token of a user for the API `bikes`, and that API. */
async function called(scopes = ['api://bikes/read']) {
  const code = await codeFor(web(), scopes);
  const { accessToken } = await web().acquireTokenByCode({ code, scopes, redirectUri, codeVerifier });
  const { auth, system } = options('bikes');
  const api = new ConfidentialClientApplication({ auth: { ...auth, clientSecret: 'bikes-secret' }, system });
  return { oboAssertion: accessToken, api };
}

it('calls a further API on behalf of the user that called', async () => {
  const { api, oboAssertion } = await called();
  const legacy = await api.acquireTokenOnBehalfOf({ oboAssertion, scopes: ['api://legacy/read'] });
  const user = decodeJwt(oboAssertion);
  expect(decodeJwt(legacy?.accessToken ?? '')).toMatchObject({
    ...{ aud: 'api://legacy', scp: 'read', appid: 'bikes', appidacr: '1', oid: user.oid, tid: user.tid, ver: '1.0' },
  });
  expect(legacy?.account).toMatchObject({ username: 'alice@sandbox.onmicrosoft.com', localAccountId: user.oid });
  const graph = await api.acquireTokenOnBehalfOf({ oboAssertion, scopes: ['https://graph.microsoft.com/User.Read'] });
  const headers = { authorization: `Bearer ${graph?.accessToken}` };
  const me = await tlsFetch(`${sandbox.url}/v1.0/me`, { headers });
  expect(await me.json()).toMatchObject({ id: user.oid, displayName: 'Alice Archer' });
  const again = await api.acquireTokenOnBehalfOf({ oboAssertion, scopes: ['api://legacy/read'] });
  expect(again).toMatchObject({ fromCache: true, accessToken: legacy?.accessToken });
});

it('refuses to act on behalf of the user of another API', async () => {
  const { api, oboAssertion } = await called(['User.Read']);
  await expect(api.acquireTokenOnBehalfOf({ oboAssertion, scopes: ['api://legacy/read'] })).rejects.toMatchObject({
    errorCode: 'invalid_grant',
    errorNo: 500131,
  });
});

it('gets a token for itself, with its roles and without a user', async () => {
  const result = await web().acquireTokenByClientCredential({ scopes: ['api://bikes/.default'] });
  const claims = decodeJwt(result?.accessToken ?? '');
  expect(claims).toMatchObject({ aud: 'api://bikes', roles: ['Bikes.Read.All'], idtyp: 'app', sub: claims.oid });
  expect(claims).not.toHaveProperty('scp');
});

/** Alice allows the request of the device. */
async function approve(url: string): Promise<void> {
  const agent = createAgent(sandbox.url, tlsFetch);
  await agent.submit(await agent.open(url), 'device-allow');
}

it('lets a device log in', async () => {
  const { auth, system } = options('native');
  const application = new PublicClientApplication({ auth, system });
  const result = await application.acquireTokenByDeviceCode({
    scopes: ['User.Read'],
    deviceCodeCallback: ({ userCode, message, verificationUri }) => {
      expect(message).toContain(userCode);
      expect(verificationUri).toBe(`${sandbox.issuer}/oauth2/deviceauth`);
      void approve(`${verificationUri}?user_code=${encodeURIComponent(userCode)}`);
    },
  });
  expect(result?.account?.name).toBe('Alice Archer');
});

it('reads the errors: a wrong secret, an unknown application, a code that was used', async () => {
  const scopes = ['api://bikes/.default'];
  await expect(web('wrong').acquireTokenByClientCredential({ scopes })).rejects.toMatchObject({
    name: 'ServerError',
    errorCode: 'invalid_client',
    errorNo: 7000215,
    errorMessage: expect.stringMatching(/AADSTS7000215: Invalid client secret provided.* Trace ID: .* Timestamp: /),
  });
  const { auth, system } = options('nobody');
  const nobody = new ConfidentialClientApplication({ auth: { ...auth, clientSecret: 'x' }, system });
  await expect(nobody.acquireTokenByClientCredential({ scopes })).rejects.toMatchObject({ errorNo: 700016 });
  const application = web();
  const code = await codeFor(application, ['User.Read']);
  const redemption = { code, scopes: ['User.Read'], redirectUri, codeVerifier };
  await application.acquireTokenByCode(redemption);
  await expect(application.acquireTokenByCode(redemption)).rejects.toMatchObject({ errorNo: 54005 });
});
