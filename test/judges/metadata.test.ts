import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import type { JsonValue } from '../../src/sandbox/config/json.ts';
import { createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { makeClientKey } from '../support/keys-server.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';
import { openDocumentSite } from '../support/promises/site.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';
import { get } from '../support/wire.ts';

// Every member of both metadata documents is exercised by a test that starts from the document. The table says by which
// library, and where; each value is tried once more, in each configuration. A member without a line fails.

/** A test, by its file under `test/` and its title. */
type Where = readonly [file: string, title: string];

const algorithms = 'judges/advertised-algorithms.test.ts';
const login: Where = [
  'judges/openid-client.test.ts',
  'logs in with code, PKCE, state and nonce, and believes the ID token',
];
const introspection: Where = [
  'judges/token-status.test.ts',
  'asks about a token and revokes it; from then on it is refused everywhere',
];
const signed: Where = [algorithms, 'believes ID tokens and UserInfo signed with it'];
const encrypted: Where = [algorithms, 'reads ID tokens and UserInfo encrypted with it'];
const contents: Where = [algorithms, 'reads ID tokens and UserInfo whose content is encrypted with it'];
const assertions: Where = [algorithms, 'authenticates with assertions signed with it'];
const pushed: Where = ['judges/requests.test.ts', 'pushes the request of $client_id and logs in'];
const requestObject: Where = ['judges/requests.test.ts', 'signs the request of $client_id and logs in'];
const ciba: Where = ['judges/decisions.test.ts', 'ends in tokens after the user has allowed it on the approval page'];
const frontChannel: Where = [
  'flows/logout.test.ts',
  'answers with a page that loads the address with iss and sid, and goes on without scripts too',
];
const backChannel: Where = [
  'flows/logout.test.ts',
  'posts each client of the session a logout token that fits its ID token, and goes on',
];
const certificates: Where = [
  'judges/openid-client-mtls.test.ts',
  'logs in, and gets tokens that are bound to its certificate',
];
const here = (title: string): Where => ['judges/metadata.test.ts', title];

const exercised: Readonly<Record<string, Where>> = {
  issuer: ['judges/oauth4webapi.test.ts', 'reads the same server from both metadata documents'],
  authorization_endpoint: login,
  token_endpoint: login,
  jwks_uri: ['judges/oauth4webapi.test.ts', 'accepts the access token as RFC 9068 says, against the JWKS'],
  scopes_supported: here('gives each scope, and each claim of them'),
  claims_supported: here('gives each scope, and each claim of them'),
  claim_types_supported: here('gives each scope, and each claim of them'),
  response_types_supported: here('answers each response type'),
  response_modes_supported: here('answers in each response mode'),
  pushed_authorization_request_endpoint: pushed,
  require_pushed_authorization_requests: [
    'judges/fapi.test.ts',
    'pushes, reads a signed response and gets tokens that are bound to its key',
  ],
  request_parameter_supported: requestObject,
  request_uri_parameter_supported: here('takes a request object from a registered address, and from no other'),
  require_request_uri_registration: here('takes a request object from a registered address, and from no other'),
  require_signed_request_object: requestObject,
  request_object_signing_alg_values_supported: here('takes request objects by each algorithm'),
  authorization_signing_alg_values_supported: here('signs answers by each algorithm'),
  grant_types_supported: here('has a library for each grant'),
  token_endpoint_auth_methods_supported: ['judges/registration.test.ts', 'logs users in, authenticated by %s'],
  token_endpoint_auth_signing_alg_values_supported: assertions,
  introspection_endpoint: introspection,
  introspection_endpoint_auth_methods_supported: here('introspects and revokes by each method'),
  introspection_endpoint_auth_signing_alg_values_supported: assertions,
  introspection_signing_alg_values_supported: [
    'judges/token-status.test.ts',
    'reads the signed introspection response, and jose verifies it',
  ],
  revocation_endpoint: introspection,
  revocation_endpoint_auth_methods_supported: here('introspects and revokes by each method'),
  revocation_endpoint_auth_signing_alg_values_supported: assertions,
  code_challenge_methods_supported: login,
  authorization_response_iss_parameter_supported: [
    'judges/openid-client.test.ts',
    'notices another iss, state or nonce: they really come back',
  ],
  registration_endpoint: ['judges/registration.test.ts', 'registers, and believes the answer'],
  client_id_metadata_document_supported: [
    'judges/mcp-sdk.test.ts',
    'needs no registration with a client metadata document',
  ],
  protected_resources: ['judges/mcp-sdk.test.ts', 'walks from the refusal of the sample backend to its data'],
  device_authorization_endpoint: [
    'judges/decisions.test.ts',
    'ends in tokens after the user has opened verification_uri_complete, signed in and allowed it',
  ],
  backchannel_authentication_endpoint: ciba,
  backchannel_token_delivery_modes_supported: [
    'judges/decisions.test.ts',
    'pings a client that wants it, which then fetches the tokens',
  ],
  backchannel_authentication_request_signing_alg_values_supported: ciba,
  backchannel_user_code_parameter_supported: ciba,
  authorization_details_types_supported: [
    'judges/consent.test.ts',
    'start from the metadata, are shown, and are in response and token',
  ],
  dpop_signing_alg_values_supported: here('binds tokens to a key by each algorithm'),
  tls_client_certificate_bound_access_tokens: certificates,
  mtls_endpoint_aliases: ['judges/openid-client-mtls.test.ts', 'goes where the aliases for mutual TLS lead'],
  userinfo_endpoint: ['judges/openid-client.test.ts', 'reads UserInfo of the same subject'],
  end_session_endpoint: [
    'judges/openid-client.test.ts',
    'logs out with id_token_hint: back at once, with state, and the session is gone',
  ],
  check_session_iframe: [
    'browser/logout.test.ts',
    'says unchanged while the login lasts, and changed after the logout',
  ],
  frontchannel_logout_supported: frontChannel,
  frontchannel_logout_session_supported: frontChannel,
  backchannel_logout_supported: backChannel,
  backchannel_logout_session_supported: backChannel,
  subject_types_supported: [
    'judges/registration.test.ts',
    'has a subject of its own for each sector, the same at UserInfo',
  ],
  id_token_signing_alg_values_supported: signed,
  id_token_encryption_alg_values_supported: encrypted,
  id_token_encryption_enc_values_supported: contents,
  userinfo_signing_alg_values_supported: signed,
  userinfo_encryption_alg_values_supported: encrypted,
  userinfo_encryption_enc_values_supported: contents,
  prompt_values_supported: here('asks as each prompt says'),
  ui_locales_supported: here('speaks each language'),
  claims_parameter_supported: [
    'judges/consent.test.ts',
    'starts from the metadata, and brings claims to UserInfo and ID token',
  ],
  acr_values_supported: here('reaches each acr'),
};

const keysFile = writeKeysFile();
const acrValues = ['gold', 'silver'];
const configurations: readonly (readonly [string, SandboxConfig])[] = [
  ['as it starts', { keysFile }],
  ['with what OAuth 2.1 has removed', { keysFile, acrValues, features: { password: true, implicit: true } }],
  ['over HTTPS', { keysFile, tls: 'self-signed' }],
  ['under the FAPI 2.0 profile', { keysFile, tls: 'self-signed', profile: 'fapi2' }],
];
const documents = await Promise.all(
  configurations.map(async ([name, config]) => [name, await readAll(config)] as const),
);

describe.each(documents)('the metadata %s', (_, { members, promises }) => {
  it.each(members)('is true of %s, and a library says so, too', member => {
    const tried = promises.filter(result => result.member === member);
    expect(tried.length).toBeGreaterThan(0);
    expect(tried.filter(({ outcome }) => outcome !== 'kept')).toEqual([]);
    const [file, title] = exercised[member] ?? ['', ''];
    expect(file, `${member} is advertised, and no test is named for it`).not.toBe('');
    expect(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).toContain(`'${title}'`);
  });

  it('is true as a whole', () => {
    expect(notKept(promises)).toEqual([]);
  });
});

it('has no line for what is never advertised', () => {
  const advertised = new Set(documents.flatMap(([, { members }]) => members));
  expect(Object.keys(exercised).filter(member => !advertised.has(member))).toEqual([]);
});

async function readAll(config: SandboxConfig) {
  await using sandbox = await createSandbox(config);
  const call = sandbox.tls?.ca === undefined ? get : createTlsFetch({ ca: sandbox.tls.ca });
  const read = async (name: string) => Object.keys(await (await call(`${sandbox.issuer}/.well-known/${name}`)).json());
  const names = ['oauth-authorization-server', 'openid-configuration'];
  const members = [...new Set((await Promise.all(names.map(read))).flat())];
  return { members, promises: await metadataPromises(config) };
}

describe('a client that starts from the document', () => {
  const callback = 'https://app.example/callback';
  const sandboxReady = createSandbox({
    ...{ keysFile, acrValues, features: { password: true, implicit: true } },
    users: [{ sub: 'alice', claims: everyClaim() }],
  });
  afterAll(async () => (await sandboxReady).stop());
  const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];

  async function register(metadata: Partial<client.ClientMetadata> = {}, authentication = client.None()) {
    const { issuer } = await sandboxReady;
    const registration = { redirect_uris: [callback], token_endpoint_auth_method: 'none', ...metadata };
    return client.dynamicClientRegistration(new URL(issuer), registration, authentication, { execute });
  }
  const listOf = (config: client.Configuration, member: string) => {
    const values = config.serverMetadata()[member];
    expect(values, member).toEqual(expect.arrayContaining([expect.any(String)]));
    return values as readonly string[];
  };
  async function prepare(parameters: Readonly<Record<string, string>> = {}) {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const asked = {
      ...{ redirect_uri: callback, scope: 'openid', code_challenge_method: 'S256' },
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      ...parameters,
    };
    return { pkceCodeVerifier, asked };
  }
  async function signIn(url: URL): Promise<Visit> {
    const agent = createAgent(new URL((await sandboxReady).url).origin);
    return agent.submit(await agent.open(url), 'login-user-alice');
  }
  async function logIn(config: client.Configuration, parameters: Readonly<Record<string, string>> = {}) {
    const { pkceCodeVerifier, asked } = await prepare(parameters);
    const { url } = await signIn(client.buildAuthorizationUrl(config, asked));
    const { nonce } = parameters;
    const nonceCheck = nonce === undefined ? {} : { expectedNonce: nonce };
    return client.authorizationCodeGrant(config, url, { pkceCodeVerifier, ...nonceCheck });
  }
  /** The library writes the name of RFC 9864. */
  const named = (alg: string) => ({
    [client.modifyAssertion]: (header: Record<string, unknown>) =>
      void (header.alg === 'Ed25519' && Object.assign(header, { alg })),
  });

  it('gives each scope, and each claim of them', async () => {
    const config = await register();
    const scopes = listOf(config, 'scopes_supported');
    const tokens = await logIn(config, { scope: scopes.join(' '), nonce: 'a nonce' });
    expect(tokens.scope?.split(' ').sort()).toEqual([...scopes].sort());
    const told = { ...tokens.claims(), ...(await client.fetchUserInfo(config, tokens.access_token, 'alice')) };
    expect(Object.keys(told)).toEqual(expect.arrayContaining([...listOf(config, 'claims_supported')]));
    expect(listOf(config, 'claim_types_supported')).toEqual(['normal']);
    expect(told).not.toHaveProperty('_claim_names');
  });

  it('answers each response type', async () => {
    const types = listOf(await register(), 'response_types_supported');
    expect(types).toHaveLength(7);
    for (const type of types) {
      const words = type.split(' ');
      const grant_types = [
        ...(words.includes('code') ? ['authorization_code'] : []),
        ...(type === 'code' ? [] : ['implicit']),
      ];
      const config = await register({ response_types: [type], grant_types });
      const { asked } = await prepare({ response_type: type, nonce: 'a nonce' });
      const { url } = await signIn(client.buildAuthorizationUrl(config, asked));
      const answer = new URLSearchParams(url.hash === '' ? url.search : url.hash.slice(1));
      const brought = ['code', 'id_token', 'access_token'].filter(member => answer.has(member));
      expect(brought, type).toEqual(
        ['code', 'id_token', 'token']
          .filter(word => words.includes(word))
          .map(word => (word === 'token' ? 'access_token' : word)),
      );
    }
  });

  it('answers in each response mode', async () => {
    const config = await register();
    const server = config.serverMetadata() as oauth.AuthorizationServer;
    const self = { client_id: config.clientMetadata().client_id };
    for (const mode of listOf(config, 'response_modes_supported')) {
      const { asked } = await prepare({ response_mode: mode, state: 'a state' });
      const { url, html } = await signIn(client.buildAuthorizationUrl(config, asked));
      const posted = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
        ([, name = '', value = '']) => [name, value],
      );
      const answer = new URLSearchParams(
        mode.startsWith('form_post') ? posted : mode.startsWith('fragment') ? url.hash.slice(1) : url.search,
      );
      const options = { [oauth.allowInsecureRequests]: true };
      const checked = mode.endsWith('jwt')
        ? await oauth.validateJwtAuthResponse(server, self, answer, 'a state', options)
        : oauth.validateAuthResponse(server, self, answer, 'a state');
      expect(checked.get('code'), mode).toMatch(/./);
    }
  });

  it('takes a request object from a registered address, and from no other', async () => {
    const { privateKey, publicJwk } = await makeClientKey('ES256', { kid: 'one' });
    const site = await openDocumentSite();
    const address = `${site.url}/request.jwt`;
    const config = await register({ jwks: { keys: [{ ...publicJwk }] }, request_uris: [address] });
    expect(config.serverMetadata()).toMatchObject({
      request_uri_parameter_supported: true,
      require_request_uri_registration: true,
    });
    const { pkceCodeVerifier, asked } = await prepare();
    const url = await client.buildAuthorizationUrlWithJAR(config, asked, { key: privateKey, kid: 'one' });
    site.publish('/request.jwt', 'application/oauth-authz-req+jwt', url.searchParams.get('request') ?? '');
    url.searchParams.delete('request');
    url.searchParams.set('request_uri', address);
    const { url: answer } = await signIn(url);
    expect(await client.authorizationCodeGrant(config, answer, { pkceCodeVerifier })).toHaveProperty('access_token');
    url.searchParams.set('request_uri', `${site.url}/other.jwt`);
    expect((await get(url.href)).status).toBe(400);
    await site.close();
  });

  it('takes request objects by each algorithm', async () => {
    for (const alg of listOf(await register(), 'request_object_signing_alg_values_supported')) {
      const { privateKey, publicJwk } = await makeClientKey(alg, { kid: alg });
      const config = await register({ jwks: { keys: [{ ...publicJwk }] }, request_object_signing_alg: alg });
      const { pkceCodeVerifier, asked } = await prepare();
      const url = await client.buildAuthorizationUrlWithJAR(config, asked, { key: privateKey, kid: alg }, named(alg));
      const { url: answer } = await signIn(url);
      expect(await client.authorizationCodeGrant(config, answer, { pkceCodeVerifier }), alg).toHaveProperty('id_token');
    }
  });

  it('signs answers by each algorithm', async () => {
    for (const alg of listOf(await register(), 'authorization_signing_alg_values_supported')) {
      const config = await register({ authorization_signed_response_alg: alg });
      client.useJwtResponseMode(config);
      expect(await logIn(config), alg).toHaveProperty('id_token');
    }
  });

  it('binds tokens to a key by each algorithm', async () => {
    const registration = {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_post',
    };
    const config = await register(registration, client.ClientSecretPost());
    for (const alg of listOf(config, 'dpop_signing_alg_values_supported')) {
      const keys = await client.randomDPoPKeyPair(alg === 'EdDSA' ? 'Ed25519' : alg);
      const DPoP = client.getDPoPHandle(config, keys, named(alg));
      const tokens = await client.clientCredentialsGrant(config, {}, { DPoP });
      expect(tokens.token_type, alg).toBe('dpop');
    }
  });

  it('introspects and revokes by each method', async () => {
    const { privateKey, publicJwk } = await makeClientKey('ES256', { kid: 'one' });
    const methods: Readonly<Record<string, client.ClientAuth>> = {
      client_secret_basic: client.ClientSecretBasic(),
      client_secret_post: client.ClientSecretPost(),
      client_secret_jwt: client.ClientSecretJwt(),
      private_key_jwt: client.PrivateKeyJwt({ key: privateKey, kid: 'one' }),
    };
    const first = await register();
    expect(listOf(first, 'introspection_endpoint_auth_methods_supported')).toEqual(Object.keys(methods));
    expect(listOf(first, 'revocation_endpoint_auth_methods_supported')).toEqual([...Object.keys(methods), 'none']);
    for (const [method, authentication] of Object.entries(methods)) {
      const metadata = { grant_types: ['client_credentials'], redirect_uris: [], jwks: { keys: [{ ...publicJwk }] } };
      const config = await register({ ...metadata, token_endpoint_auth_method: method }, authentication);
      const { access_token } = await client.clientCredentialsGrant(config);
      expect((await client.tokenIntrospection(config, access_token)).active, method).toBe(true);
      await client.tokenRevocation(config, access_token);
      expect((await client.tokenIntrospection(config, access_token)).active, method).toBe(false);
    }
  });

  it('asks as each prompt says', async () => {
    const config = await register();
    const agent = createAgent(new URL((await sandboxReady).url).origin);
    const open = async (prompt?: string) => {
      const { asked } = await prepare(prompt === undefined ? {} : { prompt });
      return agent.open(client.buildAuthorizationUrl(config, asked));
    };
    expect((await open('none')).url.searchParams.get('error')).toBe('login_required');
    await agent.submit(await open(), 'login-user-alice');
    const shown: Readonly<Record<string, string>> = {
      none: '',
      login: 'login-user-alice',
      consent: 'consent-allow',
      select_account: 'login-continue',
    };
    for (const prompt of listOf(config, 'prompt_values_supported')) {
      const { html, url } = await open(prompt);
      expect(Object.keys(shown)).toContain(prompt);
      if (prompt === 'none') expect(url.searchParams.get('code')).toMatch(/./);
      else expect(html, prompt).toContain(`data-testid="${shown[prompt]}"`);
    }
  });

  it('speaks each language', async () => {
    const agent = createAgent(new URL((await sandboxReady).url).origin);
    const config = await register();
    const open = async (ui_locales: string) => {
      const { asked } = await prepare({ ui_locales });
      return agent.open(client.buildAuthorizationUrl(config, asked));
    };
    for (const language of listOf(config, 'ui_locales_supported')) {
      expect((await open(language)).html).toContain(`<html lang="${language}"`);
    }
  });

  it('reaches each acr', async () => {
    const config = await register();
    for (const acr of listOf(config, 'acr_values_supported')) {
      expect((await logIn(config, { acr_values: acr })).claims()?.acr).toBe(acr);
    }
  });

  it('has a library for each grant', async () => {
    const grants: Readonly<Record<string, Where>> = {
      authorization_code: login,
      refresh_token: [
        'judges/openid-client.test.ts',
        'refreshes with rotation, and a used refresh token ends the family',
      ],
      client_credentials: ['judges/openid-client.test.ts', 'gets a token for itself with %s'],
      'urn:ietf:params:oauth:grant-type:device_code': exercised.device_authorization_endpoint ?? login,
      'urn:openid:params:grant-type:ciba': ciba,
      'urn:ietf:params:oauth:grant-type:token-exchange': [
        'judges/token-status.test.ts',
        'exchanges a token, with and without an actor',
      ],
      'urn:ietf:params:oauth:grant-type:jwt-bearer': [
        'judges/token-status.test.ts',
        'redeems a JWT of a trusted issuer',
      ],
      password: ['judges/decisions.test.ts', 'is advertised where a client is registered for it, and gives tokens'],
      implicit: ['judges/requests.test.ts', 'logs in with response_type id_token'],
    };
    expect(listOf(await register(), 'grant_types_supported')).toEqual(expect.arrayContaining(Object.keys(grants)));
    expect(listOf(await register(), 'grant_types_supported')).toHaveLength(Object.keys(grants).length);
    for (const [file, title] of Object.values(grants)) {
      expect(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).toContain(`'${title}'`);
    }
  });
});

function everyClaim(): Record<string, JsonValue> {
  const names = [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
  ];
  const others = ['website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'phone_number', 'email'];
  return {
    ...Object.fromEntries([...names, ...others].map(name => [name, `a ${name}`])),
    address: { formatted: '1 Orchard Lane' },
    ...{ email_verified: true, phone_number_verified: true, updated_at: 1_700_000_000 },
  };
}
