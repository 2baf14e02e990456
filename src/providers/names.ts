declare module '../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly apple: true;
    readonly auth0: true;
    readonly buildkite: true;
    readonly circleci: true;
    readonly clerk: true;
    readonly cognito: true;
    readonly entra: true;
    readonly firebase: true;
    readonly github: true;
    readonly 'github-actions': true;
    readonly 'github-app': true;
    readonly 'gitlab-ci': true;
    readonly google: true;
    readonly keycloak: true;
    readonly kubernetes: true;
    readonly logto: true;
    readonly okta: true;
    readonly supabase: true;
    readonly zitadel: true;
  }
}

/** The names that a configuration file may have. */
export type { PresetName } from '../sandbox/config/provider-traits.ts';
