import { type Dictionary, section } from './entry.ts';

/** Request parameters by name. An endpoint before the name, as in `token redirect_uri`, gives the meaning at that endpoint. */
export const requestParameters: Dictionary = {
  ...section('RFC 6749 §4.1.1', {
    response_type: 'What to return. `code` = a code that is exchanged for tokens.',
    client_id: 'The id under which the application is registered.',
    redirect_uri: 'Where the response goes. It must equal a registered redirect URI, character by character.',
    state: 'A random value of the application. It is returned unchanged, and the application must compare it.',
  }),
  ...section('RFC 6749 §3.3', { scope: 'The permissions the application requests, separated by spaces.' }),
  ...section('RFC 6749 §4.1.3', {
    code: 'The code from the redirect. It works once, for a short time.',
    'token redirect_uri': 'The redirect_uri of the authorization request again; both must be the same.',
    grant_type: 'The kind of grant: authorization_code, refresh_token or client_credentials, for example.',
  }),
  ...section('RFC 6749 §2.3.1', {
    client_secret:
      'The password of the application. Applications in a browser or on a phone cannot keep one and have none.',
  }),
  ...section('RFC 6749 §4.3.2', {
    username: 'The user name, typed into the application itself. OAuth 2.1 removed this grant.',
    password: 'The password, typed into the application itself. OAuth 2.1 removed this grant.',
  }),
  ...section('RFC 6749 §6', {
    refresh_token: 'Exchanged for new tokens without the user. Most refresh tokens work once and are replaced.',
  }),
  ...section('RFC 7521 §4.2', {
    client_assertion: 'A JWT signed by the client, which authenticates it instead of a secret.',
    client_assertion_type: 'The type of the client_assertion: a JWT.',
  }),
  ...section('RFC 7523 §2.1', {
    assertion: 'A JWT from an issuer this server trusts. Its sub is the user the tokens are for.',
  }),
  ...section('RFC 7636 §4.3', {
    code_challenge: 'The hash of a secret that the application keeps. Only this secret can redeem the code.',
    code_challenge_method: 'How the secret is hashed: S256.',
  }),
  ...section('RFC 7636 §4.5', {
    code_verifier: 'The secret behind the code_challenge: it proves that the same application redeems the code.',
  }),
  ...section('RFC 8707 §2', { resource: 'The API the tokens are for. It becomes their audience.' }),
  ...section('RFC 9396 §2', {
    authorization_details: 'The requested permissions in detail, where a scope is not precise enough.',
  }),
  ...section('RFC 9449 §10', {
    dpop_jkt: 'The thumbprint of a DPoP key. Only the owner of this key can redeem the code.',
  }),
  ...section('RFC 9101 §5.1', {
    request: 'The whole request as a signed JWT, so that nobody on the way can change it.',
  }),
  ...section('RFC 9101 §5.2', {
    request_uri: 'A reference to the request: pushed to this server before, or published by the client.',
  }),
  ...section('OAuth 2.0 Multiple Response Types §2.1', {
    response_mode: 'How the response is returned: in the query, in the fragment, or as a form.',
  }),
  ...section('OIDC Core §3.1.2.1', {
    nonce: 'A random value of the application. It is returned in the ID Token, and the application must compare it.',
    display: 'How to show the login page: page, popup, touch or wap. Ignored here.',
    prompt: 'Screens the user must see, such as login or consent. `none` = no screen at all.',
    max_age: 'Maximum age of the login in seconds. With an older one, the user signs in again.',
    ui_locales: 'Languages of the user, the preferred one first.',
    id_token_hint: 'An earlier ID Token. It names the user who should be logged in.',
    login_hint: 'The user who probably wants to log in.',
    acr_values: 'The requested strength of the login, the preferred value first.',
  }),
  ...section('OIDC Core §5.2', { claims_locales: 'Preferred languages of the claims. Ignored here.' }),
  ...section('OIDC Core §5.5', {
    claims: 'Individually requested claims, as JSON, in addition to those of the scopes.',
  }),
  ...section('OIDC Core §4', {
    iss: 'The issuer at which the application starts the login.',
    target_link_uri: 'The URL to show after the login.',
  }),
  ...section('RFC 8628 §3.4', { device_code: 'The code the device polls with. The user never sees it.' }),
  ...section('RFC 8628 §3.3', { user_code: 'The code the device shows and the user types here.' }),
  ...section('RFC 8693 §2.1', {
    subject_token: 'The token to exchange. The new token is about the same user.',
    subject_token_type: 'The type of the subject_token.',
    actor_token: 'A token of the party that acts for the user.',
    actor_token_type: 'The type of the actor_token.',
    requested_token_type: 'The type of token to issue.',
    audience: 'The service the new token is for, by name.',
  }),
  ...section('OIDC CIBA §7.1', {
    login_hint_token: 'A token that names the user to ask. Not supported here.',
    binding_message: 'Shown on both devices, so that the user can see that they belong together.',
    requested_expiry: 'How long the user may take, in seconds.',
    client_notification_token: 'The bearer token this server sends when it tells the client that the user has decided.',
  }),
  ...section('OIDC CIBA §10.1', { auth_req_id: 'The id the client polls with until the user has decided.' }),
  ...section('RFC 7662 §2.1', {
    token: 'The token in question.',
    token_type_hint: 'The probable type of the token. It only saves the server a search.',
  }),
  ...section('RFC 7009 §2.1', {
    'revoke token': 'The token to revoke. Every token of the same login is revoked with it.',
  }),
  ...section('RFC 6750 §2.2', { access_token: 'The access token in a form. Sending it in a header is better.' }),
  ...section('OIDC RP-Initiated Logout §2', {
    'end_session id_token_hint': 'The ID Token of the login. With it, the user does not have to confirm.',
    'logout id_token_hint': 'The ID Token of the login. With it, the user does not have to confirm.',
    logout_hint: 'The user who probably wants to log out. Ignored here.',
    post_logout_redirect_uri:
      'Where the browser goes afterwards. It must equal a registered URI, character by character.',
    'end_session state': 'Returned unchanged with the redirect.',
    'logout state': 'Returned unchanged with the redirect.',
    'end_session ui_locales': 'Languages of the user, the preferred one first.',
  }),
};

/** Request headers of the protocol, in lower case; `authorization` with its scheme. */
export const requestHeaders: Dictionary = {
  ...section('RFC 6749 §2.3.1', {
    'authorization basic': 'The id and secret of the client, encoded but not encrypted.',
  }),
  ...section('RFC 6750 §2.1', { 'authorization bearer': 'The access token. Anyone who has it can use it.' }),
  ...section('RFC 9449 §7.1', { 'authorization dpop': 'The access token, valid only together with a DPoP proof.' }),
  ...section('RFC 7592 §2', { 'client_configuration bearer': 'The registration access token of the client.' }),
  ...section('RFC 7591 §3', { 'registration bearer': 'The token that permits registering clients.' }),
  ...section('RFC 9449 §4.2', { dpop: 'A JWT for this one request, signed with the key the tokens are bound to.' }),
};
