import { workloadPreset } from './workload.ts';

/** GitLab CI: the `id_tokens` of jobs. */
export const gitlabCi = workloadPreset({
  title: 'GitLab CI',
  jwks: '/oauth/discovery/keys',
  // docs.gitlab.com, ID token authentication: ids are texts, `runner_id` is a number
  usual: {
    namespace_id: '72',
    namespace_path: 'my-group',
    project_id: '20',
    project_path: 'my-group/my-project',
    project_visibility: 'private',
    user_id: '1',
    user_login: 'sample-user',
    user_email: 'sample-user@example.com',
    user_access_level: 'developer',
    pipeline_id: '574',
    pipeline_source: 'push',
    job_id: '302',
    ref: 'main',
    ref_type: 'branch',
    ref_protected: 'true',
    groups_direct: ['my-group'],
    runner_id: 1,
    runner_environment: 'self-hosted',
    sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
  },
  made: [
    {
      claims: {
        ref_path: 'refs/heads/${claims.ref}',
        ci_config_ref_uri: 'gitlab.com/${claims.project_path}//.gitlab-ci.yml@refs/heads/${claims.ref}',
        ci_config_sha: '${claims.sha}',
        sub: 'project_path:${claims.project_path}:ref_type:${claims.ref_type}:ref:${claims.ref}',
      },
    },
  ],
  unserved: [{ path: '/api/v4', what: 'the REST API of GitLab', instead: 'POST /oauth2/token gives a job its token.' }],
});
