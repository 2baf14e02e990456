import { expect, it } from 'vitest';
import { oauthMetadata, openidConfiguration } from '../../../src/protocol/endpoints/metadata.ts';
import { featureNames } from '../../../src/protocol/feature.ts';
import { supportedAuthMethods } from '../../../src/protocol/profile.ts';
import { createTestServer } from '../../support/server.ts';

const { server } = createTestServer();
const withoutIt = createTestServer({ features: new Set(featureNames.filter(name => name !== 'mtls')) }).server;

it('lists each endpoint where a certificate matters, and no other, at its own address', () => {
  const metadata = openidConfiguration(server);
  const { mtls_endpoint_aliases: aliases } = metadata;
  expect(aliases).toMatchObject({
    token_endpoint: metadata.token_endpoint,
    userinfo_endpoint: metadata.userinfo_endpoint,
  });
  expect(aliases).not.toHaveProperty('authorization_endpoint');
  expect(aliases).not.toHaveProperty('end_session_endpoint');
  expect(metadata).toMatchObject(aliases as object);
});

it('has no aliases for endpoints the document does not have', () => {
  expect(oauthMetadata(server).mtls_endpoint_aliases).not.toHaveProperty('userinfo_endpoint');
});

it('says that tokens can be bound, and names both methods', () => {
  expect(oauthMetadata(server).tls_client_certificate_bound_access_tokens).toBe(true);
  expect(supportedAuthMethods(server)).toEqual(
    expect.arrayContaining(['tls_client_auth', 'self_signed_tls_client_auth']),
  );
});

it('says nothing where the feature is off', () => {
  expect(JSON.stringify(openidConfiguration(withoutIt))).not.toMatch(/tls/);
});
