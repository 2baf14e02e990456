import { type Dictionary, section } from './entry.ts';

/** What an application sends, by name. `token redirect_uri` is that of the token endpoint, where it means something else. */
export const requestParameters: Dictionary = {
  ...section('RFC 6749 §4.1.1', {
    response_type: 'What shall come back: code, for a code to swap for tokens.',
    client_id: 'The application that asks, by the name it is registered under.',
    redirect_uri: 'Where the answer goes. Compared, character by character, with the registered addresses.',
    state: 'A random value of the application. It comes back unchanged, and the application must compare it.',
  }),
  ...section('RFC 6749 §3.3', { scope: 'What the application wants to be allowed, separated by spaces.' }),
  ...section('RFC 6749 §4.1.3', {
    code: 'The code from the redirect. It works once, for a short time.',
    'token redirect_uri': 'The address of the authorization request once more; it must be the same.',
    grant_type: 'What is handed in for tokens: a code, a refresh token, or the client itself.',
  }),
  ...section('RFC 6749 §2.3.1', {
    client_secret: 'The password of the application. Only one that can keep a secret has it: no browser, no phone.',
  }),
  ...section('RFC 6749 §4.3.2', {
    username: 'The user, typed into the application itself. OAuth 2.1 has removed this grant.',
    password: 'The password, typed into the application itself. OAuth 2.1 has removed this grant.',
  }),
  ...section('RFC 6749 §6', {
    refresh_token: 'Swapped for new tokens without the user. Most work once and are replaced.',
  }),
  ...section('RFC 7521 §4.2', {
    client_assertion: 'A JWT signed by the client: it proves who asks, in place of a secret.',
    client_assertion_type: 'What kind of proof the client_assertion is: a JWT.',
  }),
  ...section('RFC 7523 §2.1', {
    assertion: 'A JWT of an issuer this server trusts. It says for whom tokens are wanted.',
  }),
  ...section('RFC 7636 §4.3', {
    code_challenge: 'The hash of a secret the application keeps. Whoever redeems the code must show the secret.',
    code_challenge_method: 'How the secret is hashed: S256.',
  }),
  ...section('RFC 7636 §4.5', {
    code_verifier: 'The secret behind the code_challenge: it proves that the same application redeems the code.',
  }),
  ...section('RFC 8707 §2', { resource: 'The API the tokens are for. It becomes their audience.' }),
  ...section('RFC 9396 §2', { authorization_details: 'What exactly is asked for, where a scope cannot say it.' }),
  ...section('RFC 9449 §10', { dpop_jkt: 'The thumbprint of the key the code is for: only its owner can redeem it.' }),
  ...section('RFC 9101 §5.1', {
    request: 'The whole request as a signed JWT, so that nobody on the way can change it.',
  }),
  ...section('RFC 9101 §5.2', { request_uri: 'Where the request is: pushed to this server before, or at the client.' }),
  ...section('OAuth 2.0 Multiple Response Types §2.1', {
    response_mode: 'How the answer travels: in the query, in the fragment, or as a form.',
  }),
  ...section('OIDC Core §3.1.2.1', {
    nonce: 'A random value of the application. It comes back inside the ID Token, and the application must compare it.',
    display: 'How the login page shall look: a page, a popup, a phone. Changes nothing here.',
    prompt: 'What the user must be asked, or, with none, that nothing may be asked.',
    max_age: 'How old the login may be, in seconds; an older one is asked for again.',
    ui_locales: 'Languages of the user, the preferred first. The pages here speak English.',
    id_token_hint: 'An ID Token from before: it says who should be logged in.',
    login_hint: 'Who probably wants to log in.',
    acr_values: 'How strong the login should be, the preferred first.',
  }),
  ...section('OIDC Core §5.2', { claims_locales: 'Languages for claims. The users here speak one.' }),
  ...section('OIDC Core §5.5', { claims: 'Claims asked for one by one, as JSON, besides those of the scopes.' }),
  ...section('OIDC Core §4', {
    iss: 'The issuer, so that the application knows at which of its servers to begin.',
    target_link_uri: 'Where the user should be once logged in.',
  }),
  ...section('RFC 8628 §3.4', { device_code: 'What the device asks with. The user never sees it.' }),
  ...section('RFC 8628 §3.3', { user_code: 'What the user reads on the device and types here.' }),
  ...section('RFC 8693 §2.1', {
    subject_token: 'The token to be exchanged: the new one is about the same user.',
    subject_token_type: 'What kind of token the subject_token is.',
    actor_token: 'Who acts for the user, as a token.',
    actor_token_type: 'What kind of token the actor_token is.',
    requested_token_type: 'What kind of token is wanted.',
    audience: 'The service the new token is for, by name.',
  }),
  ...section('OIDC CIBA §7.1', {
    login_hint_token: 'Who is to be asked, as a token. Not offered here.',
    binding_message: 'Shown on both screens, so that the user sees that it is the same matter.',
    requested_expiry: 'How long the user may take, in seconds.',
    client_notification_token: 'What this server shows to the client when it reports that the user has decided.',
  }),
  ...section('OIDC CIBA §10.1', { auth_req_id: 'What the client asks with, until the user has decided.' }),
  ...section('RFC 7662 §2.1', {
    token: 'The token it is about.',
    token_type_hint: 'What the token probably is; only saves the server a search.',
  }),
  ...section('RFC 7009 §2.1', {
    'revoke token': 'The token to be ended. All that came from the same login ends with it.',
  }),
  ...section('RFC 6750 §2.2', { access_token: 'The access token, in a form. A header is the better place.' }),
  ...section('OIDC RP-Initiated Logout §2', {
    'end_session id_token_hint': 'The ID Token of the login: with it, nobody has to confirm.',
    'logout id_token_hint': 'The ID Token of the login: with it, nobody has to confirm.',
    logout_hint: 'Who probably wants to log out. Changes nothing here.',
    post_logout_redirect_uri: 'Where the browser goes afterwards. Must be registered, character by character.',
    'end_session state': 'Comes back with the browser, unchanged.',
    'logout state': 'Comes back with the browser, unchanged.',
    'end_session ui_locales': 'Languages of the user. The pages here speak English.',
  }),
};

/** Headers that mean something to the protocol, in lower case. */
export const requestHeaders: Dictionary = {
  ...section('RFC 6749 §2.3.1', { 'authorization basic': 'Name and secret of the client, encoded, not encrypted.' }),
  ...section('RFC 6750 §2.1', { 'authorization bearer': 'The access token. Whoever holds it may use it.' }),
  ...section('RFC 9449 §7.1', { 'authorization dpop': 'The access token, good only together with a DPoP proof.' }),
  ...section('RFC 7592 §2', { 'client_configuration bearer': 'The registration access token of the client.' }),
  ...section('RFC 7591 §3', { 'registration bearer': 'The token that allows to register clients.' }),
  ...section('RFC 9449 §4.2', { dpop: 'A JWT for this one request, signed with the key the tokens are bound to.' }),
};
