import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { responseAlg } from '../../../src/protocol/endpoints/deliver-response.ts';
import type { Reply } from '../../../src/protocol/endpoints/endpoint.ts';
import type { Session } from '../../../src/protocol/users/session.ts';
import { answerOf, createTestServer, issuer, now, type TestServer, web, webRequest } from '../../support/server.ts';

const jarm: RegisteredClient = {
  ...web,
  client_id: 'jarm',
  authorization_signed_response_alg: 'ES256',
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code', 'code id_token'],
};

let sandbox: TestServer;
let session: Session;
beforeEach(async () => {
  sandbox = createTestServer({ clients: [jarm] });
  session = await sandbox.login();
});

const ask = (response_mode: string, changes: Readonly<Record<string, string>> = {}) =>
  sandbox.authorize({ ...webRequest, client_id: 'jarm', response_mode, ...changes }, session);

async function read(reply: Reply, audience = 'jarm') {
  const { keys: published } = await sandbox.server.keys.jwks();
  const keys = createLocalJWKSet({ keys: published.map(key => ({ ...key })) });
  const jwt = answerOf(reply).get('response') ?? '';
  const { payload } = await jwtVerify(jwt, keys, { issuer, audience, currentDate: new Date(now * 1000) });
  return payload;
}

describe('a signed response (JARM §2.1)', () => {
  it.each(['jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'])(
    'by response_mode %s is one JWT, and nothing beside it, not even iss (RFC 9207 §2.4)',
    async mode => {
      const reply = await ask(mode);
      expect([...answerOf(reply).keys()]).toEqual(['response']);
      expect(await read(reply)).toMatchObject({ iss: issuer, aud: 'jarm', code: expect.any(String), state: 'a state' });
    },
  );

  it.each([
    ['jwt', 'code', /^https:\/\/shop\.example\/callback\?response=[^#]+$/],
    ['jwt', 'code id_token', /^https:\/\/shop\.example\/callback#response=[^?]+$/],
    ['query.jwt', 'code', /^https:\/\/shop\.example\/callback\?response=[^#]+$/],
    ['fragment.jwt', 'code', /^https:\/\/shop\.example\/callback#response=[^?]+$/],
  ])('by response_mode %s goes where the response type %s has it', async (mode, response_type, location) => {
    expect(await ask(mode, { response_type, nonce: 'n' })).toMatchObject({ location: expect.stringMatching(location) });
  });

  it('by response_mode form_post.jwt is posted', async () => {
    expect(await ask('form_post.jwt')).toMatchObject({ kind: 'form_post', action: webRequest.redirect_uri });
  });

  it('lives ten minutes at most', async () => {
    const { exp = 0 } = await read(await ask('jwt'));
    expect(exp).toBeGreaterThan(now + 59);
    expect(exp).toBeLessThanOrEqual(now + 600);
  });

  it('names its key, and has the algorithm the client is registered for', async () => {
    const jwt = answerOf(await ask('jwt')).get('response') ?? '';
    const { keys } = await sandbox.server.keys.jwks();
    expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'ES256', kid: keys.find(key => key.alg === 'ES256')?.kid });
  });

  it('is RS256 where the client is registered for none', async () => {
    const reply = await ask('jwt', { client_id: 'web' });
    expect(decodeProtectedHeader(answerOf(reply).get('response') ?? '')).toMatchObject({ alg: 'RS256' });
    expect(await read(reply, 'web')).toHaveProperty('code');
  });

  it.each([
    ['nothing', undefined, 'PS256'],
    ['RS256', 'RS256', 'PS256'],
    ['ES256', 'ES256', 'ES256'],
  ])('of a client that is registered for %s is by an algorithm of the FAPI 2.0 profile', (_what, alg, expected) => {
    const { server } = createTestServer({ profile: 'fapi2' });
    expect(responseAlg(server, alg === undefined ? web : { ...web, authorization_signed_response_alg: alg })).toBe(
      expected,
    );
  });

  it.each(['jwt', 'fragment.jwt', 'form_post.jwt'])('tells errors, too, by response_mode %s', async mode => {
    const reply = await ask(mode, { scope: 'foreign' });
    expect([...answerOf(reply).keys()]).toEqual(['response']);
    const { code, ...error } = await read(reply);
    expect(error).toMatchObject({ error: 'invalid_scope', error_description: expect.any(String), state: 'a state' });
    expect(code).toBeUndefined();
  });

  it('is invalid_request, not signed, where it is switched off', async () => {
    sandbox = createTestServer({ clients: [jarm], features: new Set(['par']) });
    expect(Object.fromEntries(answerOf(await ask('jwt')))).toMatchObject({ error: 'invalid_request', iss: issuer });
  });
});
