import { type Dictionary, section } from './entry.ts';

/** What this server answers with, by name; `introspect scope` is that of an introspection. */
export const responseParameters: Dictionary = {
  ...section('RFC 6749 §4.1.2', {
    code: 'The code. The application swaps it for tokens in a request of its own.',
    state: "The application's own random value, unchanged. It must compare it.",
  }),
  ...section('RFC 6749 §4.1.2.1', {
    'authorize error': 'Why there is no code, as a word for programs.',
    'authorize error_description': 'Why there is no code, for the developer of the application.',
  }),
  ...section('RFC 6749 §5.2', {
    error: 'Why it was refused, as a word for programs.',
    error_description: 'Why it was refused, for the developer of the application.',
    error_uri: 'Where that is explained: the page of this sandbox about the request.',
  }),
  ...section('RFC 6749 §5.1', {
    access_token: 'What an API accepts. The application sends it along and never looks inside.',
    token_type: 'How the access token is used: Bearer by whoever holds it, DPoP with a proof.',
    expires_in: 'How long it is good, in seconds.',
    refresh_token: 'For new tokens without the user. Keep it like a password.',
    scope: 'What was allowed; may be less than what was asked for.',
  }),
  ...section('OIDC Core §3.1.3.3', { id_token: 'Says who logged in, for the application. Never send it to an API.' }),
  ...section('RFC 9207 §2', { iss: 'Who answers. An application with several servers must compare it.' }),
  ...section('OIDC Session Management §2', {
    session_state: 'A hash of the login, so that the application can find out when it changes.',
  }),
  ...section('OAuth 2.0 JWT Secured Authorization Response Mode §2.3', {
    response: 'The whole answer as a signed JWT.',
  }),
  ...section('RFC 9126 §2.2', { request_uri: 'Stands for the pushed request, once, for a short time.' }),
  ...section('RFC 8628 §3.2', {
    device_code: 'What the device asks with. Only the device knows it.',
    user_code: 'What the device shows, and the user types here.',
    verification_uri: 'Where the user types the code.',
    verification_uri_complete: 'The same with the code in it, for a QR code.',
    interval: 'Seconds to wait between two polls.',
  }),
  ...section('OIDC CIBA §7.3', { auth_req_id: 'What the client asks with, until the user has decided.' }),
  ...section('RFC 8693 §2.2.1', { issued_token_type: 'What kind of token access_token holds.' }),
  ...section('RFC 9396 §7', { authorization_details: 'What exactly was allowed.' }),
  ...section('RFC 7662 §2.2', {
    active: 'Whether the token is good now. False says nothing more, on purpose.',
    'introspect scope': 'What the token allows.',
    'introspect client_id': 'The application the token was issued to.',
    username: 'The name the user signs in with.',
    'introspect token_type': 'How the token is used.',
    exp: 'Until when it is good, in seconds since 1970.',
    iat: 'When it was made.',
    nbf: 'From when on it is good.',
    sub: 'The user, or the client itself. Stable: store this, not the e-mail address.',
    aud: 'Which API may accept the token.',
    'introspect iss': 'Who issued the token.',
    jti: 'Its serial number.',
    'introspect claim': 'A claim of the token.',
  }),
  ...section('OIDC RP-Initiated Logout §3', {
    'end_session state': 'As the application sent it.',
    'logout state': 'As the application sent it.',
  }),
  ...section('RFC 8414 §2', { metadata: 'A member of the metadata of this server.' }),
  ...section('OIDC Core §5.3.2', {
    claim: 'A claim about the user, released by a scope.',
    'userinfo sub': 'The user. It must be the sub of the ID Token, or the answer is about somebody else.',
  }),
};

/** Headers of answers, in lower case. */
export const responseHeaders: Dictionary = {
  ...section('RFC 6750 §3', { 'www-authenticate': 'How to ask properly, and what was wrong.' }),
  ...section('RFC 9449 §8', { 'dpop-nonce': 'To be put into the next DPoP proof.' }),
  ...section('RFC 9110 §10.2.3', { 'retry-after': 'Seconds to wait before another try.' }),
};
