import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { TrustedIssuer } from '../../../src/protocol/authorization-server.ts';
import { makeClientKey } from '../../support/keys-server.ts';
import { bodyOf, createDocuments, manage, registerClient, sentAgain, spa } from '../../support/registration.ts';
import { createTestServer, now, refusal } from '../../support/server.ts';

const publisher = 'https://publisher.example';
const key = await makeClientKey('ES256', { kid: 'one', alg: 'ES256' });
const other = await makeClientKey('ES256', { kid: 'one', alg: 'ES256' });
const said = { software_id: 'shop', client_name: 'The real shop', redirect_uris: ['https://shop.example/callback'] };

function sign(claims: JWTPayload = {}, signer = key, alg = 'ES256'): Promise<string> {
  return new SignJWT({ iss: publisher, ...said, ...claims })
    .setProtectedHeader({ alg, kid: 'one' })
    .sign(signer.privateKey);
}

function trusting(changes: Partial<TrustedIssuer> = {}, profile: 'none' | 'fapi2' = 'none') {
  const issuer: TrustedIssuer = {
    issuer: publisher,
    jwks: { keys: [{ ...key.publicJwk }] },
    audience: [],
    algorithms: [],
    subjectClaim: 'sub',
    users: {},
    createUsers: false,
    ...changes,
  };
  return createTestServer({ trustedIssuers: new Map([[publisher, issuer]]), profile });
}

describe('a software statement', () => {
  it('of a trusted issuer counts more than what stands beside it, and comes back unchanged', async () => {
    const software_statement = await sign();
    const body = await registerClient(trusting(), { ...spa, client_name: 'Another shop', software_statement });
    expect(body).toMatchObject({ ...said, software_statement, token_endpoint_auth_method: 'none' });
  });

  it('can be made with keys the issuer publishes', async () => {
    const jwks_uri = 'https://publisher.example/jwks';
    const issuer = { issuer: publisher, jwks_uri, audience: [], algorithms: [], subjectClaim: 'sub' };
    const outbound = createDocuments({ [jwks_uri]: { body: JSON.stringify({ keys: [key.publicJwk] }) } });
    const trustedIssuers = new Map([[publisher, { ...issuer, users: {}, createUsers: false }]]);
    const server = createTestServer({ outbound, trustedIssuers });
    expect(await registerClient(server, { software_statement: await sign() })).toMatchObject(said);
  });

  it('cannot give a client its id or its secret', async () => {
    const statement = await sign({ client_id: 'frontend', client_secret: 'mine', loopback_redirects: true });
    const server = trusting();
    const { client_id, client_secret } = await registerClient(server, { software_statement: statement });
    expect(client_id).not.toBe('frontend');
    expect(client_secret).not.toBe('mine');
    expect(server.server.clients.get(client_id)).toMatchObject({ loopback_redirects: false });
  });

  it('can be sent again when the registration is replaced', async () => {
    const server = trusting();
    const registered = await registerClient(server, { software_statement: await sign() });
    const sent = { ...sentAgain(registered), client_name: 'Renamed' };
    expect(bodyOf(await manage(server, 'PUT', registered, sent))).toMatchObject({ client_name: 'The real shop' });
  });

  it.each([
    ['by another key', sign({}, other)],
    ['that has expired', sign({ exp: now })],
    ['that is not valid yet', sign({ nbf: now + 60 })],
    ['that is no JWT', Promise.resolve('nonsense')],
    ['that is no text', Promise.resolve({ iss: publisher })],
  ])('is refused as invalid: one %s', async (_what, statement) => {
    const error = await refusal(registerClient(trusting(), { ...spa, software_statement: await statement }));
    expect([error.status, error.code, error.reason]).toEqual([
      400,
      'invalid_software_statement',
      'software_statement_invalid',
    ]);
  });

  it('by RS256 is refused under the FAPI 2.0 profile, as everything by RS256 is', async () => {
    const rsa = await makeClientKey('RS256', { kid: 'one', alg: 'RS256' });
    const jwks = { keys: [{ ...rsa.publicJwk }] };
    const software_statement = await sign({}, rsa, 'RS256');
    expect(await registerClient(trusting({ jwks }), { ...spa, software_statement })).toMatchObject(said);
    const refused = await refusal(registerClient(trusting({ jwks }, 'fapi2'), { ...spa, software_statement }));
    expect(refused.code).toBe('invalid_software_statement');
  });

  it('is refused as invalid without a signature, whatever issuer it names', async () => {
    const parts = [{ alg: 'none' }, { iss: publisher, ...said }].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const error = await refusal(registerClient(trusting(), { software_statement: `${parts.join('.')}.` }));
    expect(error.code).toBe('invalid_software_statement');
  });

  it('is refused as invalid when its algorithm is not one its issuer is trusted with', async () => {
    const server = trusting({ algorithms: ['RS256'] });
    const error = await refusal(registerClient(server, { software_statement: await sign() }));
    expect(error.code).toBe('invalid_software_statement');
  });

  it('is refused as unapproved when nobody trusts its issuer', async () => {
    for (const iss of ['https://stranger.example', '']) {
      const error = await refusal(registerClient(trusting(), { software_statement: await sign({ iss }) }));
      expect([error.status, error.code]).toEqual([400, 'unapproved_software_statement']);
    }
  });
});
