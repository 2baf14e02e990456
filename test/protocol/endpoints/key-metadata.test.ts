import { describe, expect, it } from 'vitest';
import { oauthMetadata, openidConfiguration } from '../../../src/protocol/endpoints/metadata.ts';
import { createTestServer, type TestServerOptions } from '../../support/server.ts';

const oauth = (options?: TestServerOptions) => oauthMetadata(createTestServer(options).server);
const openid = (options?: TestServerOptions) => openidConfiguration(createTestServer(options).server);
const assertionMember = (endpoint: string) => `${endpoint}_endpoint_auth_signing_alg_values_supported`;
const asymmetric = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

describe('the metadata of client assertions (RFC 8414 §2)', () => {
  it.each(['token', 'introspection', 'revocation'])('has the algorithms at the %s endpoint, without none', endpoint => {
    expect(oauth()[assertionMember(endpoint)]).toEqual(['HS256', 'HS384', 'HS512', ...asymmetric]);
  });

  it('has none for endpoints that are off', () => {
    const members = Object.keys(oauth({ features: new Set() })).filter(name => name.includes('auth_signing_alg'));
    expect(members).toEqual([assertionMember('token')]);
  });

  it('has only what the FAPI 2.0 profile allows', () => {
    expect(oauth({ profile: 'fapi2' })[assertionMember('token')]).toEqual(['PS256', 'ES256', 'EdDSA', 'Ed25519']);
  });
});

describe('the metadata of ID tokens and UserInfo (Discovery 1.0 §3)', () => {
  it.each(['id_token', 'userinfo'])('has how %s is signed and encrypted', what => {
    const metadata = openid();
    expect(metadata[`${what}_signing_alg_values_supported`]).toEqual(asymmetric);
    expect(metadata[`${what}_encryption_alg_values_supported`]).toEqual([
      ...['RSA-OAEP', 'RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'],
    ]);
    expect(metadata[`${what}_encryption_enc_values_supported`]).toEqual(
      expect.arrayContaining(['A128CBC-HS256', 'A256GCM']),
    );
  });

  it('has only the signatures the FAPI 2.0 profile allows', () => {
    expect(openid({ profile: 'fapi2' }).id_token_signing_alg_values_supported).toEqual([
      ...['PS256', 'ES256', 'EdDSA', 'Ed25519'],
    ]);
  });
});
