import type { clientMembers } from '../../protocol/clients/client-members.ts';

/** The meaning of a parameter, a header or a member of a response. */
export interface ParameterMeaning {
  /** One or two sentences: what it is, and what it is for. */
  readonly words: string;
  /** `RFC 6749 §4.1.1`; empty for a parameter of this sandbox. */
  readonly reference: string;
}

type Dictionary = Readonly<Record<string, ParameterMeaning>>;

function section<Name extends string>(
  reference: string,
  words: Readonly<Record<Name, string>>,
): Readonly<Record<Name, ParameterMeaning>> {
  const entries = Object.entries<string>(words).map(([name, each]) => [name, { words: each, reference }]);
  return Object.fromEntries(entries); // the names of `words`
}

type RegisteredMember = {
  [Name in keyof typeof clientMembers]: (typeof clientMembers)[Name] extends { isOurs: true } ? never : Name;
}[keyof typeof clientMembers];

/** Client metadata in registration requests and responses (RFC 7591 §2 and its extensions). The type requires every known member. */
const clientMetadata = {
  ...section('RFC 7591 §2', {
    client_name: 'The display name of the app.',
    token_endpoint_auth_method: 'How the app authenticates. `none` = it cannot keep a secret.',
    grant_types: 'The grants the app may use at the token endpoint.',
    response_types: 'The response types the app may request.',
    redirect_uris: 'The redirect URIs. A request must use one of them, character by character.',
    scope: 'The scopes the app may request.',
    jwks: 'The public keys of the app.',
    jwks_uri: 'The URL of the public keys.',
    client_uri: 'The URL of the home page.',
    logo_uri: 'The URL of the logo.',
    policy_uri: 'The URL of the privacy policy.',
    tos_uri: 'The URL of the terms of service.',
    contacts: 'E-mail addresses of the people responsible for the app.',
    software_id: 'The id of the software, the same for every installation.',
    software_version: 'The version of the software.',
  }),
  ...section('RFC 7591 §2.3', { software_statement: 'Metadata signed by a third party.' }),
  ...section('OIDC Registration §2', {
    application_type: 'The kind of app: web, or native for one installed on a device.',
    token_endpoint_auth_signing_alg: 'The signature algorithm of the client_assertion.',
    id_token_signed_response_alg: 'The signature algorithm of its ID tokens.',
    id_token_encrypted_response_alg: 'The key encryption algorithm of its ID tokens.',
    id_token_encrypted_response_enc: 'The content encryption algorithm of its ID tokens.',
    userinfo_signed_response_alg: 'The signature algorithm of its UserInfo responses.',
    userinfo_encrypted_response_alg: 'The key encryption algorithm of its UserInfo responses.',
    userinfo_encrypted_response_enc: 'The content encryption algorithm of its UserInfo responses.',
    request_uris: 'The URLs from which this server may fetch request objects.',
    request_object_signing_alg: 'The signature algorithm of its request objects.',
    subject_type: 'Whether every app sees the same sub for a user (public), or each its own (pairwise).',
    sector_identifier_uri: 'The URL of the list of redirect URIs that share pairwise subs.',
    default_max_age: 'Maximum age of the sign-in in seconds, if a request has no max_age.',
    default_acr_values: 'The strength of the sign-in, if a request has no acr_values.',
    require_auth_time: 'Whether its ID tokens must have auth_time.',
    initiate_login_uri: 'The URL at which a third party can start a sign-in at the app.',
  }),
  ...section('OIDC RP-Initiated Logout §3.1', {
    post_logout_redirect_uris: 'The URIs to which a browser may return after a logout.',
  }),
  ...section('OIDC Back-Channel Logout §2.2', {
    backchannel_logout_uri: 'The URL to which this server posts a logout token.',
    backchannel_logout_session_required: 'Whether the logout token must have sid.',
  }),
  ...section('OIDC Front-Channel Logout §2', {
    frontchannel_logout_uri: 'The URL that the logout page loads in an iframe.',
    frontchannel_logout_session_required: 'Whether that URL must get iss and sid.',
  }),
  ...section('RFC 8705 §2.1.2', {
    tls_client_auth_subject_dn: "The subject of the client's certificate.",
    tls_client_auth_san_dns: "The DNS name in the client's certificate.",
    tls_client_auth_san_uri: "The URI in the client's certificate.",
    tls_client_auth_san_ip: "The IP address in the client's certificate.",
    tls_client_auth_san_email: "The e-mail address in the client's certificate.",
  }),
  ...section('RFC 8705 §3.4', {
    tls_client_certificate_bound_access_tokens: 'Whether its access tokens are bound to its certificate.',
  }),
  ...section('RFC 9449 §5.2', {
    dpop_bound_access_tokens: 'Whether its access tokens are always bound to a DPoP key.',
  }),
  ...section('RFC 9101 §10.5', { require_signed_request_object: 'Whether its authorization requests must be signed.' }),
  ...section('RFC 9126 §6', {
    require_pushed_authorization_requests: 'Whether its authorization requests must be pushed.',
  }),
  ...section('RFC 9396 §10', {
    authorization_details_types: 'The types of authorization details the app may request.',
  }),
  ...section('RFC 9701 §6', {
    introspection_signed_response_alg: 'The signature algorithm of its introspection responses.',
  }),
  ...section('OAuth 2.0 JWT Secured Authorization Response Mode §3', {
    authorization_signed_response_alg: 'The signature algorithm of its authorization responses.',
  }),
  ...section('OIDC CIBA §4', {
    backchannel_token_delivery_mode: 'How the client learns the decision of the user: `poll` or `ping`.',
    backchannel_client_notification_endpoint:
      'The URL to which this server sends the notification that the user has decided.',
    backchannel_authentication_request_signing_alg: 'The signature algorithm of its backchannel requests.',
  }),
} satisfies Readonly<Record<RegisteredMember, ParameterMeaning>>;

const clientInformation: Dictionary = {
  ...section('RFC 7591 §3.2.1', {
    client_id: 'The id that this server assigned to the app.',
    client_secret: 'The password of the app.',
    client_id_issued_at: 'When it was registered, in seconds since 1970.',
    client_secret_expires_at: 'When the secret expires, in seconds since 1970. 0 = never.',
  }),
  ...section('RFC 7592 §3', {
    registration_access_token: 'The token that permits reading, changing and deleting the registration.',
    registration_client_uri: 'The URL at which the registration can be read, changed and deleted.',
  }),
};

/** Request parameters by name. An endpoint before the name, as in `token redirect_uri`, gives the meaning at that endpoint. */
const requestParameters: Dictionary = {
  ...section('RFC 6749 §4.1.1', {
    response_type: 'What to return. `code` = a code that is exchanged for tokens.',
    client_id: 'The id under which the app is registered.',
    redirect_uri: 'Where the response goes. It must equal a registered redirect URI, character by character.',
    state: 'A random value of the app. It is returned unchanged, and the app must compare it.',
  }),
  ...section('RFC 6749 §3.3', { scope: 'The permissions the app requests, separated by spaces.' }),
  ...section('RFC 6749 §4.1.3', {
    code: 'The code from the redirect. It works once, for a short time.',
    'token redirect_uri': 'The redirect_uri of the authorization request again; both must be the same.',
    grant_type: 'The kind of grant: authorization_code, refresh_token or client_credentials, for example.',
  }),
  ...section('RFC 6749 §2.3.1', {
    client_secret: 'The password of the app. Apps in a browser or on a phone cannot keep one and have none.',
  }),
  ...section('RFC 6749 §4.3.2', {
    username: 'The user name, typed into the app itself. OAuth 2.1 removed this grant.',
    password: 'The password, typed into the app itself. OAuth 2.1 removed this grant.',
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
    code_challenge: 'The hash of a secret that the app keeps. Only this secret can redeem the code.',
    code_challenge_method: 'How the secret is hashed: S256.',
  }),
  ...section('RFC 7636 §4.5', {
    code_verifier: 'The secret behind the code_challenge: it proves that the same app redeems the code.',
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
    nonce: 'A random value of the app. It is returned in the ID token, and the app must compare it.',
    display: 'How to show the sign-in page: page, popup, touch or wap. Ignored here.',
    prompt: 'Screens the user must see, such as `login` or `consent`. `none` = no screen at all.',
    max_age: 'Maximum age of the sign-in in seconds. With an older one, the user signs in again.',
    ui_locales: 'Languages of the user, the preferred one first.',
    id_token_hint: 'An earlier ID token. It names the user who should be signed in.',
    login_hint: 'The user who probably wants to sign in.',
    acr_values: 'The requested strength of the sign-in, the preferred value first.',
  }),
  ...section('OIDC Core §5.2', { claims_locales: 'Preferred languages of the claims. Ignored here.' }),
  ...section('OIDC Core §5.5', {
    claims: 'Individually requested claims, as JSON, in addition to those of the scopes.',
  }),
  ...section('OIDC Core §4', {
    iss: 'The issuer at which the app starts the sign-in.',
    target_link_uri: 'The URL to show after the sign-in.',
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
    'revoke token': 'The token to revoke. Every token of the same sign-in is revoked with it.',
  }),
  ...section('RFC 6750 §2.2', { access_token: 'The access token in a form. Sending it in a header is better.' }),
  ...section('OIDC RP-Initiated Logout §2', {
    'end_session id_token_hint': 'The ID token of the sign-in. With it, the user does not have to confirm.',
    'logout id_token_hint': 'The ID token of the sign-in. With it, the user does not have to confirm.',
    logout_hint: 'The user who probably wants to sign out. Ignored here.',
    post_logout_redirect_uri:
      'Where the browser goes afterwards. It must equal a registered URI, character by character.',
    'end_session state': 'Returned unchanged with the redirect.',
    'logout state': 'Returned unchanged with the redirect.',
    'end_session ui_locales': 'Languages of the user, the preferred one first.',
  }),
};

const requestHeaders: Dictionary = {
  ...section('RFC 6749 §2.3.1', {
    'authorization basic': 'The id and secret of the client, encoded but not encrypted.',
  }),
  ...section('RFC 6750 §2.1', { 'authorization bearer': 'The access token. Anyone who has it can use it.' }),
  ...section('RFC 9449 §7.1', { 'authorization dpop': 'The access token, valid only together with a DPoP proof.' }),
  ...section('RFC 7592 §2', { 'client_configuration bearer': 'The registration access token of the client.' }),
  ...section('RFC 7591 §3', { 'registration bearer': 'The token that permits registering clients.' }),
  ...section('RFC 9449 §4.2', { dpop: 'A JWT for this one request, signed with the key the tokens are bound to.' }),
};

/** Response parameters by name. An endpoint before the name, as in `introspect scope`, gives the meaning at that endpoint. */
const responseParameters: Dictionary = {
  ...section('RFC 6749 §4.1.2', {
    code: 'The code. The app exchanges it for tokens at the token endpoint.',
    state: "The app's own random value, unchanged. The app must compare it.",
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
    access_token: 'The token an API accepts. The app sends it and never looks inside.',
    token_type: 'How to send the access token: Bearer alone, DPoP with a proof.',
    expires_in: 'Lifetime of the access token in seconds.',
    refresh_token: 'Exchanged for new tokens without the user. Keep it like a password.',
    scope: 'The granted scopes, which may be fewer than requested.',
  }),
  ...section('OIDC Core §3.1.3.3', { id_token: 'Tells the app who signed in. Never send it to an API.' }),
  ...section('RFC 9207 §2', {
    iss: 'The issuer of the response. An app with several issuers must compare it.',
  }),
  ...section('OIDC Session Management §2', {
    session_state: 'A hash of the sign-in session. The app can detect when the session changes.',
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
    'introspect client_id': 'The app the token was issued to.',
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
    'end_session state': 'The value the app sent, unchanged.',
    'logout state': 'The value the app sent, unchanged.',
  }),
  ...section('RFC 8414 §2', { metadata: 'A member of the metadata of this server.' }),
  ...section('OIDC Core §5.3.2', {
    claim: 'A claim of the user, released by a scope.',
    'userinfo sub':
      'The user. It must equal the sub of the ID token; otherwise the response is about a different user.',
  }),
};

const responseHeaders: Dictionary = {
  ...section('RFC 6750 §3', { 'www-authenticate': 'How to authenticate, and why the request was refused.' }),
  ...section('RFC 9449 §8', { 'dpop-nonce': 'The nonce for the next DPoP proof.' }),
  ...section('RFC 9110 §10.2.3', { 'retry-after': 'Seconds to wait before another try.' }),
};

/** Form fields of the pages of this sandbox, its own parameters and those of providers. No standard defines them. */
const ownParameters: Dictionary = section('', {
  sandbox_login: 'A parameter of this sandbox: the user who is signed in automatically.',
  organization: 'The organization that the user must be a member of, at a provider that has organizations.',
  'login sub': 'The user who was picked, or whose subject was typed.',
  'login username': 'The user name typed on the sign-in page.',
  'login password': 'The typed password. A user without a configured password accepts any.',
  'login action': 'The pressed button: sign in, continue, or return an error.',
  'login claims': 'Claims set for this sign-in only.',
  'login error': 'The error that the app receives instead of a code.',
  'login search': 'The search text on the sign-in page.',
  'login keep': 'Whether the edited claims are kept for the next sign-in.',
  'login complete': "Whether the edited claims replace all of the user's claims in this sign-in.",
  'consent decision': 'The decision of the user: allow or deny.',
  'consent remember': 'Whether this server remembers the decision for the next sign-in.',
  'consent sid': 'The sign-in session the page belongs to.',
  'device_verification decision': 'The decision of the user: allow or deny.',
  'device_verification as': 'The user the page belongs to.',
  'approvals decision': 'The decision of the user: allow or deny.',
  'approvals request': 'The pending request that the user decides about.',
  'logout decision': 'The decision of the user: sign out or stay signed in.',
});

/** The part of an exchange that contains a parameter. */
export type ParameterPlace = 'request' | 'response' | 'request header' | 'response header';

/** All dictionaries, for tests. */
export const dictionaries = {
  request: requestParameters,
  response: responseParameters,
  own: ownParameters,
  metadata: clientMetadata,
  information: clientInformation,
  'request header': requestHeaders,
  'response header': responseHeaders,
} as const satisfies Readonly<Record<string, Dictionary>>;

const registrations: ReadonlySet<string> = new Set(['registration', 'client_configuration']);
const claimBearers: ReadonlySet<string> = new Set(['userinfo', 'introspect']);
const documents: ReadonlySet<string> = new Set(['discovery', 'jwks', 'resource_metadata']);

/** The meaning of a parameter at an endpoint; undefined for an unknown parameter. */
export function parameterMeaning(name: string, place: ParameterPlace, endpoint: string): ParameterMeaning | undefined {
  if (place === 'request header' || place === 'response header')
    return lookUp([dictionaries[place]], endpoint, name.toLowerCase());
  if (registrations.has(endpoint)) return registrationMeaning(name, place);
  if (place === 'request')
    return lookUp([ownParameters, requestParameters], endpoint, name) ?? consentBox(name, endpoint);
  if (documents.has(endpoint)) return responseParameters.metadata;
  const known = lookUp([responseParameters], endpoint, name);
  return known ?? (claimBearers.has(endpoint) ? lookUp([responseParameters], endpoint, 'claim') : undefined);
}

function lookUp(from: readonly Dictionary[], endpoint: string, name: string): ParameterMeaning | undefined {
  for (const key of [`${endpoint} ${name}`, name]) {
    for (const dictionary of from) if (Object.hasOwn(dictionary, key)) return dictionary[key];
  }
  return undefined;
}

/** Looks up client metadata without its language tag: `client_name#de` (RFC 7591 §2.2). */
function registrationMeaning(name: string, place: ParameterPlace): ParameterMeaning | undefined {
  const [member = ''] = name.split('#', 1);
  const from = place === 'response' ? [clientInformation, clientMetadata, responseParameters] : [clientMetadata];
  return lookUp(from, 'registration', member);
}

const boxes: Readonly<Record<string, string>> = { scope: 'scope', claim: 'claim', detail: 'authorization detail' };

function consentBox(name: string, endpoint: string): ParameterMeaning | undefined {
  const [kind = ''] = name.split(':', 1);
  const what = endpoint === 'consent' && name.includes(':') ? boxes[kind] : undefined;
  return what === undefined ? undefined : { words: `The user ticked this ${what}.`, reference: '' };
}
