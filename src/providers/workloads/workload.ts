import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { authenticateClient, requireGrant } from '../../protocol/clients/client-authentication.ts';
import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type { DialectData, MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { parameter, parseParameters } from '../../protocol/parameters.ts';
import { issueAccessToken } from '../../protocol/tokens/issue-tokens.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { asJson } from '../../server/http/error-replies.ts';
import { ownRoute } from '../own-route.ts';
import { shapePreset } from '../shapes/shapes.ts';

/**
 * An issuer whose tokens say which job or machine asks: no user logs in. A client is a job, its `access_token_claims` are the
 * claims of the job, and it gets its token by the grant `client_credentials`.
 */
interface Workload extends Omit<ProviderPreset, 'dialect' | 'paths'> {
  /** The path of the keys below the issuer. */
  readonly jwks: string;
  /** Claims of a job that its client does not set. `${options.name}` is an option of the preset. */
  readonly usual: Readonly<Record<string, unknown>>;
  /** Claims made of the others, such as `sub`. `${claims.name}` is a claim so far. */
  readonly made: readonly ClaimRule[];
  /** The audience is always a list. */
  readonly listsAudience?: true;
}

function workloadPreset(workload: Workload): ProviderPreset {
  const { jwks, usual, made, listsAudience, ...preset } = workload;
  const forms = { accessToken: jobToken(workload) };
  return shapePreset({ ...preset, metadata: metadataOf(workload), forms, paths: { jwks } });
}

/** Configured values of a job replace the usual values, and values derived from others. */
function jobToken({ usual, made, listsAudience }: Workload): NonNullable<DialectData['forms']['accessToken']> {
  const given = { when: 'client.access_token_claims', claims: { '...': '${client.access_token_claims}' } };
  return {
    omit: ['client_id', 'scope'],
    listsAudience,
    rules: [{ claims: usual }, given, ...made, given, { claims: { aud: ['${...audience}'] } }],
  };
}

/** The document is for those who verify tokens, so it has little but the keys. The token endpoint is for jobs of the sandbox. */
function metadataOf({ usual }: Workload): MetadataForm {
  return {
    add: {
      claims_supported: ['sub', 'aud', 'exp', 'iat', 'iss', 'jti', 'nbf', ...Object.keys(usual)],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      response_types_supported: ['id_token'],
      scopes_supported: ['openid'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['${signingAlg}'],
    },
    keep: ['issuer', 'jwks_uri', 'token_endpoint'],
  };
}

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

const of = (name: string) => `oidc.circleci.com/${name}`;

/** CircleCI: the value of `CIRCLE_OIDC_TOKEN`. */
export const circleci = workloadPreset({
  title: 'CircleCI',
  issuerPath: ({ organization }) => `/org/${organization}`,
  jwks: '/.well-known/jwks-pub.json',
  // circleci.com/docs, Using OpenID Connect tokens in jobs
  usual: {
    aud: '${options.organization}',
    [of('project-id')]: '23cbcd6e-8a0e-4a6d-bd5e-4c5a9f2b1d11',
    [of('context-ids')]: [],
    [of('vcs-origin')]: 'github.com/acme/shop',
    [of('vcs-ref')]: 'refs/heads/main',
    [of('ssh-rerun')]: false,
  },
  made: [
    {
      claims: {
        sub: 'org/${options.organization}/project/${claims[oidc.circleci.com/project-id]}/user/${options.user}',
      },
    },
  ],
});

/** The API server of a Kubernetes cluster: the tokens of service accounts. */
export const kubernetes = workloadPreset({
  title: 'Kubernetes',
  jwks: '/openid/v1/jwks',
  listsAudience: true,
  // kubernetes/pkg/serviceaccount/claims.go
  usual: {
    'kubernetes.io': {
      namespace: 'default',
      node: { name: 'node-1', uid: '646e7c5e-32d6-4d42-9dbd-e504e6cbe6b1' },
      pod: { name: 'app-0', uid: '5e0bd49b-f040-43b0-99b7-22765a53f7f3' },
      serviceaccount: { name: 'default', uid: '14ee3fa4-a7e2-420f-9f9a-dbc4507c3798' },
    },
  },
  made: [
    {
      claims: {
        aud: 'https://kubernetes.default.svc.cluster.local',
        sub: 'system:serviceaccount:${claims[kubernetes.io].namespace}:${claims[kubernetes.io].serviceaccount.name}',
      },
    },
  ],
});

const grant_type = 'client_credentials';

/**
 * The call by which a job of GitHub Actions gets its token: `GET …/idtoken?audience=` with the credentials of the job, the value of
 * `ACTIONS_ID_TOKEN_REQUEST_TOKEN`. Here they are `client_id:client_secret`. An audience need not be a URI, so it is no `resource`.
 */
async function runnerToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { emit, parameters } = request;
  const { client } = await authenticateClient(server, { ...request, ...withBasic(request), parameters: noForm });
  requireGrant(client, grant_type);
  emit({ type: 'token.requested', client_id: client.client_id, grant_type, ignored: [] });
  const audience = parameter(parameters, 'audience');
  const { token } = await issueAccessToken({
    server,
    client: audience === undefined ? client : { ...client, audience: [audience] },
    redemption: {
      authorization: { id: server.random.id(), client_id: client.client_id, grant_type, scopes: [], resources: [] },
      scopes: [],
      resources: [],
    },
    emit,
  });
  return { kind: 'json', status: 200, body: { count: token.length, value: token } };
}

const noForm = parseParameters('');

/** `Bearer client_id:client_secret` as `Basic`, by which a client authenticates (RFC 6749 §2.3.1). */
function withBasic({ authorization = '' }: EndpointRequest): Pick<EndpointRequest, 'authorization'> {
  const credentials = /^bearer +(.+)$/i.exec(authorization)?.[1] ?? '';
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
