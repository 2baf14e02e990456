import { demoKey } from './demo-key.ts';
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
    use: 'For code that runs in a browser and signs a user in: no secret, a code with PKCE.',
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
    use: 'For an app that listens on a port of this machine, a different one at each sign-in.',
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

const loggingIn = {
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['http://localhost:3000/callback'],
  post_logout_redirect_uris: ['http://localhost:3000/'],
  scope: 'openid profile email',
} as const;

/** Signs users in at a server, which can keep a secret. */
export const webApps: readonly ClientOfKind[] = [
  {
    title: 'Web app, secret in the header',
    use: 'For a server that renders pages and sends its secret by HTTP Basic, as most libraries do.',
    read: 'RFC 6749 §2.3.1',
    command: 'ready-code',
    settings: {
      client_id: 'catalogue-web',
      client_name: 'Web app',
      client_secret: 'catalogue-web-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      ...loggingIn,
      require_pkce: true,
    },
  },
  {
    title: 'Web app, secret in the body',
    use: 'For a library that sends the secret as a form field.',
    read: 'RFC 6749 §2.3.1',
    command: 'ready-code',
    settings: {
      client_id: 'catalogue-web-post',
      client_name: 'Web app that posts its secret',
      client_secret: 'catalogue-web-post-secret',
      token_endpoint_auth_method: 'client_secret_post',
      ...loggingIn,
      require_pkce: true,
    },
  },
  {
    title: 'Consent and pairwise subjects',
    use: 'For an app of a third party: the user allows each scope, and the sub differs from that of other clients.',
    read: 'OIDC Core §8.1',
    command: 'ready-consent',
    settings: {
      client_id: 'catalogue-third-party',
      client_name: 'App of a third party',
      client_secret: 'catalogue-third-party-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      ...loggingIn,
      subject_type: 'pairwise',
      require_consent: true,
    },
  },
  {
    title: 'Pushed authorization requests',
    use: 'For an app that sends its request to the server first, so that no browser can read or change it.',
    read: 'RFC 9126 §2',
    command: 'ready-par',
    settings: {
      client_id: 'catalogue-par',
      client_name: 'Web app with pushed requests',
      client_secret: 'catalogue-par-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      ...loggingIn,
      require_pushed_authorization_requests: true,
    },
  },
  {
    title: 'Signed authorization requests',
    use: 'For an app that signs its request (JAR), so that the server knows who wrote it.',
    read: 'RFC 9101 §4',
    command: 'ready-jar',
    settings: {
      client_id: 'catalogue-jar',
      client_name: 'Web app with signed requests',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [demoKey] },
      ...loggingIn,
      require_signed_request_object: true,
      request_object_signing_alg: 'RS256',
    },
  },
  {
    title: 'Signed authorization responses',
    use: 'For an app that wants its code in a JWT of the server (JARM), which nobody on the way can change.',
    read: 'OAuth 2.0 JARM §2',
    command: 'ready-jarm',
    settings: {
      client_id: 'catalogue-jarm',
      client_name: 'Web app with signed responses',
      client_secret: 'catalogue-jarm-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      ...loggingIn,
      authorization_signed_response_alg: 'RS256',
    },
  },
  {
    title: 'Encrypted ID tokens',
    use: 'For an app whose ID tokens only its own key can open, and whose UserInfo is a signed JWT.',
    read: 'OIDC Core §10.2',
    command: 'ready-code',
    settings: {
      client_id: 'catalogue-encrypted',
      client_name: 'Web app with encrypted ID tokens',
      client_secret: 'catalogue-encrypted-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      jwks: { keys: [demoKey] },
      ...loggingIn,
      id_token_encrypted_response_alg: 'RSA-OAEP-256',
      userinfo_signed_response_alg: 'RS256',
    },
  },
  {
    title: 'FAPI 2.0',
    use: 'For a bank or a health service: a pushed request, a signed client assertion, and tokens bound by DPoP.',
    read: 'FAPI 2.0 Security Profile §5.3',
    command: 'ready-fapi',
    values: { alg: 'PS256' },
    settings: {
      client_id: 'catalogue-fapi',
      client_name: 'FAPI 2.0 client',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'PS256',
      jwks: { keys: [demoKey] },
      ...loggingIn,
      id_token_signed_response_alg: 'ES256',
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      require_pkce: true,
    },
  },
  {
    title: 'Back-channel logout',
    use: 'For an app that the server tells of a logout by a request of its own, without the browser.',
    read: 'OIDC Back-Channel Logout §2',
    command: 'ready-logout',
    settings: {
      client_id: 'catalogue-backchannel-logout',
      client_name: 'Web app with back-channel logout',
      client_secret: 'catalogue-backchannel-logout-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      ...loggingIn,
      backchannel_logout_uri: 'http://localhost:3000/backchannel-logout',
      backchannel_logout_session_required: true,
    },
  },
  {
    title: 'Front-channel logout',
    use: 'For an app that the page after the logout opens in a frame, so that it can delete its cookie.',
    read: 'OIDC Front-Channel Logout §2',
    command: 'ready-logout',
    settings: {
      client_id: 'catalogue-frontchannel-logout',
      client_name: 'Web app with front-channel logout',
      client_secret: 'catalogue-frontchannel-logout-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      ...loggingIn,
      frontchannel_logout_uri: 'http://localhost:3000/frontchannel-logout',
      frontchannel_logout_session_required: true,
    },
  },
];
