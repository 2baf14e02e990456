import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly buildkite: true;
    readonly circleci: true;
    readonly 'github-actions': true;
    readonly 'gitlab-ci': true;
    readonly kubernetes: true;
  }
}

/** GitHub Actions: the tokens of workflow runs. */
export const githubActions: Provider = {
  name: 'github-actions',
  options: {},
  paths: ['/_apis/'],
  sdks: { service: 'actions-core' },
  load: async () => (await import('./workload.ts')).githubActions,
};

/** GitLab CI: the ID tokens of jobs. */
export const gitlabCi: Provider = {
  name: 'gitlab-ci',
  options: {},
  paths: ['/oauth/discovery/'],
  load: async () => (await import('./workload.ts')).gitlabCi,
};

/** Buildkite: the tokens of jobs. */
export const buildkite: Provider = {
  name: 'buildkite',
  options: {},
  paths: ['/v3/jobs/'],
  load: async () => (await import('./workload.ts')).buildkite,
};

/** CircleCI: the tokens of jobs. */
export const circleci: Provider = {
  name: 'circleci',
  options: { organization: '8b4cb5cd-6d5a-4a5e-8f5a-1f3f0c0a2b3c', user: '2b1c6a0e-3a3b-4c55-9d3e-6c2a7a1f5e77' },
  paths: ['/org/'],
  load: async () => (await import('./workload.ts')).circleci,
};

/** Kubernetes: the tokens of service accounts. */
export const kubernetes: Provider = {
  name: 'kubernetes',
  options: {},
  paths: ['/openid/v1/'],
  load: async () => (await import('./workload.ts')).kubernetes,
};
