import { script } from '../test/support/hostile.ts';

const wellKnown = ['openid-configuration', 'oauth-authorization-server', 'oauth-protected-resource', 'webfinger'];
export const protocol = [
  ...wellKnown.map(each => `/.well-known/${each}`),
  ...['authorize', 'token', 'par', 'introspect', 'revoke', 'jwks', 'device_authorization', 'device_verification']
    .concat('bc-authorize')
    .map(each => `/oauth2/${each}`),
  ...['/userinfo', '/connect/register', '/connect/logout', '/connect/check_session', '/login', '/consent', '/logout'],
  ...['/health', '/', '/approvals', '/mcp', '/tls/ca.pem', '/api', '/api/products', '/api/products/1', '/api/bikes'],
];
export const rooms = [
  ...[
    '',
    '/tokens',
    '/tokens/latest',
    '/decode',
    '/flows',
    '/flows/latest',
    '/requests',
    '/requests/latest',
    '/problems',
  ],
  ...['/problems/latest', '/connect', '/login', '/api', '/api/try', '/clients', '/clients/new', '/users', '/users/new'],
  ...[
    '/keys',
    '/clock',
    '/faults',
    '/settings',
    '/settings/view',
    '/settings/reset',
    '/demo',
    '/demo/callback',
    '/diff',
  ],
  ...[
    '/menu',
    '/favicon.svg',
    '/api/v1/problems',
    '/api/v1/tokens',
    '/api/v1/home',
    '/api/v1/events',
    '/api/v1/unseen',
  ],
  ...['/api/v1/decode', '/api/v1/tokens/older', '/copy/json', '/export/har', '/export/json', '/search'],
].map(each => `/dashboard${each}`);
export const withId = ['tokens', 'flows', 'requests', 'problems', 'clients', 'users'];
export const methods = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'QUERY'];
export const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  '',
  'x',
  '/',
];
export const names = [
  ...['client_id', 'redirect_uri', 'scope', 'state', 'nonce', 'prompt', 'max_age', 'claims', 'request', 'request_uri'],
  ...['code', 'code_verifier', 'code_challenge', 'refresh_token', 'token', 'grant_type', 'resource', 'audience', 'sub'],
  ...[
    'q',
    'limit',
    'before',
    'after',
    'id',
    'tab',
    'user_code',
    'device_code',
    'id_token_hint',
    'response_mode',
    'acr_values',
  ],
  ...[
    'authorization_details',
    'login_hint',
    'client_assertion',
    'client_assertion_type',
    'dpop_jkt',
    'type',
    'exchange',
  ],
];
export const grants = [
  ...['authorization_code', 'refresh_token', 'client_credentials', 'password'],
  ...['urn:ietf:params:oauth:grant-type:device_code', 'urn:ietf:params:oauth:grant-type:token-exchange'],
  ...['urn:ietf:params:oauth:grant-type:jwt-bearer', 'urn:openid:params:grant-type:ciba'],
];
export const inPath = [
  'frontend',
  'sensor',
  'alice',
  'bob',
  'made-1',
  'made-2',
  'made-3',
  '%00',
  '%ff',
  '__proto__',
  'a%2Fb',
];

export const strange = [
  script.replace(/[^\x20-\x7e]/g, ''),
  '',
  'x'.repeat(4000),
  '\xff\xfe',
  '__proto__',
  'Bearer',
  'Basic !!!',
  '*/*;q=z',
];
export const headerNames = [
  ...['authorization', 'cookie', 'origin', 'referer', 'accept', 'accept-language', 'accept-encoding', 'if-none-match'],
  ...[
    'range',
    'dpop',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-request-id',
    'content-encoding',
    'last-event-id',
    'forwarded',
  ],
];
