import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

const callback = 'http://localhost:3000/callback';
const app: ClientEntry = {
  client_id: 'app',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  scope: 'openid profile email offline_access products:read products:write',
};
const careful: ClientEntry = { ...app, client_id: 'careful', require_consent: true };
const robot: ClientEntry = {
  client_id: 'robot',
  client_secret: 'robot-secret',
  grant_types: ['client_credentials'],
  authorization_details_types: ['payment_initiation'],
};

let sandbox: Sandbox;
let config: client.Configuration;

beforeAll(async () => {
  sandbox = await createSandbox({
    clients: [app, careful, robot],
    collections: {
      products: {
        readScope: 'products:read',
        writeScope: 'products:write',
        writeAcrValues: ['urn:gold'],
        writeMaxAge: 300,
        fields: { name: 'string' },
      },
    },
  });
  config = await configured(app);
});
afterAll(() => sandbox.stop());

function configured({ client_id }: ClientEntry): Promise<client.Configuration> {
  return client.discovery(new URL(sandbox.issuer), client_id, {}, client.None(), {
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  });
}

interface Flow {
  readonly agent: ReturnType<typeof createAgent>;
  /** Opens an authorization request; what comes first. */
  begin(extra?: Record<string, string>): Promise<Visit>;
  end(visit: Visit): ReturnType<typeof client.authorizationCodeGrant>;
}

function flow(as = config): Flow {
  const agent = createAgent(new URL(sandbox.url).origin);
  const checks = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() };
  return {
    agent,
    async begin(extra = {}) {
      const url = client.buildAuthorizationUrl(as, {
        redirect_uri: callback,
        scope: 'openid profile email products:read',
        state: checks.expectedState,
        code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
        code_challenge_method: 'S256',
        ...extra,
      });
      return agent.open(url);
    },
    end: visit => client.authorizationCodeGrant(as, visit.url, checks),
  };
}

describe('consent, as openid-client sees it', () => {
  it('comes after the login, and gives what stayed ticked', async () => {
    const { agent, begin, end } = flow(await configured(careful));
    const consent = await agent.submit(await begin(), 'login-user-alice');
    expect(consent.html).toContain('Allow careful?');
    const tokens = await end(await agent.submit(consent, 'consent-allow', { 'scope:email': '' }));
    expect(tokens.scope).toBe('openid profile products:read');
    expect(decodeJwt(tokens.access_token).scope).toBe('openid profile products:read');
  });

  it('is asked for by prompt=consent, each time', async () => {
    const { agent, begin, end } = flow();
    const consent = await agent.submit(await begin({ prompt: 'consent' }), 'login-user-alice');
    expect(await end(await agent.submit(consent, 'consent-allow'))).toMatchObject({
      scope: 'openid profile email products:read',
    });
    expect((await begin({ prompt: 'consent' })).html).toContain('consent-allow');
    expect((await begin()).url.searchParams.has('code')).toBe(true);
  });

  it('that is denied is an error at the callback', async () => {
    const { agent, begin, end } = flow(await configured(careful));
    const consent = await agent.submit(await begin(), 'login-user-alice');
    await expect(end(await agent.submit(consent, 'consent-deny'))).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('that was remembered lets silent requests through, for what was allowed', async () => {
    const { agent, begin, end } = flow(await configured(careful));
    const consent = await agent.submit(await begin(), 'login-user-alice');
    await end(await agent.submit(consent, 'consent-allow', { remember: 'on' }));
    await end(await begin({ prompt: 'none' }));
    await expect(end(await begin({ prompt: 'none', scope: 'openid products:write' }))).rejects.toMatchObject({
      error: 'consent_required',
    });
  });

  it('works for a pushed request, which is used up by its answer', async () => {
    const agent = createAgent(new URL(sandbox.url).origin);
    const as = await configured(careful);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const url = await client.buildAuthorizationUrlWithPAR(as, {
      ...{ redirect_uri: callback, scope: 'openid email', prompt: 'login consent', state: 's' },
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const consent = await agent.submit(await agent.open(url), 'login-user-bob');
    const { url: back } = await agent.submit(consent, 'consent-allow', { 'scope:email': '' });
    const tokens = await client.authorizationCodeGrant(as, back, { pkceCodeVerifier, expectedState: 's' });
    expect(tokens.scope).toBe('openid');
  });
});

describe('POST /consent', () => {
  it('answers to its own page only', async () => {
    const { agent, begin } = flow(await configured(careful));
    const consent = await agent.submit(await begin(), 'login-user-alice');
    const { pathname, search } = new URL(/action="([^"]+)"/.exec(consent.html)?.[1] ?? '', sandbox.url);
    const response = await fetch(sandbox.url + pathname + search.replaceAll('&amp;', '&'), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'allow' }),
      headers: {
        Origin: 'https://evil.example',
        Cookie: [...agent.cookies].map(pair => pair.join('=')).join('; '),
      },
      redirect: 'manual',
    });
    expect(response.status).toBe(403);
  });

  it('without a session leads to the login', async () => {
    const { begin } = flow(await configured(careful));
    const { url } = await begin();
    const response = await fetch(`${sandbox.url}/consent${url.search}`, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'allow' }),
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/oauth2/authorize${url.search}`);
  });
});

describe('authorization_details (RFC 9396), as openid-client sees them', () => {
  const payment = {
    type: 'payment_initiation',
    instructedAmount: { currency: 'EUR', amount: '123.50' },
    creditorName: 'Merchant A',
  };
  const authorization_details = JSON.stringify([payment]);

  it('start from the metadata, are shown, and are in response and token', async () => {
    expect(config.serverMetadata().authorization_details_types_supported).toEqual(['payment_initiation']);
    const { agent, begin, end } = flow();
    const consent = await agent.submit(await begin({ authorization_details }), 'login-user-alice');
    expect(consent.html).toContain('Make one payment from your account');
    expect(consent.html).toContain('instructedAmount.amount');
    expect(consent.html).toContain('123.50');
    const tokens = await end(await agent.submit(consent, 'consent-allow'));
    expect(tokens.authorization_details).toEqual([payment]);
    expect(decodeJwt(tokens.access_token).authorization_details).toEqual([payment]);
  });

  it('of an unknown type are refused at the callback', async () => {
    const { begin, end } = flow();
    await expect(end(await begin({ authorization_details: '[{"type":"x"}]' }))).rejects.toMatchObject({
      error: 'invalid_authorization_details',
    });
  });

  it('come to a client that acts for itself (oauth4webapi)', async () => {
    const as = { issuer: sandbox.issuer, token_endpoint: `${sandbox.issuer}/oauth2/token` };
    const response = await oauth.clientCredentialsGrantRequest(
      as,
      { client_id: 'robot' },
      oauth.ClientSecretBasic('robot-secret'),
      { authorization_details },
      { [oauth.allowInsecureRequests]: true },
    );
    const tokens = await oauth.processClientCredentialsResponse(as, { client_id: 'robot' }, response);
    expect(tokens.authorization_details).toEqual([payment]);
  });
});

describe('the claims parameter (OIDC Core §5.5), as openid-client sees it', () => {
  it('starts from the metadata, and brings claims to UserInfo and ID token', async () => {
    expect(config.serverMetadata().claims_parameter_supported).toBe(true);
    const { agent, begin, end } = flow();
    const claims = JSON.stringify({ userinfo: { birthdate: null }, id_token: { locale: { essential: true } } });
    const tokens = await end(await agent.submit(await begin({ scope: 'openid', claims }), 'login-user-alice'));
    expect(tokens.claims()).toMatchObject({ locale: 'en-GB' });
    expect(tokens.claims()).not.toHaveProperty('birthdate');
    expect(await client.fetchUserInfo(config, tokens.access_token, 'alice')).toEqual({
      sub: 'alice',
      birthdate: '1985-04-12',
    });
  });

  it('gets the acr it calls essential by a login', async () => {
    const { agent, begin, end } = flow();
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['urn:gold'] } } });
    const first = await end(await agent.submit(await begin(), 'login-user-alice'));
    expect(first.claims()?.acr).toBe('0');
    const next = await end(await agent.submit(await begin({ claims }), 'login-user-alice'));
    expect(next.claims()?.acr).toBe('urn:gold');
  });
});

describe('step up (RFC 9470)', () => {
  const post = (token: string) =>
    client.fetchProtectedResource(
      config,
      token,
      new URL(`${sandbox.issuer}/api/products`),
      'POST',
      JSON.stringify({ name: 'Pump' }),
      new Headers({ 'content-type': 'application/json' }),
    );

  it('goes from the challenge of the API to a login that is strong enough', async () => {
    const { agent, begin, end } = flow();
    const scope = 'openid products:write';
    const weak = await end(await agent.submit(await begin({ scope }), 'login-user-alice'));
    const refused = await post(weak.access_token).catch((error: unknown) => error);
    if (!(refused instanceof client.WWWAuthenticateChallengeError)) throw new Error('not challenged');
    const challenged = new Map(Object.entries(refused.cause[0]?.parameters ?? {}));
    const [error, acr_values = '', max_age = ''] = ['error', 'acr_values', 'max_age'].map(name => challenged.get(name));
    expect({ error, acr_values, max_age }).toEqual({
      error: 'insufficient_user_authentication',
      acr_values: 'urn:gold',
      max_age: '300',
    });
    const strong = await end(await agent.submit(await begin({ scope, acr_values, max_age }), 'login-user-alice'));
    expect(decodeJwt(strong.access_token)).toMatchObject({ acr: 'urn:gold', auth_time: expect.any(Number) });
    expect((await post(strong.access_token)).status).toBe(201);
  });
});
