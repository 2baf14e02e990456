import { expect, it } from 'vitest';
import type { AuthorizationServer } from '../../../src/protocol/authorization-server.ts';
import { algsToPrepare } from '../../../src/protocol/endpoints/metadata.ts';
import { signingAlgs } from '../../../src/protocol/tokens/signing-key.ts';
import { createTestServer } from '../../support/server.ts';

const { server } = createTestServer();

/** A server whose metadata has this in the place of each list of algorithms that it signs with. */
function naming(algs: readonly string[] | null): AuthorizationServer {
  const members = ['id_token', 'userinfo', 'authorization', 'introspection'].map(name => [
    `${name}_signing_alg_values_supported`,
    algs,
  ]);
  const off = { anyClient: false, anyIssuer: false, issuerFromHost: 'off', refreshTokenGrace: 0 } as const;
  const none = { keyCertificates: false, accessTokenKeys: {}, requestEncryption: false };
  return { ...server, dropIns: { ...off, ...none, metadataOverrides: Object.fromEntries(members) } };
}

it('the algorithms for which keys are prepared are those of the metadata that each library reads, RSA last', () => {
  const algs = algsToPrepare(server);
  const unreadBySome = ['ES512', 'EdDSA', 'Ed25519'];
  expect(algs.toSorted()).toEqual(signingAlgs.filter(alg => !unreadBySome.includes(alg)).toSorted());
  expect(algs.findIndex(alg => /^[RP]S/.test(alg))).toBe(algs.filter(alg => !/^[RP]S/.test(alg)).length);
});

it('a profile, and metadata that names fewer of them, need fewer keys', () => {
  expect(algsToPrepare({ ...server, profile: 'fapi2' })).toEqual(['ES256', 'PS256']);
  expect(algsToPrepare(naming(['RS256', 'HS256', 'none']))).toEqual(['RS256']);
  expect(algsToPrepare(naming(null))).toEqual([]);
});
