import type { Variant } from './variant.ts';

/** Applications that are installed (RFC 8252). */
export const nativeVariants: readonly Variant[] = [
  {
    name: 'mobile',
    title: 'A mobile or desktop application with AppAuth',
    client: `client_id: 'mobile',
client_name: 'Mobile application',
token_endpoint_auth_method: 'none', // what is installed keeps no secret; PKCE with S256 is demanded
grant_types: ['authorization_code', 'refresh_token'],
redirect_uris: [
  'com.example.app:/oauth2redirect', // a scheme of its own (RFC 8252 §7.1)
  'http://127.0.0.1/callback', // a desktop application listens on any port (RFC 8252 §7.3)
],
post_logout_redirect_uris: ['com.example.app:/signed-out'],
scope: 'openid profile email offline_access tasks:read tasks:write',
loopback_redirects: true, // any port of this machine`,
    application: `issuer: http://localhost:9000 (from an Android emulator the host is 10.0.2.2: start with --issuer http://10.0.2.2:9000 --host 0.0.0.0)
clientId: mobile
redirectUrl: com.example.app:/oauth2redirect`,
  },
];
