import { type Dictionary, section } from './entry.ts';

/** Response parameters by name. An endpoint before the name, as in `introspect scope`, gives the meaning at that endpoint. */
export const responseParameters: Dictionary = {
  ...section('RFC 6749 §4.1.2', {
    code: 'The code. The application exchanges it for tokens at the token endpoint.',
    state: "The application's own random value, unchanged. The application must compare it.",
  }),
  ...section('RFC 6749 §4.1.2.1', {
    'authorize error': 'Machine-readable error code.',
    'authorize error_description': 'The reason in words, for the developer.',
  }),
  ...section('RFC 6749 §5.2', {
    error: 'Machine-readable error code.',
    error_description: 'The reason in words, for the developer.',
    error_uri: 'The page of this sandbox that explains the error.',
  }),
  ...section('RFC 6749 §5.1', {
    access_token: 'The token an API accepts. The application sends it and never looks inside.',
    token_type: 'How to send the access token: Bearer alone, DPoP with a proof.',
    expires_in: 'Lifetime of the access token in seconds.',
    refresh_token: 'Exchanged for new tokens without the user. Keep it like a password.',
    scope: 'The granted scopes, which may be fewer than requested.',
  }),
  ...section('OIDC Core §3.1.3.3', { id_token: 'Tells the application who signed in. Never send it to an API.' }),
  ...section('RFC 9207 §2', {
    iss: 'The issuer of the response. An application with several issuers must compare it.',
  }),
  ...section('OIDC Session Management §2', {
    session_state: 'A hash of the login session. The application can detect when the session changes.',
  }),
  ...section('OAuth 2.0 JWT Secured Authorization Response Mode §2.3', {
    response: 'The whole response as a signed JWT.',
  }),
  ...section('RFC 9126 §2.2', { request_uri: 'A reference to the pushed request. It works once, for a short time.' }),
  ...section('RFC 8628 §3.2', {
    device_code: 'The code the device polls with. Only the device knows it.',
    user_code: 'The code the device shows and the user types here.',
    verification_uri: 'Where the user types the code.',
    verification_uri_complete: 'The same address with the code in it, for a QR code.',
    interval: 'Seconds to wait between two polls.',
  }),
  ...section('OIDC CIBA §7.3', { auth_req_id: 'The id the client polls with until the user has decided.' }),
  ...section('RFC 8693 §2.2.1', { issued_token_type: 'The type of the token in access_token.' }),
  ...section('RFC 9396 §7', { authorization_details: 'The granted permissions in detail.' }),
  ...section('RFC 7662 §2.2', {
    active: 'Whether the token is valid now. The standard gives no reason for false.',
    'introspect scope': 'The scopes of the token.',
    'introspect client_id': 'The application the token was issued to.',
    username: 'The name the user signs in with.',
    'introspect token_type': 'How the token is used.',
    exp: 'When the token expires, in seconds since 1970.',
    iat: 'When the token was issued, in seconds since 1970.',
    nbf: 'When the token becomes valid, in seconds since 1970.',
    sub: 'The user, or the client itself. Stable: store this, not the e-mail address.',
    aud: 'The API the token is for.',
    'introspect iss': 'Who issued the token.',
    jti: 'The unique id of the token.',
    'introspect claim': 'A claim of the token.',
  }),
  ...section('OIDC RP-Initiated Logout §3', {
    'end_session state': 'The value the application sent, unchanged.',
    'logout state': 'The value the application sent, unchanged.',
  }),
  ...section('RFC 8414 §2', { metadata: 'A member of the metadata of this server.' }),
  ...section('OIDC Core §5.3.2', {
    claim: 'A claim of the user, released by a scope.',
    'userinfo sub':
      'The user. It must equal the sub of the ID Token; otherwise the response is about a different user.',
  }),
};

/** Response headers of the protocol, in lower case. */
export const responseHeaders: Dictionary = {
  ...section('RFC 6750 §3', { 'www-authenticate': 'How to authenticate, and why the request was refused.' }),
  ...section('RFC 9449 §8', { 'dpop-nonce': 'The nonce for the next DPoP proof.' }),
  ...section('RFC 9110 §10.2.3', { 'retry-after': 'Seconds to wait before another try.' }),
};
