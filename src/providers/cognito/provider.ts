import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly cognito: true;
  }
}

/** Amazon Cognito. */
export const cognito: Provider = {
  name: 'cognito',
  options: { pool: 'us-east-1_Grantbox1', issuer: 'local', code: '123456', mfa: 'optional' },
  forms: {
    pool: [/^[a-z][a-z0-9-]*_[A-Za-z0-9]{1,55}$/, 'a region, _ and an id, such as eu-west-1_Grantbox1'],
    issuer: [
      /^(local|aws|https:\/\/[\w.~:/-]{1,200}[\w~-])$/,
      'local, aws, or an https URL without a slash at the end',
    ],
    code: [/^\d{6}$/, 'six digits'],
    mfa: [/^(optional|on)$/, 'optional or on'],
  },
  clientDefaults: { refresh_token_rotation: false },
  settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
  accessKey: true,
  scopes: ['aws.cognito.signin.user.admin'],
  paths: ['/oauth2/userInfo'],
  sdks: { browser: 'cognito', api: 'cognito-api', needsTls: true },
  load: async () => (await import('./preset.ts')).cognito,
};
