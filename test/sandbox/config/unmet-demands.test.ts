import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { problemsOf, shop, withFile } from './support.ts';

const jwks_uri = 'https://shop.example/jwks';

describe('a demand that cannot be met', () => {
  it.each([
    [
      { PROFILE: 'fapi2', FEATURES: 'dpop=off' },
      'dpop=off',
      'dpop=on: the profile fapi2 has no bearer tokens, and mutual TLS is off',
    ],
    [
      { PROFILE: 'fapi2', FEATURES: 'dpop=off,mtls=off', TLS: 'self-signed' },
      'dpop=off',
      'dpop=on: the profile fapi2 has no bearer tokens, and mutual TLS is off',
    ],
    [
      { REQUIRE_SIGNED_REQUESTS: 'on', FEATURES: 'jar=off' },
      'jar=off',
      'jar=on: REQUIRE_SIGNED_REQUESTS needs signed request objects',
    ],
    [{ DPOP_NONCE: 'on', FEATURES: 'dpop=off' }, 'dpop=off', 'dpop=on: DPOP_NONCE needs DPoP proofs'],
    [{ FEATURES: 'mtls=on' }, 'mtls=on', 'mtls=off: mutual TLS needs HTTPS: TLS=self-signed, or TLS_CERT and TLS_KEY'],
    [{ PROFILE: 'fapi2', FEATURES: 'password=on' }, 'password=on', 'password=off: the profile fapi2 does not allow it'],
    [{ PROFILE: 'fapi2', FEATURES: 'implicit=on' }, 'implicit=on', 'implicit=off: the profile fapi2 does not allow it'],
  ])('is refused: %j', async (env, value, expected) => {
    expect(await problemsOf({ env })).toEqual([{ source: 'environment FEATURES', value, expected }]);
  });

  it.each([
    { PROFILE: 'fapi2' },
    { PROFILE: 'fapi2', FEATURES: 'dpop=off', TLS: 'self-signed' },
    { PROFILE: 'fapi2', FEATURES: 'implicit=off,password=off' },
    { FEATURES: 'par=off,jar=off,dpop=off,mtls=off' },
    { FEATURES: 'mtls=on', TLS: 'self-signed' },
    { REQUIRE_SIGNED_REQUESTS: 'on', FEATURES: 'par=off' },
    { REGISTRATION: 'token', REGISTRATION_TOKEN: 'let-me-in' },
    { REGISTRATION: 'token', FEATURES: 'registration=off' },
  ])('is none in %j', async env => {
    await expect(loadConfig({ env })).resolves.toBeDefined();
  });

  it.each([
    ['require_pushed_authorization_requests', 'par', true],
    ['require_signed_request_object', 'jar', true],
    ['dpop_bound_access_tokens', 'dpop', true],
    ['backchannel_authentication_request_signing_alg', 'jar', 'ES256'],
  ])('is refused of a client: %s without the feature %s', async (member, feature, value) => {
    const clients = [{ ...shop, jwks_uri, [member]: value }];
    await expect(loadConfig(withFile({ clients }))).resolves.toBeDefined();
    expect(await problemsOf(withFile({ clients, features: { [feature]: false } }))).toEqual([
      {
        source: `clients.config.json: clients[0].${member}`,
        value: JSON.stringify(value),
        expected: `the feature ${feature}, which is off`,
      },
    ]);
  });

  it('is refused of each issuer by its own features', async () => {
    const clients = [{ ...shop, dpop_bound_access_tokens: true }];
    const problems = await problemsOf(withFile({ clients, issuers: { '/b': { features: { dpop: false } } } }));
    expect(problems).toMatchObject([{ expected: 'the feature dpop, which is off' }]);
  });
});

describe('REGISTRATION=token', () => {
  it('needs the token', async () => {
    expect(await problemsOf({ env: { REGISTRATION: 'token' } })).toEqual([
      {
        source: 'environment REGISTRATION',
        value: '"token"',
        expected: 'a token as well: set REGISTRATION_TOKEN or registrationToken',
      },
    ]);
  });

  it('takes it from createSandbox, which reads no environment', async () => {
    const overrides = { registration: 'token', registrationToken: 'let-me-in' } as const;
    expect(await loadConfig({ overrides })).toMatchObject(overrides);
  });
});

describe('a feature nobody knows', () => {
  it('is named after its place', async () => {
    expect(await problemsOf({ env: { FEATURES: 'devise=off' } })).toMatchObject([
      { source: 'environment FEATURES: devise', nearest: 'device' },
    ]);
    expect(await problemsOf({ overrides: { features: JSON.parse('{"devise":false}') } })).toMatchObject([
      { source: 'createSandbox: features: devise', nearest: 'device' },
    ]);
  });
});
