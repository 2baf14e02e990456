import type { ClientOfKind } from './ready-client.ts';

/** Applications that cannot keep a secret, because the user has their code. */
const publicApp = {
  token_endpoint_auth_method: 'none',
  redirect_uris: ['http://localhost:3000/callback'],
} as const;

/** Single-page apps. */
export const browserApps: readonly ClientOfKind[] = [
  {
    title: 'Single-page app',
    use: 'For code that runs in a browser and logs a user in: no secret, a code with PKCE.',
    read: 'RFC 7636 §4',
    command: 'ready-code',
    settings: {
      client_id: 'catalogue-spa',
      client_name: 'Single-page app',
      ...publicApp,
      grant_types: ['authorization_code'],
      post_logout_redirect_uris: ['http://localhost:3000/'],
      scope: 'openid profile email',
    },
  },
  {
    title: 'Refresh tokens that rotate',
    use: 'For a single-page app that stays signed in: each refresh token works once, and a second use ends them all.',
    read: 'RFC 9700 §4.14',
    command: 'ready-refresh',
    settings: {
      client_id: 'catalogue-spa-refresh',
      client_name: 'Single-page app with refresh tokens',
      ...publicApp,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid profile offline_access',
      refresh_token_rotation: true,
      refresh_token_lifetime: '8h',
    },
  },
  {
    title: 'Tokens bound by DPoP',
    use: 'For an app whose tokens are of no use to a thief: each request proves that it has the key.',
    read: 'RFC 9449 §4',
    command: 'ready-dpop',
    settings: {
      client_id: 'catalogue-dpop',
      client_name: 'App with DPoP',
      ...publicApp,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid bikes:read',
      dpop_bound_access_tokens: true,
    },
  },
];

/** Installed applications. */
export const nativeApps: readonly ClientOfKind[] = [
  {
    title: 'Desktop or command-line app',
    use: 'For an app that listens on a port of this machine, a different one at each login.',
    read: 'RFC 8252 §7.3',
    command: 'ready-code',
    values: { redirect_uri: 'http://127.0.0.1:50123/callback' },
    settings: {
      client_id: 'catalogue-native',
      client_name: 'Desktop app',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
      scope: 'openid profile offline_access',
    },
  },
  {
    title: 'Mobile app',
    use: 'For an app that the system opens by a URI scheme of its own.',
    read: 'RFC 8252 §7.1',
    command: 'ready-code',
    settings: {
      client_id: 'catalogue-mobile',
      client_name: 'Mobile app',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['com.example.bikes:/callback'],
      scope: 'openid profile offline_access',
    },
  },
  {
    title: 'MCP client',
    use: 'For an agent that calls tools: its token names the one server it is for.',
    read: 'RFC 8707 §2',
    command: 'ready-mcp',
    values: { redirect_uri: 'http://127.0.0.1:50124/callback', resource: '/api/bikes' },
    settings: {
      client_id: 'catalogue-mcp',
      client_name: 'MCP client',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['http://127.0.0.1/callback'],
      scope: 'bikes:read offline_access',
    },
  },
];
