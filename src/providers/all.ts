import type { ProviderPreset } from './preset.ts';
import type { PresetName } from './preset-names.ts';

/** The presets. Each is loaded when an issuer chooses it. */
export const presets: Readonly<Record<PresetName, () => Promise<ProviderPreset>>> = {
  cognito: async () => (await import('./cognito/preset.ts')).cognito,
  apple: async () => (await import('./apple/preset.ts')).apple,
  github: async () => (await import('./github/preset.ts')).github,
  'github-app': async () => (await import('./github/preset.ts')).githubApp,
  google: async () => (await import('./google/preset.ts')).google,
  keycloak: async () => (await import('./keycloak/preset.ts')).keycloak,
  'github-actions': async () => (await import('./workloads/github-actions.ts')).githubActions,
  'gitlab-ci': async () => (await import('./workloads/gitlab-ci.ts')).gitlabCi,
  buildkite: async () => (await import('./workloads/buildkite.ts')).buildkite,
  circleci: async () => (await import('./workloads/circleci.ts')).circleci,
  kubernetes: async () => (await import('./workloads/kubernetes.ts')).kubernetes,
  firebase: async () => (await import('./shapes/firebase.ts')).firebase,
  supabase: async () => (await import('./shapes/supabase.ts')).supabase,
  zitadel: async () => (await import('./shapes/zitadel.ts')).zitadel,
  logto: async () => (await import('./shapes/logto.ts')).logto,
  clerk: async () => (await import('./shapes/clerk.ts')).clerk,
  auth0: async () => (await import('./auth0/preset.ts')).auth0,
  entra: async () => (await import('./entra/preset.ts')).entra,
  okta: async () => (await import('./okta/preset.ts')).okta,
};
