import { describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { checks } from '../support/promises/checks.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';
import { get } from '../support/wire.ts';

const keysFile = writeKeysFile();
const everything: SandboxConfig['features'] = { password: true, implicit: true };
const withCertificates = {
  ...{ keysFile, profile: 'fapi2', tls: 'self-signed', features: { dpop: false } },
} satisfies SandboxConfig;

describe('the metadata', () => {
  it.each<[string, SandboxConfig]>([
    ['as it starts', {}],
    ['with everything on, that OAuth 2.1 has removed too', { keysFile, features: everything }],
    ['under the FAPI 2.0 profile, with certificates only', withCertificates],
    [
      'with passwords, consent, nonces and signed requests',
      {
        ...{ keysFile, loginMode: 'password', consent: true, dpopNonce: true, requireSignedRequests: true },
        acrValues: ['gold', 'silver'],
      },
    ],
    [
      'of a sandbox without users and clients, whose answers may be kept',
      { keysFile, metadataMaxAge: 300, outbound: 'loopback', apiTokenCheck: 'introspection', users: [], clients: [] },
    ],
  ])('promises what is kept %s', async (_, config) => {
    const promises = await metadataPromises(config);
    expect(notKept(promises)).toEqual([]);
    expect(promises.length).toBeGreaterThan(100);
  });

  it('promises what is kept after scopes and collections have come and gone', async () => {
    const promises = await metadataPromises({ keysFile }, {}, async sandbox => {
      await sandbox.scopes.create({ name: 'till' });
      await sandbox.resources.create({ name: 'things', readScope: 'things:read', fields: { name: 'string' } });
      await sandbox.resources.delete('bikes');
    });
    expect(notKept(promises)).toEqual([]);
    const values = promises.map(({ value }) => value);
    expect(values).toEqual(expect.arrayContaining(['till', expect.stringMatching(/\/api\/things$/)]));
    expect(values.filter(value => value.endsWith('/api/bikes'))).toEqual([]);
  });

  it('promises what is kept at an issuer on a different host, where a document on this machine is refused', async () => {
    expect(notKept(await metadataPromises({ keysFile, issuer: 'https://login.example.com/base' }))).toEqual([
      'client_id_metadata_document_supported true: the issuer is not on this machine, so it refuses documents on this machine',
    ]);
  });

  it('promises what is kept at each issuer of a sandbox', async () => {
    const promises = await metadataPromises({
      keysFile,
      issuers: { 'tenant-a': { profile: 'fapi2' }, 'tenant-b': { features: { ciba: false } } },
    });
    expect(notKept(promises)).toEqual([]);
    const withCiba = promises.filter(({ member }) => member === 'backchannel_authentication_endpoint');
    expect(withCiba.map(({ issuer }) => new URL(issuer).pathname)).toEqual(['/', '/tenant-a']);
  });
});

describe('the requests of a client', () => {
  it('find what is advertised and not there', async () => {
    const issuer = 'http://localhost:9000';
    const metadataOverrides = {
      grant_types_supported: ['authorization_code', 'password'],
      authorization_response_iss_parameter_supported: false,
      check_session_iframe: `${issuer}/nowhere`,
      claims_parameter_supported: false,
      prompt_values_supported: ['login', 'create'],
      brand_new_supported: true,
    };
    const found = notKept(await metadataPromises({ keysFile, issuer, metadataOverrides }));
    expect(found.sort()).toEqual([
      'authorization_response_iss_parameter_supported false: iss is http://localhost:9000',
      'brand_new_supported true: no check knows this member',
      expect.stringMatching(/^check_session_iframe .*: no endpoint there: .* answered 404/),
      'claims_parameter_supported false: the requested claims were returned nevertheless',
      expect.stringMatching(/^grant_types_supported password: a client for this promise cannot be registered: /),
      'prompt_values_supported create: no check knows this value',
    ]);
  });
});

it('has a check for nothing that is never advertised', async () => {
  const configurations: readonly SandboxConfig[] = [
    { keysFile, features: everything, acrValues: ['gold'], requestEncryption: true, tls: 'self-signed' },
    withCertificates,
    { keysFile, preset: 'auth0' },
  ];
  const advertised = (await Promise.all(configurations.map(advertisedMembers))).flat();
  expect(Object.keys(checks).filter(member => !advertised.includes(member))).toEqual([]);
});

async function advertisedMembers(config: SandboxConfig): Promise<readonly string[]> {
  await using sandbox = await createSandbox(config);
  const call = sandbox.tls?.ca === undefined ? get : createTlsFetch({ ca: sandbox.tls.ca });
  return Object.keys(await (await call(`${sandbox.issuer}/.well-known/openid-configuration`)).json());
}
