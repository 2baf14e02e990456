import { describe, expect, it } from 'vitest';
import { responseTypes } from '../../../src/protocol/clients/client.ts';
import { oauthMetadata, openidConfiguration } from '../../../src/protocol/endpoints/metadata.ts';
import type { Feature } from '../../../src/protocol/feature.ts';
import { createTestServer, issuer } from '../../support/server.ts';

const documentsWith = (features: readonly Feature[], profile: 'none' | 'fapi2' = 'none') => {
  const { server } = createTestServer({ features: new Set(features), profile });
  return [oauthMetadata(server), openidConfiguration(server)];
};

describe('metadata of requests and responses', () => {
  it.each<[Feature, object]>([
    [
      'par',
      {
        pushed_authorization_request_endpoint: `${issuer}/oauth2/par`,
        require_pushed_authorization_requests: false,
      },
    ],
    [
      'jar',
      {
        request_parameter_supported: true,
        request_uri_parameter_supported: true,
        require_request_uri_registration: true,
        require_signed_request_object: false,
        request_object_signing_alg_values_supported: expect.arrayContaining(['RS256', 'PS256', 'ES256', 'EdDSA']),
      },
    ],
    [
      'jarm',
      {
        response_modes_supported: [
          'query',
          'fragment',
          'form_post',
          'jwt',
          'query.jwt',
          'fragment.jwt',
          'form_post.jwt',
        ],
        authorization_signing_alg_values_supported: expect.arrayContaining(['RS256', 'PS256', 'ES256', 'EdDSA']),
      },
    ],
    [
      'implicit',
      { response_types_supported: responseTypes, grant_types_supported: expect.arrayContaining(['implicit']) },
    ],
  ])('says what %s adds, in both documents, and says it only then', (feature, members) => {
    for (const document of documentsWith([feature])) expect(document).toMatchObject(members);
    for (const document of documentsWith([])) {
      for (const [name, value] of Object.entries(members)) expect(document[name], name).not.toEqual(value);
    }
  });

  it('offers neither unsigned request objects nor ones signed with a secret', () => {
    for (const { request_object_signing_alg_values_supported: algs } of documentsWith(['jar'])) {
      expect((algs as string[]).filter(alg => alg === 'none' || alg.startsWith('HS'))).toEqual([]);
    }
  });

  it('says aloud that request objects are not supported, because to say nothing would say they are (Discovery §3)', () => {
    for (const document of documentsWith([])) {
      expect(document).toMatchObject({ request_parameter_supported: false, request_uri_parameter_supported: false });
    }
  });

  it('demands pushing, and offers code and the algorithms of the profile, under FAPI 2.0', () => {
    for (const document of documentsWith(['par', 'jar', 'jarm', 'implicit'], 'fapi2')) {
      expect(document).toMatchObject({
        require_pushed_authorization_requests: true,
        request_uri_parameter_supported: false,
        response_types_supported: ['code'],
        request_object_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA', 'Ed25519'],
        authorization_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA', 'Ed25519'],
      });
    }
  });
});
