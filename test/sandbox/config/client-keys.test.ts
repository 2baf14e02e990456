import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { problemsOf, shop, withFile } from './support.ts';

const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] };
const byKey = { ...shop, token_endpoint_auth_method: 'private_key_jwt', jwks };
const bySecret = { ...shop, token_endpoint_auth_method: 'client_secret_jwt', client_secret: 'a secret' };

describe('a client with keys is refused', () => {
  it.each<[string, object, string, RegExp]>([
    ['without any, by private_key_jwt', { ...byKey, jwks: undefined }, 'jwks', /jwks or jwks_uri, for private_key_jwt/],
    ['with both kinds', { ...byKey, jwks_uri: 'https://a.example/jwks' }, 'jwks_uri', /either jwks or jwks_uri/],
    [
      'with a private key',
      { ...byKey, jwks: { keys: [{ ...jwks.keys[0], d: 'AA' }] } },
      'jwks.keys[0].d',
      /only public keys/,
    ],
    [
      'with an HMAC for its assertions and no secret',
      { ...byKey, token_endpoint_auth_signing_alg: 'HS256' },
      'token_endpoint_auth_signing_alg',
      /the client authentication method client_secret_jwt as well/,
    ],
    [
      'with a signature for its assertions and no key',
      { ...bySecret, token_endpoint_auth_signing_alg: 'ES256' },
      'token_endpoint_auth_signing_alg',
      /the client authentication method private_key_jwt as well/,
    ],
    [
      'with none for its assertions',
      { ...byKey, token_endpoint_auth_signing_alg: 'none' },
      'token_endpoint_auth_signing_alg',
      /RS256/,
    ],
    [
      'with encryption and no key for it',
      { ...shop, scope: 'openid', id_token_encrypted_response_alg: 'RSA-OAEP' },
      'id_token_encrypted_response_alg',
      /jwks or jwks_uri with the key/,
    ],
    [
      'with signed request objects and no key for them',
      { ...shop, require_signed_request_object: true },
      'jwks',
      /jwks or jwks_uri, for signed request objects/,
    ],
    [
      'with an algorithm for request objects and no key',
      { ...shop, request_object_signing_alg: 'ES256' },
      'jwks',
      /jwks or jwks_uri, for signed request objects/,
    ],
  ])('%s', async (_what, client, path, expected) => {
    const problems = await problemsOf(withFile({ clients: [JSON.parse(JSON.stringify(client))] }));
    expect(problems).toEqual([
      expect.objectContaining({
        source: `clients.config.json: clients[0].${path}`,
        expected: expect.stringMatching(expected),
      }),
    ]);
  });
});

it.each([
  { ...byKey, token_endpoint_auth_signing_alg: 'EdDSA' },
  { ...bySecret, token_endpoint_auth_signing_alg: 'HS512' },
  { ...shop, scope: 'openid', jwks, userinfo_encrypted_response_alg: 'ECDH-ES' },
])('a client may be registered with %j', async client => {
  const { clients } = await loadConfig(withFile({ clients: [client] }));
  expect(clients).toMatchObject([{ client_id: 'shop' }]);
});
