import { workloadPreset } from './workload.ts';

/** Buildkite: the tokens of `buildkite-agent oidc request-token`. */
export const buildkite = workloadPreset({
  title: 'Buildkite',
  jwks: '/.well-known/jwks',
  // buildkite.com/docs, OIDC: `build_number` is a number
  usual: {
    organization_slug: 'acme-inc',
    pipeline_slug: 'super-duper-app',
    build_number: 1,
    build_branch: 'main',
    build_commit: '9f3182061f1e2cca4702c368cbc039b7dc9d4485',
    step_key: 'build',
    job_id: '0184990a-477b-4fa8-9968-496074483cee',
    agent_id: '0184990a-4782-42b5-afc1-16715b10b8ff',
    build_source: 'webhook',
    runner_environment: 'self-hosted',
  },
  made: [
    {
      claims: {
        aud: 'https://buildkite.com/${claims.organization_slug}',
        sub: 'organization:${claims.organization_slug}:pipeline:${claims.pipeline_slug}:ref:refs/heads/${claims.build_branch}:commit:${claims.build_commit}:step:${claims.step_key}',
      },
    },
  ],
  unserved: [
    {
      path: '/v3',
      what: 'the API of the agents of Buildkite',
      instead: 'POST /oauth2/token gives a job its token.',
    },
  ],
});
