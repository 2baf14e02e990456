import { describe, expect, it } from 'vitest';
import { oauthMetadata, openidConfiguration } from '../../../src/protocol/endpoints/metadata.ts';
import { type Feature, featureNames } from '../../../src/protocol/feature.ts';
import { createTestServer, issuer } from '../../support/server.ts';

function without(...off: readonly Feature[]) {
  return createTestServer({ features: new Set(featureNames.filter(name => !off.includes(name))) }).server;
}

describe.each([
  ['OAuth', oauthMetadata],
  ['OpenID', openidConfiguration],
])('the %s metadata', (_name, metadata) => {
  it('says where devices ask (RFC 8628 §4)', () => {
    const member = { device_authorization_endpoint: `${issuer}/oauth2/device_authorization` };
    expect(metadata(without())).toMatchObject(member);
    expect(metadata(without('device'))).not.toHaveProperty('device_authorization_endpoint');
  });

  it('says how backchannel authentication works here (OIDC CIBA §4)', () => {
    expect(metadata(without())).toMatchObject({
      backchannel_authentication_endpoint: `${issuer}/oauth2/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
      backchannel_authentication_request_signing_alg_values_supported: expect.arrayContaining(['ES256', 'PS256']),
      backchannel_user_code_parameter_supported: false,
    });
    const names = Object.keys(metadata(without('ciba')));
    expect(names.filter(name => /^backchannel_(authentication|token|user)/.test(name))).toEqual([]);
  });

  it('offers no signed requests without request objects', () => {
    const member = 'backchannel_authentication_request_signing_alg_values_supported';
    expect(metadata(without('jar'))).not.toHaveProperty(member);
  });
});
