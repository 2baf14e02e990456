import { describe, expect, it } from 'vitest';
import { oauthMetadata, resourceMetadata } from '../../../src/protocol/endpoints/metadata.ts';
import { defaultFeatures } from '../../../src/protocol/feature.ts';
import { createTestServer, issuer, refusal, type TestServerOptions } from '../../support/server.ts';

const path = '/.well-known/oauth-protected-resource/api/bikes';

function ask(asked: string, options: TestServerOptions = {}) {
  const { server, request } = createTestServer(options);
  return resourceMetadata(server, request({}, { method: 'GET', path: asked }));
}

describe('protected resource metadata', () => {
  it('has the identifier its address was made from, the issuer, and scopes without offline_access', async () => {
    expect(await ask(path)).toMatchObject({
      status: 200,
      body: {
        resource: `${issuer}/api/bikes`,
        authorization_servers: [issuer],
        scopes_supported: ['bikes:read'],
        bearer_methods_supported: ['header'],
        resource_name: 'Bikes',
      },
    });
  });

  it('says how tokens can be bound, as far as that is on', async () => {
    expect(await ask(path)).toMatchObject({
      body: {
        dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
        tls_client_certificate_bound_access_tokens: true,
      },
    });
    const off = new Set(defaultFeatures.filter(name => name !== 'dpop' && name !== 'mtls'));
    const { body } = (await ask(path, { features: off })) as { body: object };
    expect(Object.keys(body)).toEqual([
      'resource',
      'authorization_servers',
      'scopes_supported',
      'bearer_methods_supported',
      'resource_name',
    ]);
  });

  it.each(['', '/', '/api', '/api/bikes/', '/api/bikes/1', '/api/cars', '/api/__proto__', '/userinfo'])(
    'is not there for what is no resource: %j',
    async suffix => {
      const error = await refusal(ask(`/.well-known/oauth-protected-resource${suffix}`));
      expect([error.status, error.reason]).toEqual([404, 'path_unknown']);
    },
  );

  it('is announced by the server, as long as it is on', () => {
    expect(oauthMetadata(createTestServer().server)).toMatchObject({ protected_resources: [`${issuer}/api/bikes`] });
    const features = new Set(defaultFeatures.filter(name => name !== 'protected-resource-metadata'));
    expect(oauthMetadata(createTestServer({ features }).server)).not.toHaveProperty('protected_resources');
  });
});
