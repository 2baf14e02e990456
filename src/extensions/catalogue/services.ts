import { demoKey } from './demo-key.ts';
import type { ClientOfKind } from './ready-client.ts';

const forItself = { grant_types: ['client_credentials'], scope: 'telemetry:write' } as const;
const https = 'HTTPS: start with TLS=self-signed';

/** Services that act for themselves, one for each way to authenticate. */
export const services: readonly ClientOfKind[] = [
  {
    title: 'Secret in the header',
    use: 'For a job or a device that asks for a token of its own, with its secret by HTTP Basic.',
    read: 'RFC 6749 §4.4',
    command: 'ready-service',
    settings: {
      client_id: 'catalogue-service',
      client_name: 'Service',
      client_secret: 'catalogue-service-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      ...forItself,
    },
  },
  {
    title: 'Secret in the body',
    use: 'For a service whose library sends the secret as a form field.',
    read: 'RFC 6749 §2.3.1',
    command: 'ready-service',
    settings: {
      client_id: 'catalogue-service-post',
      client_name: 'Service that posts its secret',
      client_secret: 'catalogue-service-post-secret',
      token_endpoint_auth_method: 'client_secret_post',
      ...forItself,
    },
  },
  {
    title: 'JWT signed with the secret',
    use: 'For a service that never sends its secret: it signs an assertion with it.',
    read: 'OIDC Core §9',
    command: 'ready-service',
    settings: {
      client_id: 'catalogue-service-secret-jwt',
      client_name: 'Service that signs with its secret',
      client_secret: 'catalogue-service-secret-jwt-secret-of-32-bytes-or-more',
      token_endpoint_auth_method: 'client_secret_jwt',
      token_endpoint_auth_signing_alg: 'HS256',
      ...forItself,
    },
  },
  {
    title: 'JWT signed with a private key',
    use: 'For a service that shares no secret with the server: the server knows its public key only.',
    read: 'RFC 7523 §2.2',
    command: 'ready-service',
    settings: {
      client_id: 'catalogue-service-key',
      client_name: 'Service with a private key',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [demoKey] },
      ...forItself,
    },
  },
  {
    title: 'Certificate of a CA',
    use: 'For a service that shows a client certificate in the TLS handshake; its tokens are bound to it.',
    read: 'RFC 8705 §2.1',
    command: 'ready-certificate',
    needs: https,
    settings: {
      client_id: 'catalogue-service-mtls',
      client_name: 'Service with a certificate',
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: 'CN=catalogue-service-mtls',
      tls_client_certificate_bound_access_tokens: true,
      ...forItself,
    },
  },
  {
    title: 'Self-signed certificate',
    use: 'For a service whose certificate no CA has signed: the server knows its public key.',
    read: 'RFC 8705 §2.2',
    command: 'ready-certificate',
    needs: https,
    settings: {
      client_id: 'catalogue-service-self-signed',
      client_name: 'Service with a self-signed certificate',
      token_endpoint_auth_method: 'self_signed_tls_client_auth',
      jwks: { keys: [demoKey] },
      ...forItself,
    },
  },
  {
    title: 'Opaque access tokens',
    use: 'For a service whose tokens are random text that only the server can read.',
    read: 'RFC 6749 §1.4',
    command: 'ready-service',
    settings: {
      client_id: 'catalogue-opaque',
      client_name: 'Service with opaque tokens',
      client_secret: 'catalogue-opaque-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      ...forItself,
      access_token_format: 'opaque',
    },
  },
];

/** APIs that introspect tokens or exchange them. */
export const apis: readonly ClientOfKind[] = [
  {
    title: 'API that introspects',
    use: 'For an API that asks the server whether a token is active, so that a revoked one is refused at once.',
    read: 'RFC 7662 §2',
    command: 'ready-introspection',
    settings: {
      client_id: 'catalogue-api',
      client_name: 'API that introspects tokens',
      client_secret: 'catalogue-api-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      ...forItself,
    },
  },
  {
    title: 'Token exchange with an actor',
    use: 'For an API that calls the next one for a user: the new token names the user, and the API as the actor.',
    read: 'RFC 8693 §4.1',
    command: 'ready-exchange',
    settings: {
      client_id: 'catalogue-exchange',
      client_name: 'API that exchanges tokens',
      client_secret: 'catalogue-exchange-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange', 'client_credentials'],
      scope: 'openid profile email bikes:read',
    },
  },
  {
    title: 'Assertion of a partner',
    use: 'For a partner that signs in its own users and sends a JWT about one of them.',
    read: 'RFC 7523 §2.1',
    command: 'ready-assertion',
    settings: {
      client_id: 'catalogue-jwt-bearer',
      client_name: 'Partner that sends assertions',
      client_secret: 'catalogue-jwt-bearer-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
      scope: 'openid profile bikes:read',
    },
  },
];

const ciba = {
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['urn:openid:params:grant-type:ciba', 'refresh_token'],
  scope: 'openid profile',
} as const;

/** The user approves on a different screen. */
export const devices: readonly ClientOfKind[] = [
  {
    title: 'Device without a keyboard',
    use: 'For a television or a printer: it shows a code, and the user approves on a phone.',
    read: 'RFC 8628 §3',
    command: 'ready-device',
    settings: {
      client_id: 'catalogue-device',
      client_name: 'Living-room TV',
      token_endpoint_auth_method: 'none',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      scope: 'openid profile offline_access',
    },
  },
  {
    title: 'Approval by phone, polled',
    use: 'For a call centre that names the user and asks again and again whether the user has approved.',
    read: 'OIDC CIBA §7',
    command: 'ready-ciba',
    settings: {
      client_id: 'catalogue-ciba',
      client_name: 'Call centre',
      client_secret: 'catalogue-ciba-secret',
      ...ciba,
      backchannel_token_delivery_mode: 'poll',
    },
  },
  {
    title: 'Approval by phone, notified',
    use: 'For a payment terminal that the server notifies of the decision, so that it need not ask.',
    read: 'OIDC CIBA §10.2',
    command: 'ready-ciba',
    settings: {
      client_id: 'catalogue-ciba-ping',
      client_name: 'Payment terminal',
      client_secret: 'catalogue-ciba-ping-secret',
      ...ciba,
      backchannel_token_delivery_mode: 'ping',
      backchannel_client_notification_endpoint: 'http://localhost:3000/ciba-notification',
    },
  },
];

/** For testing applications that still use these grants. The grants are off unless the configuration names them. */
export const removed: readonly ClientOfKind[] = [
  {
    title: 'Password grant',
    use: 'For an old app that takes the password of the user itself: move it to a code with PKCE.',
    read: 'RFC 9700 §2.4',
    command: 'ready-password',
    needs: 'FEATURES=password=on',
    settings: {
      client_id: 'catalogue-password',
      client_name: 'Old app with the password grant',
      client_secret: 'catalogue-password-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['password', 'refresh_token'],
      scope: 'openid profile',
    },
  },
  {
    title: 'Implicit flow',
    use: 'For an old single-page app that gets its tokens in the address: move it to a code with PKCE.',
    read: 'RFC 9700 §2.1.2',
    command: 'ready-implicit',
    needs: 'FEATURES=implicit=on',
    settings: {
      client_id: 'catalogue-implicit',
      client_name: 'Old app with the implicit flow',
      token_endpoint_auth_method: 'none',
      grant_types: ['implicit'],
      response_types: ['id_token token'],
      redirect_uris: ['http://localhost:3000/callback'],
      scope: 'openid profile',
    },
  },
];
