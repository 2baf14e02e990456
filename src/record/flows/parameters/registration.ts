import type { clientMembers } from '../../../protocol/clients/client-members.ts';
import { type Dictionary, type ParameterMeaning, section } from './entry.ts';

type Members = typeof clientMembers;

/** The members that a client may send in a dynamic registration. */
type RegisteredMember = {
  [Name in keyof Members]: Members[Name] extends { isOurs: true } ? never : Name;
}[keyof Members];

/** Client metadata in registration requests and responses (RFC 7591 §2 and its extensions). The type requires every known member. */
export const clientMetadata = {
  ...section('RFC 7591 §2', {
    client_name: 'The display name of the application.',
    token_endpoint_auth_method: 'How the application authenticates. `none` = it cannot keep a secret.',
    grant_types: 'The grants the application may use at the token endpoint.',
    response_types: 'The response types the application may request.',
    redirect_uris: 'The redirect URIs. A request must use one of them, character by character.',
    scope: 'The scopes the application may request.',
    jwks: 'The public keys of the application.',
    jwks_uri: 'The URL of the public keys.',
    client_uri: 'The URL of the home page.',
    logo_uri: 'The URL of the logo.',
    policy_uri: 'The URL of the privacy policy.',
    tos_uri: 'The URL of the terms of service.',
    contacts: 'E-mail addresses of the people responsible for the application.',
    software_id: 'The id of the software, the same for every installation.',
    software_version: 'The version of the software.',
  }),
  ...section('RFC 7591 §2.3', { software_statement: 'Metadata signed by a third party.' }),
  ...section('OIDC Registration §2', {
    application_type: 'The kind of application: web, or native for one installed on a device.',
    token_endpoint_auth_signing_alg: 'The signature algorithm of the client_assertion.',
    id_token_signed_response_alg: 'The signature algorithm of its ID Tokens.',
    id_token_encrypted_response_alg: 'The key encryption algorithm of its ID Tokens.',
    id_token_encrypted_response_enc: 'The content encryption algorithm of its ID Tokens.',
    userinfo_signed_response_alg: 'The signature algorithm of its UserInfo responses.',
    userinfo_encrypted_response_alg: 'The key encryption algorithm of its UserInfo responses.',
    userinfo_encrypted_response_enc: 'The content encryption algorithm of its UserInfo responses.',
    request_uris: 'The URLs from which this server may fetch request objects.',
    request_object_signing_alg: 'The signature algorithm of its request objects.',
    subject_type: 'Whether every application sees the same sub for a user (public), or each its own (pairwise).',
    sector_identifier_uri: 'The URL of the list of redirect URIs that share pairwise subs.',
    default_max_age: 'Maximum age of the login in seconds, if a request has no max_age.',
    default_acr_values: 'The strength of the login, if a request has no acr_values.',
    require_auth_time: 'Whether its ID Tokens must have auth_time.',
    initiate_login_uri: 'The URL at which a third party can start a login at the application.',
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
    authorization_details_types: 'The types of authorization details the application may request.',
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

/** Members that only a registration response has. */
export const clientInformation: Dictionary = {
  ...section('RFC 7591 §3.2.1', {
    client_id: 'The id that this server assigned to the application.',
    client_secret: 'The password of the application.',
    client_id_issued_at: 'When it was registered, in seconds since 1970.',
    client_secret_expires_at: 'When the secret expires, in seconds since 1970. 0 = never.',
  }),
  ...section('RFC 7592 §3', {
    registration_access_token: 'The token that permits reading, changing and deleting the registration.',
    registration_client_uri: 'The URL at which the registration can be read, changed and deleted.',
  }),
};
