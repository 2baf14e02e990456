import { workloadPreset } from './workload.ts';

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
