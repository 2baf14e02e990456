import type { Provider } from '../sandbox/provider.ts';
import { apple } from './apple/provider.ts';
import { auth0 } from './auth0/provider.ts';
import { cognito } from './cognito/provider.ts';
import { entra } from './entra/provider.ts';
import { github, githubApp } from './github/provider.ts';
import { google } from './google/provider.ts';
import { keycloak } from './keycloak/provider.ts';
import { okta } from './okta/provider.ts';
import { clerk, firebase, logto, supabase, zitadel } from './shapes/provider.ts';
import { buildkite, circleci, githubActions, gitlabCi, kubernetes } from './workloads/provider.ts';

/** The providers to imitate: take a line away, and nothing of that provider is left in help, schema and `init`. */
export const all: readonly Provider[] = [
  apple,
  github,
  githubApp,
  google,
  keycloak,
  cognito,
  githubActions,
  gitlabCi,
  buildkite,
  circleci,
  kubernetes,
  firebase,
  supabase,
  zitadel,
  logto,
  clerk,
  auth0,
  entra,
  okta,
];
