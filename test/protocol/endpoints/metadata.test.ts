import { describe, expect, it } from 'vitest';
import { jwks, oauthMetadata, openidConfiguration } from '../../../src/protocol/endpoints/metadata.ts';
import { createTestServer, issuer } from '../../support/server.ts';

/** Nothing that can be switched off is on: what is computed for a feature is tested with the feature. */
const { server } = createTestServer({ features: new Set() });

describe('server metadata (RFC 8414 §2)', () => {
  const metadata = oauthMetadata(server);

  it('has the issuer exactly, and every endpoint under it', () => {
    expect(metadata).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      jwks_uri: `${issuer}/oauth2/jwks`,
    });
  });

  it('agrees with the registered endpoints', () => {
    expect(metadata).toMatchObject({
      grant_types_supported: [...server.grants.keys()],
      scopes_supported: [...server.scopes.keys()],
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('advertises no grant that is not there', () => {
    const [only] = server.grants;
    const small = createTestServer({ features: new Set() }).server;
    expect(oauthMetadata({ ...small, grants: new Map(only === undefined ? [] : [only]) })).toMatchObject({
      grant_types_supported: ['authorization_code'],
    });
  });

  it('has no member without a value (§3.2)', () => {
    for (const [name, value] of Object.entries(openidConfiguration(server))) {
      expect(value, name).toBeDefined();
      expect(value, name).not.toEqual([]);
      expect(value, name).not.toBeNull();
    }
  });

  it('has no endpoint that is not offered', () => {
    const offered = Object.keys(openidConfiguration(server)).filter(name => name.endsWith('_endpoint'));
    expect(offered.sort()).toEqual([
      'authorization_endpoint',
      'end_session_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
    ]);
  });
});

describe('OpenID Connect discovery (Discovery 1.0 §3)', () => {
  const configuration = openidConfiguration(server);

  it('agrees with the OAuth document in everything that has', () => {
    expect(configuration).toMatchObject(oauthMetadata(server));
  });

  it.each(['id_token', 'userinfo'])('has algorithms for %s that each sign, with keys made on demand', async what => {
    const algs = configuration[`${what}_signing_alg_values_supported`] as string[];
    expect(algs).toEqual(expect.arrayContaining(['RS256', 'PS512', 'ES384', 'EdDSA', 'Ed25519']));
    for (const alg of algs.filter(each => !/^[RP]S/.test(each))) {
      expect(await server.keys.forAlg(alg)).toMatchObject({ alg });
    }
  });

  it('has the claims that scopes release, each once', () => {
    const claims = configuration.claims_supported as string[];
    expect(claims).toEqual(expect.arrayContaining(['sub', 'auth_time', 'at_hash', 'email', 'email_verified', 'name']));
    expect(new Set(claims).size).toBe(claims.length);
  });

  it('has the value false for refused features', () => {
    expect(configuration).toMatchObject({
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      ui_locales_supported: ['en', 'de', 'fr', 'es', 'ja', 'ar'],
    });
  });
});

it('the issuer of a server with a path is part of every endpoint', () => {
  const { server: tenant } = createTestServer({ issuer: 'https://id.example/tenant' });
  expect(openidConfiguration(tenant)).toMatchObject({
    issuer: 'https://id.example/tenant',
    token_endpoint: 'https://id.example/tenant/oauth2/token',
    userinfo_endpoint: 'https://id.example/tenant/userinfo',
    end_session_endpoint: 'https://id.example/tenant/connect/logout',
  });
});

it('the key endpoint has the public keys', async () => {
  expect(await jwks(server)).toEqual({ kind: 'json', status: 200, body: await server.keys.jwks() });
});
