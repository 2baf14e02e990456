import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../src/protocol/clients/client.ts';
import { findClient } from '../../src/protocol/clients/find-client.ts';
import { backchannelAuthentication } from '../../src/protocol/endpoints/backchannel-authentication.ts';
import { register } from '../../src/protocol/endpoints/register.ts';
import { OAuthError } from '../../src/protocol/errors.ts';
import { badJson } from '../support/hostile.ts';
import { makeClientKey } from '../support/keys-server.ts';
import { createDocuments } from '../support/registration.ts';
import { basic, createTestServer, issuer, now, web } from '../support/server.ts';

/** Keys of a publisher; none of them signed the document. */
const key = await makeClientKey('ES256', { kid: 'k' });
const uri = 'https://keys.example/jwks';
const idp = 'https://idp.example';
const grants = {
  bearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ciba: 'urn:openid:params:grant-type:ciba',
};
const asserting: RegisteredClient = {
  ...web,
  client_id: 'asserting',
  token_endpoint_auth_methods: ['private_key_jwt'],
  grant_types: ['client_credentials'],
  jwks_uri: uri,
};
const asking: RegisteredClient = {
  ...web,
  client_id: 'asking',
  grant_types: [grants.ciba, grants.bearer],
  jwks_uri: uri,
  backchannel_authentication_request_signing_alg: 'ES256',
};

let made = 0;
function sign(claims: object): Promise<string> {
  return new SignJWT({ aud: issuer, exp: now + 60, nbf: now, iat: now, jti: `j${++made}`, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .sign(key.privateKey);
}

function start(body: string) {
  const trusted = { audience: [], algorithms: [], subjectClaim: 'sub', users: {}, createUsers: false };
  return createTestServer({
    clients: [asserting, asking],
    outbound: createDocuments({ [uri]: { body }, 'https://a.example/sector': { body }, [document]: { body } }),
    trustedIssuers: new Map([[idp, { issuer: idp, jwks_uri: uri, ...trusted }]]),
  });
}
const document = 'https://app.example/client.json';
type Server = ReturnType<typeof start>;

const asAsking = basic('asking', 'web-secret');
const uses: readonly (readonly [string, (it: Server) => Promise<unknown>])[] = [
  [
    'a client assertion',
    async it =>
      it.token({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await sign({ iss: 'asserting', sub: 'asserting' }),
      }),
  ],
  [
    'a JWT of a trusted issuer',
    async it => it.token({ grant_type: grants.bearer, assertion: await sign({ iss: idp, sub: 'alice' }) }, asAsking),
  ],
  [
    'a software statement',
    async it => register(it.server, it.request({}, { json: { software_statement: await sign({ iss: idp }) } })),
  ],
  [
    'a backchannel request',
    async it =>
      backchannelAuthentication(
        it.server,
        it.request(
          { request: await sign({ iss: 'asking', scope: 'openid', login_hint: 'alice' }) },
          { authorization: asAsking },
        ),
      ),
  ],
  [
    'a request object',
    async it => it.authorize({ client_id: 'asking', request: await sign({ iss: 'asking', client_id: 'asking' }) }),
  ],
];

/** Refused in the words of the protocol, or answered: never an error of another kind. */
async function expectHonest(work: Promise<unknown>, what: string): Promise<void> {
  const outcome = await work.catch((error: unknown) => error);
  const isFailure = outcome instanceof Error && !(outcome instanceof OAuthError);
  expect(isFailure, `${what}: ${isFailure ? outcome.stack : ''}`).toBe(false);
}

const members = ['kid', 'use', 'alg', 'x', 'y', 'crv', 'kty', 'key_ops', 'ext', 'n', 'x5c', 'unheard_of'];

describe.each(uses)('what is published as keys for %s (T-15)', (_what, use) => {
  it('is no failure of ours, whatever it is', async () => {
    for (const [what, text] of badJson)
      for (const body of [text, `{"keys":${text}}`, `{"keys":[${text}]}`, `{"keys":[{"kty":"EC","a":${text}}]}`])
        await expectHonest(use(start(body)), what);
  });

  it.each(members)('is no failure of ours, whatever its %s is', async member => {
    const rest = Object.entries({ ...key.publicJwk }).filter(([name]) => name !== member);
    const start_ = JSON.stringify(Object.fromEntries(rest)).slice(0, -1);
    for (const [what, text] of badJson)
      await expectHonest(use(start(`{"keys":[${start_},${JSON.stringify(member)}:${text || '""'}}]}`)), what);
  });
});

describe('what a client says of itself in a document (T-15)', () => {
  it('is no failure of ours, whatever it is', async () => {
    for (const [what, text] of badJson) {
      const it = start(text);
      await expectHonest(findClient(it.server, document), what);
    }
  });

  it.each([
    ...[
      'redirect_uris',
      'grant_types',
      'response_types',
      'client_name',
      'logo_uri',
      'scope',
      'jwks',
      'jwks_uri',
      'contacts',
    ],
    ...[
      'token_endpoint_auth_method',
      'default_max_age',
      'default_acr_values',
      'request_uris',
      '__proto__',
      'client_id',
    ],
  ])('is no failure of ours, whatever %s is', async member => {
    for (const [what, text] of badJson) {
      const rest = `"client_id":"${document}","redirect_uris":["https://app.example/cb"]`;
      const it = start(`{${rest},${JSON.stringify(member)}:${text || '""'}}`);
      await expectHonest(findClient(it.server, document), what);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

it('what a sector lists is no failure of ours, whatever it is (T-15)', async () => {
  const json = {
    redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
    subject_type: 'pairwise',
    sector_identifier_uri: 'https://a.example/sector',
  };
  for (const [what, text] of badJson) {
    const it = start(text);
    await expectHonest(register(it.server, it.request({}, { json })), what);
  }
});
