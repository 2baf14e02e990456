import type { Unserved } from '../../http/unknown-path.ts';

const rest = 'GET /user, /user/emails and /user/orgs are there, also below /api/v3.';

/** Calls of GitHub that the sandbox does not answer. */
export const unserved: readonly Unserved[] = [
  { path: '/user', what: 'this part of the REST API', instead: rest },
  { path: '/users', what: 'the users of the REST API', instead: rest },
  { path: '/orgs', what: 'the organizations of the REST API', instead: rest },
  { path: '/repos', what: 'the repositories of the REST API', instead: rest },
  { path: '/search', what: 'the search of the REST API', instead: rest },
  { path: '/graphql', what: 'the GraphQL API', instead: rest },
  { path: '/api/v3', what: 'this part of the REST API', instead: rest },
  { path: '/api/graphql', what: 'the GraphQL API', instead: rest },
  {
    path: '/app',
    what: 'the API of GitHub Apps (installations)',
    instead: 'Users sign in to a GitHub App with PRESET=github-app.',
  },
  {
    path: '/login/oauth',
    what: 'this OAuth endpoint',
    instead: 'Use /login/oauth/authorize and /login/oauth/access_token.',
  },
  { path: '/settings', what: 'the settings of an account', instead: 'The dashboard changes users and clients.' },
];
