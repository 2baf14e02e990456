import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { authenticateClient } from '../../src/protocol/clients/client-authentication.ts';
import { oauthMetadataEndpoint, openidConfigurationEndpoint } from '../../src/protocol/endpoints/metadata.ts';
import { clientConfiguration, register } from '../../src/protocol/endpoints/register.ts';
import { token } from '../../src/protocol/endpoints/token.ts';
import { userinfo } from '../../src/protocol/endpoints/userinfo.ts';
import type { TokenResponse } from '../../src/protocol/tokens/issue-tokens.ts';
import type { EndpointFunction } from '../../src/server/http/adapter.ts';
import { asserted, assertionClaims } from '../support/assertions.ts';
import { createDpopKey } from '../support/dpop.ts';
import { makeClientKey } from '../support/keys-server.ts';
import { basic, createTestServer, issuer, now, redemption, refusal, type TestServer, web } from '../support/server.ts';

const backchannelUrl = 'http://idp:9000';
const sandbox = (changes = {}) => createTestServer({ backchannelUrl, ...changes });
const elsewhere = 'http://elsewhere:9000';

async function body(endpoint: EndpointFunction, server: TestServer, isBackchannel: boolean) {
  const reply = await endpoint(server.server, server.request({}, isBackchannel ? { isBackchannel: true } : {}));
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind}`);
  return reply.body as Readonly<Record<string, unknown>>;
}

/** All addresses in a document, by their member. */
function addresses(document: object, of: string): string[] {
  const found = Object.entries(document).filter(([, value]) => typeof value === 'string' && value.startsWith(of));
  return found.map(([name]) => name).sort();
}

const calledByBackEnds = [
  'backchannel_authentication_endpoint',
  'device_authorization_endpoint',
  'introspection_endpoint',
  'jwks_uri',
  'pushed_authorization_request_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
];
const shownToBrowsers = ['authorization_endpoint', 'check_session_iframe', 'end_session_endpoint', 'issuer'];

describe('metadata of a server with an address for back ends', () => {
  it('says nothing of it to who asks by the issuer', async () => {
    const document = await body(openidConfigurationEndpoint, sandbox(), false);
    expect(JSON.stringify(document)).not.toContain('idp:9000');
    expect(addresses(document, issuer)).toEqual([...calledByBackEnds, ...shownToBrowsers].sort());
  });

  it('names endpoints for back ends at this URL, and pages for browsers at the issuer', async () => {
    const document = await body(openidConfigurationEndpoint, sandbox(), true);
    expect(addresses(document, backchannelUrl)).toEqual(calledByBackEnds);
    expect(addresses(document, issuer)).toEqual(shownToBrowsers);
    const aliases = document.mtls_endpoint_aliases as object;
    expect(addresses(aliases, backchannelUrl)).toEqual(Object.keys(aliases).sort());
    expect(aliases).toMatchObject({ token_endpoint: `${backchannelUrl}/oauth2/token` });
  });

  it('does so in both documents', async () => {
    const document = await body(oauthMetadataEndpoint, sandbox(), true);
    expect(document).toMatchObject({ issuer, token_endpoint: `${backchannelUrl}/oauth2/token` });
    expect(document).not.toHaveProperty('userinfo_endpoint');
  });

  it('has no mtls_endpoint_aliases where mutual TLS is off', async () => {
    const document = await body(openidConfigurationEndpoint, sandbox({ features: new Set() }), true);
    expect(document).not.toHaveProperty('mtls_endpoint_aliases');
    expect(addresses(document, backchannelUrl)).toEqual(['jwks_uri', 'token_endpoint', 'userinfo_endpoint']);
  });

  it('keeps the path of the issuer, and protected resources as they are', async () => {
    const tenant = { issuer: `${issuer}/tenant`, backchannelUrl: `${backchannelUrl}/tenant` };
    const document = await body(openidConfigurationEndpoint, sandbox(tenant), true);
    expect(document.jwks_uri).toBe(`${backchannelUrl}/tenant/oauth2/jwks`);
    expect(document.protected_resources).toEqual([`${issuer}/api/bikes`]);
  });
});

describe('the registration_client_uri', () => {
  it('can be reached from where the client registered (RFC 7592 §3)', async () => {
    const server = sandbox();
    const json = { redirect_uris: ['https://shop.example/callback'] };
    const reply = await register(server.server, server.request({}, { json, isBackchannel: true }));
    if (reply.kind !== 'json') throw new Error(`a ${reply.kind}`);
    const registered = reply.body as Record<string, string>;
    const { client_id, registration_access_token } = registered;
    expect(registered.registration_client_uri).toBe(`${backchannelUrl}/connect/register/${client_id}`);
    const path = `/connect/register/${client_id}`;
    const sent = { method: 'GET', path, authorization: `Bearer ${registration_access_token}` };
    const read = await clientConfiguration(server.server, server.request({}, sent));
    expect(read).toMatchObject({ body: { registration_client_uri: `${issuer}${path}` } });
  });
});

const key = await createDpopKey();

async function bound(server: TestServer, htu: string): Promise<TokenResponse> {
  const code = await server.code({ scope: 'openid email' });
  const dpop = await key.proof({ htu, iat: now });
  const reply = await token(server.server, server.request({ ...redemption, code }, { dpop }));
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind}`);
  return reply.body as TokenResponse;
}

describe('a DPoP proof', () => {
  it.each([issuer, backchannelUrl])('may be for either address: %s', async address => {
    const server = sandbox();
    const { access_token } = await bound(server, `${address}/oauth2/token`);
    expect(decodeJwt(access_token)).toMatchObject({ iss: issuer, cnf: { jkt: key.jkt } });
    const dpop = await key.proof({ htm: 'GET', htu: `${address}/userinfo`, iat: now, accessToken: access_token });
    const request = server.request({}, { method: 'GET', authorization: `DPoP ${access_token}`, dpop });
    expect(await userinfo(server.server, request)).toMatchObject({ kind: 'json', body: { sub: 'alice' } });
  });

  it('is refused for any other, and both are named', async () => {
    const error = await refusal(bound(sandbox(), `${elsewhere}/oauth2/token`));
    expect(error).toMatchObject({
      reason: 'dpop_proof_for_another_request',
      details: { expected: `${issuer}/oauth2/token or ${backchannelUrl}/oauth2/token` },
    });
  });

  it('is refused if there is no such address', async () => {
    const error = await refusal(bound(createTestServer(), `${backchannelUrl}/oauth2/token`));
    expect(error).toMatchObject({ details: { expected: `${issuer}/oauth2/token` } });
  });
});

const clientKey = await makeClientKey('ES256', { kid: 'one' });
const byKey = {
  ...web,
  client_id: 'by-key',
  token_endpoint_auth_methods: ['private_key_jwt' as const],
  jwks: { keys: [{ ...clientKey.publicJwk }] },
};

async function authenticate(server: TestServer, aud: string): Promise<string> {
  const claims = { ...assertionClaims('by-key'), aud };
  const parameters = await asserted(clientKey.privateKey, { alg: 'ES256', kid: 'one' }, claims);
  const request = server.request(parameters, { path: new URL(`${server.server.issuer}/oauth2/par`).pathname });
  return (await authenticateClient(server.server, request)).client.client_id;
}

describe('a client assertion', () => {
  it.each([
    ['the token endpoint', '/oauth2/token'],
    ['the endpoint that is asked', '/oauth2/par'],
  ])('may name as audience %s of the back channel', async (_what, path) => {
    const server = sandbox({ clients: [byKey] });
    expect(await authenticate(server, backchannelUrl + path)).toBe('by-key');
    const tenant = { issuer: `${issuer}/tenant`, backchannelUrl: `${backchannelUrl}/tenant` };
    const inTenant = sandbox({ clients: [byKey], ...tenant });
    expect(await authenticate(inTenant, tenant.backchannelUrl + path)).toBe('by-key');
  });

  it('may not name the address of back ends as issuer', async () => {
    const error = await refusal(authenticate(sandbox({ clients: [byKey] }), backchannelUrl));
    expect(error.reason).toBe('client_assertion_audience_mismatch');
  });

  it('names the issuer only, under FAPI 2.0', async () => {
    const strict = sandbox({ clients: [byKey], profile: 'fapi2' });
    const error = await refusal(authenticate(strict, `${backchannelUrl}/oauth2/token`));
    expect(error.reason).toBe('client_assertion_audience_mismatch');
  });
});

describe('a JWT of a trusted issuer', () => {
  const idp = 'https://idp.example';
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const partner = { ...web, client_id: 'partner', grant_types: [grant_type] };
  const trusted = {
    ...{ issuer: idp, jwks: { keys: [{ ...clientKey.publicJwk }] }, audience: [], algorithms: [] },
    ...{ subjectClaim: 'sub', users: {}, createUsers: false },
  };

  it.each([
    ['the token endpoint of the back channel', `${backchannelUrl}/oauth2/token`, undefined],
    ['an address elsewhere', `${elsewhere}/oauth2/token`, 'assertion_audience_mismatch'],
  ])('for %s', async (_what, aud, reason) => {
    const server = sandbox({ clients: [partner], trustedIssuers: new Map([[idp, trusted]]) });
    const assertion = await new SignJWT({ iss: idp, sub: 'alice', aud, exp: now + 60, iat: now })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .sign(clientKey.privateKey);
    const asked = server.token({ grant_type, assertion }, basic('partner', 'web-secret'));
    if (reason === undefined) expect(decodeJwt((await asked).access_token).iss).toBe(issuer);
    else expect((await refusal(asked)).reason).toBe(reason);
  });
});
