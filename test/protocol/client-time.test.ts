import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { authenticateClient } from '../../src/protocol/clients/client-authentication.ts';
import { readSignedRequest } from '../../src/protocol/decoupled/backchannel-request-object.ts';
import { verifyProof } from '../../src/protocol/proofs/dpop.ts';
import { asserted, assertionClaims } from '../support/assertions.ts';
import { createDpopKey } from '../support/dpop.ts';
import { makeClientKey } from '../support/keys-server.ts';
import { readObject } from '../support/read-object.ts';
import { registerClient } from '../support/registration.ts';
import { requestObject, signer, signing } from '../support/request-objects.ts';
import { createTestServer, issuer, now, refusal, type TestServer } from '../support/server.ts';

const idp = 'https://idp.example';
const hour = 3600;
const dpop = await createDpopKey();
const idpKey = await makeClientKey('ES256', { kid: 'idp' });
const htu = `${issuer}/oauth2/token`;
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const machine = {
  ...signer,
  grant_types: [...signer.grant_types, jwtBearer],
  backchannel_authentication_request_signing_alg: 'ES256',
};

/** A server whose clock is so far from the real time, which is `now` as long as nobody says another. */
function moved(seconds: number, wallClock = () => now): TestServer {
  const trusted = { audience: [], algorithms: [], subjectClaim: 'sub', users: {}, createUsers: false };
  const jwks = { keys: [{ ...idpKey.publicJwk }] };
  const trustedIssuers = new Map([[idp, { ...trusted, issuer: idp, jwks }]]);
  const sandbox = createTestServer({ clients: [machine], trustedIssuers, wallClock });
  sandbox.pass(seconds);
  return sandbox;
}

type Use = (sandbox: TestServer, jwt: string) => Promise<unknown>;

/** What makes a JWT at a moment, and what reads it. */
const kinds: Readonly<Record<string, readonly [make: (at: number) => Promise<string>, use: Use]>> = {
  'a DPoP proof': [
    at => dpop.proof({ htu, iat: at }),
    ({ server }, proof) => verifyProof(server, proof, { method: 'POST', urls: [htu] }),
  ],
  'a client assertion': [
    async at => {
      const claims = { ...assertionClaims('signer'), iat: at, exp: at + 60 };
      const header = { alg: 'ES256', kid: 'sig' };
      return (await asserted(signing.privateKey, header, claims)).client_assertion;
    },
    (sandbox, client_assertion) => {
      const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      return authenticateClient(sandbox.server, sandbox.request({ client_assertion, client_assertion_type }));
    },
  ],
  'a request object': [at => requestObject({ nbf: at, exp: at + 60 }), readObject],
  'a signed backchannel request': [
    at =>
      new SignJWT({ scope: 'openid', login_hint: 'alice' })
        .setProtectedHeader({ alg: 'ES256', kid: 'sig' })
        .setIssuer('signer')
        .setAudience(issuer)
        .setIssuedAt(at)
        .setNotBefore(at)
        .setExpirationTime(at + 60)
        .setJti('one')
        .sign(signing.privateKey),
    ({ server, events }, request) => {
      const parameters = {
        values: new Map(),
        repeated: new Set<string>(),
        malformed: new Set<string>(),
        resources: [],
      };
      const emit = (fact: (typeof events)[number]) => void events.push(fact);
      return readSignedRequest({ server, client: machine, emit }, { ...parameters, audiences: [] }, request);
    },
  ],
  'a JWT of a trusted issuer': [
    at =>
      new SignJWT({ iss: idp, sub: 'alice', aud: issuer, iat: at, exp: at + 60, jti: 'one' })
        .setProtectedHeader({ alg: 'ES256', kid: 'idp' })
        .sign(idpKey.privateKey),
    (sandbox, assertion) =>
      sandbox.token({ grant_type: jwtBearer, client_id: 'signer', client_secret: 'signer-secret', assertion }),
  ],
  'a software statement': [
    at =>
      new SignJWT({ iss: idp, redirect_uris: ['https://shop.example/callback'], nbf: at, exp: at + 60 })
        .setProtectedHeader({ alg: 'ES256', kid: 'idp' })
        .sign(idpKey.privateKey),
    (sandbox, software_statement) => registerClient(sandbox, { software_statement }),
  ],
};
const comeOnce = ['a DPoP proof', 'a client assertion', 'a signed backchannel request', 'a JWT of a trusted issuer'];

describe.each(Object.entries(kinds))('%s', (name, [make, use]) => {
  it.each([hour, -hour])('of the real time is good where the clock was moved by %i s', async seconds => {
    await expect(use(moved(seconds), await make(now))).resolves.toBeDefined();
  });

  it.each([hour, -hour])('of the time here is good where the clock was moved by %i s', async seconds => {
    await expect(use(moved(seconds), await make(now + seconds))).resolves.toBeDefined();
  });

  it.each([
    ['between both times', hour, now + 1800],
    ['before both', hour, now - 1800],
    ['after both', -hour, now + 1800],
  ])('%s is refused', async (_when, seconds, at) => {
    expect(await refusal(use(moved(seconds), await make(at)))).toMatchObject({ code: expect.any(String) });
  });

  it('of another time is refused where the clock was not moved', async () => {
    expect(await refusal(use(moved(0), await make(now - hour)))).toMatchObject({ code: expect.any(String) });
  });

  if (!comeOnce.includes(name)) return;

  it('comes once, though the clock is moved on and back in between', async () => {
    const sandbox = moved(0);
    const jwt = await make(now);
    await use(sandbox, jwt);
    for (const seconds of [hour, 0, -2 * hour, hour]) {
      sandbox.pass(seconds);
      expect((await refusal(use(sandbox, jwt))).reason).toMatch(/replayed$/);
    }
  });

  it('comes once by a clock that is behind the real time', async () => {
    let wall = now;
    const sandbox = moved(0, () => wall);
    const jwt = await make(now);
    await use(sandbox, jwt);
    wall += hour;
    expect((await refusal(use(sandbox, jwt))).reason).toMatch(/replayed$/);
  });
});
