import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { makeClientKey } from '../support/keys-server.ts';

// Libraries that are configured for FAPI 2.0 pass its plan; what they do not meet is not_applicable.

const redirect_uri = 'http://localhost:3000/callback';
const scope = 'openid profile offline_access';
const signing = await makeClientKey('ES256', { kid: 'sig-1', use: 'sig', alg: 'ES256' });
const privateKey = { key: signing.privateKey, kid: 'sig-1' };
const bank: ClientEntry = {
  client_id: 'bank',
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [{ ...signing.publicJwk }] },
  redirect_uris: [redirect_uri],
  grant_types: ['authorization_code', 'refresh_token'],
  scope,
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ profile: 'fapi2', clients: [bank] });
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

/** Asks UserInfo, and refreshes twice at most where it refuses the token. */
function openidClient(...ways: readonly ((config: client.Configuration) => void)[]): SignIn {
  return async ({ issuer }) => {
    const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks, ...ways];
    const algs = { id_token_signed_response_alg: 'PS256', authorization_signed_response_alg: 'PS256' };
    const config = await client.discovery(new URL(issuer), 'bank', algs, client.PrivateKeyJwt(privateKey), { execute });
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const checks = {
      pkceCodeVerifier: client.randomPKCECodeVerifier(),
      expectedNonce: client.randomNonce(),
      expectedState: client.randomState(),
    };
    const parameters = {
      ...{ redirect_uri, scope, nonce: checks.expectedNonce, state: checks.expectedState },
      code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
    };
    const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
    let tokens = await client.authorizationCodeGrant(config, await callback(url), checks, undefined, { DPoP });
    const { sub = '' } = tokens.claims() ?? {};
    const info = () => client.fetchUserInfo(config, tokens.access_token, sub, { DPoP });
    for (let time = 0; time < 2; time++) {
      try {
        await info();
        return sub !== '';
      } catch (error) {
        if (!(error instanceof client.WWWAuthenticateChallengeError)) throw error;
        tokens = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
      }
    }
    return (await info()).sub === sub;
  };
}

const insecure = { [oauth.allowInsecureRequests]: true };

function oauth4webapi(): SignIn {
  const bankClient: oauth.Client = { client_id: 'bank', id_token_signed_response_alg: 'PS256' };
  const authentication = oauth.PrivateKeyJwt(privateKey);
  return async ({ issuer }) => {
    const discovered = await oauth.discoveryRequest(new URL(issuer), insecure);
    const as = await oauth.processDiscoveryResponse(new URL(issuer), discovered);
    const DPoP = oauth.DPoP(bankClient, await oauth.generateKeyPair('ES256'));
    /** Once more with the nonce, if the provider asks for one. */
    const withNonce = async <T>(ask: () => Promise<T>) =>
      ask().catch(error => {
        if (oauth.isDPoPNonceError(error)) return ask();
        throw error;
      });
    const [verifier, nonce, state] = [
      oauth.generateRandomCodeVerifier(),
      oauth.generateRandomNonce(),
      oauth.generateRandomState(),
    ];
    const parameters = {
      ...{ response_type: 'code', redirect_uri, scope, nonce, state },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    };
    const options = { ...insecure, DPoP };
    const { request_uri } = await withNonce(async () => {
      const response = await oauth.pushedAuthorizationRequest(as, bankClient, authentication, parameters, options);
      return oauth.processPushedAuthorizationResponse(as, bankClient, response);
    });
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({ client_id: 'bank', request_uri }).toString();
    const answer = oauth.validateAuthResponse(as, bankClient, await callback(url), state);
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const { asked, result } = await withNonce(async () => {
      const asked = await oauth.authorizationCodeGrantRequest(
        ...([as, bankClient, authentication, answer, redirect_uri, verifier, options] as const),
      );
      return { asked, result: await oauth.processAuthorizationCodeResponse(as, bankClient, asked, expected) };
    });
    await oauth.validateApplicationLevelSignature(as, asked, insecure);
    const { sub = '' } = oauth.getValidatedIdTokenClaims(result) ?? {};
    await withNonce(async () => {
      const info = await oauth.userInfoRequest(as, bankClient, result.access_token, options);
      return oauth.processUserInfoResponse(as, bankClient, sub, info);
    });
    return sub !== '';
  };
}

const isJarm = (id: string) => id.startsWith('ensure-jarm');

describe.each([
  ['openid-client', () => openidClient(), isJarm],
  [
    'openid-client with signed responses',
    () => openidClient(client.useJwtResponseMode),
    (id: string) => id.includes('authorization-response-iss'),
  ],
  ['oauth4webapi', oauth4webapi, (id: string) => isJarm(id) || id === 'refresh-token'],
] as const)('%s', (_, create, isForeign) => {
  it('passes the plan fapi2-client', async () => {
    const { modules } = await sandbox.examine({ plan: 'fapi2-client', login: create(), user: 'alice' });
    const found = modules.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not_applicable');
    expect(found.map(({ id, verdict, why, said }) => `${verdict} ${id}: ${why} ${said}`)).toEqual([]);
    const unmet = modules.filter(({ verdict }) => verdict === 'not_applicable');
    expect(unmet.map(({ id }) => id)).toEqual(modules.map(({ id }) => id).filter(isForeign));
  });
});
