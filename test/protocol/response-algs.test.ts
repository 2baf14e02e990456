import { describe, expect, it } from 'vitest';
import { register } from '../../src/protocol/endpoints/register.ts';
import { beginKeys, responseAlgs } from '../../src/protocol/profile.ts';
import { createTestServer, frontend } from '../support/server.ts';

const client = {
  ...frontend,
  id_token_signed_response_alg: 'ES256',
  userinfo_signed_response_alg: 'ES384',
  authorization_signed_response_alg: 'EdDSA',
  introspection_signed_response_alg: 'ES384',
};

it('the algorithms of a client are those of its ID tokens, UserInfo, authorization and introspection responses', () => {
  expect(responseAlgs(client)).toEqual(['ES256', 'ES384', 'EdDSA']);
});

describe('a client that comes at run time', () => {
  it('has its keys published before anything is signed with them', async () => {
    const { server } = createTestServer();
    beginKeys(server, client);
    expect((await server.keys.jwks()).keys.map(({ alg }) => alg)).toEqual(['ES256', 'ES384', 'EdDSA']);
  });

  it('has them published by its registration', async () => {
    const { server, request } = createTestServer();
    const before = server.keys.revision();
    const json = { redirect_uris: ['https://new.example/callback'], userinfo_signed_response_alg: 'Ed25519' };
    await register(server, request({}, { json }));
    expect(server.keys.algs).toContain('Ed25519');
    expect(server.keys.revision()).not.toBe(before);
  });
});
