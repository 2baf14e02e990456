import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import type { JsonObject } from '../../src/sandbox/config/json.ts';
import { createSandbox } from '../support/bundle.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

type Members = Readonly<Record<string, unknown>>;

const names = ['github-actions', 'gitlab-ci', 'buildkite', 'circleci', 'kubernetes'] as const;

function configOf(name: (typeof names)[number], access_token_claims?: JsonObject): SandboxConfig {
  const client = { client_id: 'deploy', client_secret: 'deploy-secret', grant_types: ['client_credentials' as const] };
  return { preset: name, clients: [{ ...client, ...(access_token_claims && { access_token_claims }) }] };
}

async function jobToken({ issuer }: Pick<Sandbox, 'issuer'>, more: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('deploy:deploy-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...more }),
  });
  const { access_token } = (await response.json()) as { readonly access_token: string };
  return access_token;
}

async function metadataOf({ issuer }: Pick<Sandbox, 'issuer'>): Promise<Members> {
  return (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Members;
}

/** As the cloud that trusts the issuer does it. */
async function verified(sandbox: Sandbox, token: string, audience: string): Promise<Members> {
  const { issuer, jwks_uri } = await metadataOf(sandbox);
  const keys = createRemoteJWKSet(new URL(String(jwks_uri)));
  return (await jwtVerify(token, keys, { issuer: String(issuer), audience, algorithms: ['RS256'] })).payload;
}

const usualAudiences = {
  'github-actions': 'https://github.com/octo-org',
  'gitlab-ci': 'deploy',
  buildkite: 'https://buildkite.com/acme-inc',
  circleci: '8b4cb5cd-6d5a-4a5e-8f5a-1f3f0c0a2b3c',
  kubernetes: 'https://kubernetes.default.svc.cluster.local',
};

describe.each(names)('the preset %s', name => {
  it('has the metadata and the token of the golden file, and a key that verifies it', async () => {
    await using sandbox = await createSandbox(configOf(name));
    const token = await jobToken(sandbox);
    await verified(sandbox, token, usualAudiences[name]);
    const parts = { metadata: await metadataOf(sandbox), token: decodeJwt(token) };
    expectGolden(name, parts, { url: sandbox.url, random: ['jti'] });
  });

  it('puts the audience that was asked for into the token', async () => {
    await using sandbox = await createSandbox(configOf(name));
    const token = await jobToken(sandbox, { resource: 'https://vault.example' });
    expect(await verified(sandbox, token, 'https://vault.example')).toMatchObject({ iss: sandbox.issuer });
  });

  it('keeps the promises of its metadata that need no login', async () => {
    const promises = await metadataPromises({ ...configOf(name), keysFile: writeKeysFile() });
    const noLogin = 'the metadata has no authorization_endpoint';
    expect(notKept(promises).filter(line => !line.endsWith(noLogin))).toEqual([]);
  });
});

describe('the subject of a job', () => {
  const subjects: readonly [preset: (typeof names)[number], claims: JsonObject, sub: string][] = [
    ['github-actions', { repository: 'acme/shop', ref: 'refs/tags/v1' }, 'repo:acme/shop:ref:refs/tags/v1'],
    ['github-actions', { repository: 'acme/shop', environment: 'prod' }, 'repo:acme/shop:environment:prod'],
    ['github-actions', { repository: 'acme/shop', head_ref: 'fix' }, 'repo:acme/shop:pull_request'],
    [
      'gitlab-ci',
      { project_path: 'acme/shop', ref: 'v1', ref_type: 'tag' },
      'project_path:acme/shop:ref_type:tag:ref:v1',
    ],
    [
      'buildkite',
      {
        organization_slug: 'acme',
        pipeline_slug: 'shop',
        build_branch: 'fix',
        build_commit: 'c0ffee',
        step_key: 'test',
      },
      'organization:acme:pipeline:shop:ref:refs/heads/fix:commit:c0ffee:step:test',
    ],
    [
      'circleci',
      { 'oidc.circleci.com/project-id': 'p1' },
      'org/8b4cb5cd-6d5a-4a5e-8f5a-1f3f0c0a2b3c/project/p1/user/2b1c6a0e-3a3b-4c55-9d3e-6c2a7a1f5e77',
    ],
    [
      'kubernetes',
      { 'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'api', uid: 'u1' } } },
      'system:serviceaccount:shop:api',
    ],
  ];
  it.each(subjects)('of %s with %j is %s', async (name, claims, sub) => {
    await using sandbox = await createSandbox(configOf(name, claims));
    expect(decodeJwt(await jobToken(sandbox))).toMatchObject({ ...claims, sub });
  });

  it('is a list of one audience in Kubernetes', async () => {
    await using sandbox = await createSandbox(configOf('kubernetes'));
    expect(decodeJwt(await jobToken(sandbox)).aud).toEqual(['https://kubernetes.default.svc.cluster.local']);
  });
});
