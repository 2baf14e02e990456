import type { ClientOfKind } from './ready-client.ts';

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
