import { expect, it } from 'vitest';
import { type Feature, featureNames } from '../../src/protocol/feature.ts';
import { createSandbox } from '../support/bundle.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';
import { get } from '../support/wire.ts';

const keysFile = writeKeysFile();
const everything = { password: true, implicit: true };

/** To try all promises takes seconds, so several features are off at once. None of a group needs another one of it. */
const groups: readonly (readonly Feature[])[] = [
  ['introspection', 'device', 'jar', 'mtls', 'password'],
  ['revocation', 'ciba', 'jarm', 'session-management', 'implicit'],
  ['token-exchange', 'par', 'claims', 'backchannel-logout'],
  ['jwt-bearer', 'rar', 'client-id-metadata', 'frontchannel-logout'],
  ['registration', 'dpop', 'protected-resource-metadata'],
];

it('switches each feature off in one group', () => {
  expect(groups.flat().sort()).toEqual([...featureNames].sort());
});

it.each(groups.map(group => [group.join(', '), group] as const))('keeps all promises without %s', async (_, group) => {
  const off = Object.fromEntries(group.map(name => [name, false]));
  const tls = group.includes('mtls') ? 'self-signed' : 'off';
  expect(notKept(await metadataPromises({ keysFile, tls, features: { ...everything, ...off } }))).toEqual([]);
});

it.each(featureNames)('neither advertises nor answers %s where it is off', async name => {
  const tls = name === 'mtls' ? 'self-signed' : 'off';
  await using sandbox = await createSandbox({ keysFile, tls, features: { ...everything, [name]: false } });
  const call = sandbox.tls?.ca === undefined ? get : createTlsFetch({ ca: sandbox.tls.ca });
  const document = JSON.stringify(await (await call(`${sandbox.url}/.well-known/openid-configuration`)).json());
  const { gone, paths } = withoutFeature[name];
  for (const text of gone) expect(document, text).not.toContain(text);
  for (const path of paths) expect((await call(sandbox.url + path)).status, path).toBe(501);
});

/** What a feature is in the document, and where it is. */
const withoutFeature: Readonly<
  Record<Feature, { readonly gone: readonly string[]; readonly paths: readonly string[] }>
> = {
  introspection: { gone: ['introspection_'], paths: ['/oauth2/introspect'] },
  revocation: { gone: ['revocation_'], paths: ['/oauth2/revoke'] },
  device: { gone: ['device'], paths: ['/oauth2/device_authorization', '/oauth2/device_verification'] },
  'token-exchange': { gone: ['token-exchange'], paths: [] },
  'jwt-bearer': { gone: ['jwt-bearer'], paths: [] },
  ciba: {
    gone: ['backchannel_authentication', 'backchannel_token', 'ciba'],
    paths: ['/oauth2/bc-authorize', '/approvals'],
  },
  par: { gone: ['pushed_authorization_request_endpoint'], paths: ['/oauth2/par'] },
  jar: { gone: ['request_object_signing_alg', '"request_parameter_supported":true'], paths: [] },
  jarm: { gone: ['query.jwt', 'authorization_signing_alg'], paths: [] },
  rar: { gone: ['authorization_details'], paths: [] },
  claims: { gone: ['"claims_parameter_supported":true'], paths: [] },
  registration: { gone: ['registration_endpoint'], paths: ['/connect/register', '/connect/register/somebody'] },
  'client-id-metadata': { gone: ['client_id_metadata_document'], paths: [] },
  dpop: { gone: ['dpop'], paths: [] },
  mtls: { gone: ['mtls', 'tls_client'], paths: [] },
  'protected-resource-metadata': {
    gone: ['protected_resources'],
    paths: ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api/products'],
  },
  'backchannel-logout': { gone: ['backchannel_logout'], paths: [] },
  'frontchannel-logout': { gone: ['frontchannel_logout'], paths: [] },
  'session-management': { gone: ['check_session'], paths: ['/connect/check_session'] },
  password: { gone: ['"password"'], paths: [] },
  implicit: { gone: ['implicit', 'id_token token'], paths: [] },
};
