import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';

// Libraries that are used as their documents say pass the plans of the examiner, or fail for a reason that is written here.

const redirect_uri = 'http://localhost:3000/callback';
const entry: ClientEntry = {
  client_id: 'web',
  client_secret: 'web-secret',
  redirect_uris: [redirect_uri],
  scope: 'openid profile email',
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clients: [entry] });
});
afterAll(() => sandbox.stop());

type SignIn = (at: { readonly issuer: string }) => Promise<boolean>;

/** Follows redirects until one leads to the app; the provider signs the user in by itself. */
async function callback(from: URL): Promise<URL> {
  let at = from;
  for (let hop = 0; hop < 5; hop++) {
    const response = await fetch(at, { redirect: 'manual' });
    at = new URL(response.headers.get('location') ?? '', at);
    if (at.href.startsWith(redirect_uri)) return at;
  }
  throw new Error(`no way back to the app from ${from}`);
}

/** Configurations are kept for each issuer, as an app keeps its own, with the keys in them. */
function openidClient(): SignIn {
  const kept = new Map<string, client.Configuration>();
  return async ({ issuer }) => {
    const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
    const config =
      kept.get(issuer) ??
      (await client.discovery(new URL(issuer), 'web', {}, client.ClientSecretBasic('web-secret'), { execute }));
    kept.set(issuer, config);
    const checks = {
      pkceCodeVerifier: client.randomPKCECodeVerifier(),
      expectedNonce: client.randomNonce(),
      expectedState: client.randomState(),
    };
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid profile email',
      nonce: checks.expectedNonce,
      state: checks.expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const tokens = await client.authorizationCodeGrant(config, await callback(url), checks);
    const { sub = '' } = tokens.claims() ?? {};
    await client.fetchUserInfo(config, tokens.access_token, sub);
    return sub !== '';
  };
}

const insecure = { [oauth.allowInsecureRequests]: true };

function oauth4webapi(): SignIn {
  const cache = new Map<string, oauth.JWKSCacheInput>();
  const web: oauth.Client = { client_id: 'web' };
  const authentication = oauth.ClientSecretBasic('web-secret');
  return async ({ issuer }) => {
    const as = await oauth.processDiscoveryResponse(
      new URL(issuer),
      await oauth.discoveryRequest(new URL(issuer), insecure),
    );
    const [verifier, nonce, state] = [
      oauth.generateRandomCodeVerifier(),
      oauth.generateRandomNonce(),
      oauth.generateRandomState(),
    ];
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      ...{ response_type: 'code', client_id: 'web', redirect_uri, scope: 'openid profile email', nonce, state },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    }).toString();
    const parameters = oauth.validateAuthResponse(as, web, await callback(url), state);
    const asked = await oauth.authorizationCodeGrantRequest(
      as,
      web,
      authentication,
      parameters,
      redirect_uri,
      verifier,
      insecure,
    );
    const result = await oauth.processAuthorizationCodeResponse(as, web, asked, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    const keys = cache.get(issuer) ?? {};
    cache.set(issuer, keys);
    await oauth.validateApplicationLevelSignature(as, asked, { ...insecure, [oauth.jwksCache]: keys });
    const { sub = '' } = oauth.getValidatedIdTokenClaims(result) ?? {};
    const info = await oauth.userInfoRequest(as, web, result.access_token, insecure);
    await oauth.processUserInfoResponse(as, web, sub, info);
    return sub !== '';
  };
}

/** What a library fails or is warned of, and why that is honest. */
const usual = {
  'invalid-athash': 'leaves at_hash out in the code flow, where it is optional',
  'signing-key-rotation': 'fetches keys again after a minute',
};
const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'openid-client': usual,
  oauth4webapi: { ...usual, 'discovery-later': 'is used here without keeping the metadata' },
};

describe.each([
  ['openid-client', openidClient],
  ['oauth4webapi', oauth4webapi],
])('%s', (name, create) => {
  it.each(['relying-party', 'oauth-bcp', 'resilience'])('passes the plan %s', async plan => {
    const { modules, summary, library } = await sandbox.examine({ plan, login: create(), user: 'alice' });
    expect(library?.name).toBe(name);
    const found = modules.filter(
      ({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive',
    );
    const shown = found.map(({ id, verdict, why, said }) => `${verdict} ${id}: ${why} ${said}`);
    expect(
      found.map(({ id }) => id),
      shown.join('\n'),
    ).toEqual(Object.keys(known[name] ?? {}).filter(id => modules.some(each => each.id === id)));
    expect(summary.fail).toBe(0);
    expect(summary.pass).toBeGreaterThan(modules.length * 0.7);
  });
});
