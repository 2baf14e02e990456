import { asJson } from '../../server/http/error-replies.ts';
import { ownRoute } from '../own-route.ts';
import { runnerToken } from './runner-token.ts';
import { workloadPreset } from './workload.ts';

/** GitHub Actions: the tokens of workflow runs. */
export const githubActions = workloadPreset({
  title: 'GitHub Actions',
  jwks: '/.well-known/jwks',
  // all values are texts: docs.github.com, OpenID Connect reference
  usual: {
    ref: 'refs/heads/main',
    sha: '9f3182061f1e2cca4702c368cbc039b7dc9d4485',
    repository: 'octo-org/octo-repo',
    repository_owner: 'octo-org',
    repository_owner_id: '65',
    repository_id: '74',
    repository_visibility: 'private',
    run_id: '1234567890',
    run_number: '10',
    run_attempt: '1',
    actor: 'octocat',
    actor_id: '12',
    workflow: 'CI',
    head_ref: '',
    base_ref: '',
    event_name: 'push',
    ref_protected: 'false',
    ref_type: 'branch',
    runner_environment: 'github-hosted',
  },
  made: [
    {
      claims: {
        aud: 'https://github.com/${claims.repository_owner}',
        workflow_ref: '${claims.repository}/.github/workflows/ci.yml@${claims.ref}',
        workflow_sha: '${claims.sha}',
        job_workflow_ref: '${claims.repository}/.github/workflows/ci.yml@${claims.ref}',
        job_workflow_sha: '${claims.sha}',
        sub: 'repo:${claims.repository}:ref:${claims.ref}',
      },
    },
    { when: 'claims.head_ref', claims: { sub: 'repo:${claims.repository}:pull_request' } },
    { when: 'claims.environment', claims: { sub: 'repo:${claims.repository}:environment:${claims.environment}' } },
  ],
  routes: ({ base }) => [
    ownRoute('GitHub Actions')(
      'id_token GET',
      `${base}/idtoken`,
      'token of a job, as `core.getIDToken()` asks for it (`ACTIONS_ID_TOKEN_REQUEST_URL`)',
      runnerToken,
      { form: asJson, limited: true },
    ),
  ],
});
