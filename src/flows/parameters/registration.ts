import type { clientMembers } from '../../oauth/clients/client-members.ts';
import { type Dictionary, type ParameterMeaning, section } from './entry.ts';

type Members = typeof clientMembers;

/** The members that a client may send where it registers itself. */
type RegisteredMember = {
  [Name in keyof Members]: Members[Name] extends { isOurs: true } ? never : Name;
}[keyof Members];

/** Client metadata, in the request and in the answer (RFC 7591 §2 and what grew from it): all that the table of members has. */
export const clientMetadata = {
  ...section('RFC 7591 §2', {
    client_name: 'What the application is called, for people.',
    token_endpoint_auth_method: 'How it proves who it is; none for an application that can keep no secret.',
    grant_types: 'What it may hand in for tokens.',
    response_types: 'What it may ask the authorization endpoint for.',
    redirect_uris: 'Where answers may go. Nothing else is accepted, character by character.',
    scope: 'What it may ask for.',
    jwks: 'Its public keys.',
    jwks_uri: 'Where its public keys are.',
    client_uri: 'Its home page.',
    logo_uri: 'Where its logo is.',
    policy_uri: 'Its privacy policy.',
    tos_uri: 'Its terms of service.',
    contacts: 'Whom to write to about it.',
    software_id: 'Names the software, the same for each of its installations.',
    software_version: 'Its version.',
  }),
  ...section('RFC 7591 §2.3', { software_statement: 'Metadata that somebody else has signed for.' }),
  ...section('OIDC Registration §2', {
    application_type: 'web, or native for what runs on a device.',
    token_endpoint_auth_signing_alg: 'How it signs its client_assertion.',
    id_token_signed_response_alg: 'How its ID Tokens are signed.',
    id_token_encrypted_response_alg: 'How the key of its encrypted ID Tokens is wrapped.',
    id_token_encrypted_response_enc: 'How its ID Tokens are encrypted.',
    userinfo_signed_response_alg: 'How UserInfo is signed for it.',
    userinfo_encrypted_response_alg: 'How the key of its encrypted UserInfo is wrapped.',
    userinfo_encrypted_response_enc: 'How UserInfo is encrypted for it.',
    request_uris: 'Where requests by reference may be.',
    request_object_signing_alg: 'How it signs its requests.',
    subject_type: 'Whether all applications see one sub for a user, or each its own.',
    sector_identifier_uri: 'Lists the addresses that share one sub for a user.',
    default_max_age: 'How old a login may be where a request does not say it.',
    default_acr_values: 'How strong a login should be where a request does not say it.',
    require_auth_time: 'Whether its ID Tokens must say when the user logged in.',
    initiate_login_uri: 'Where others can begin a login at the application.',
  }),
  ...section('OIDC RP-Initiated Logout §3.1', {
    post_logout_redirect_uris: 'Where a browser may go after a logout.',
  }),
  ...section('OIDC Back-Channel Logout §2.2', {
    backchannel_logout_uri: 'Where it is told of a logout, by this server.',
    backchannel_logout_session_required: 'Whether it must be told which login ended.',
  }),
  ...section('OIDC Front-Channel Logout §2', {
    frontchannel_logout_uri: 'Where it is told of a logout, by an iframe in the browser.',
    frontchannel_logout_session_required: 'Whether it must be told which login ended.',
  }),
  ...section('RFC 8705 §2.1.2', {
    tls_client_auth_subject_dn: 'The subject of the certificate it shows.',
    tls_client_auth_san_dns: 'The DNS name in the certificate it shows.',
    tls_client_auth_san_uri: 'The URI in the certificate it shows.',
    tls_client_auth_san_ip: 'The address in the certificate it shows.',
    tls_client_auth_san_email: 'The e-mail address in the certificate it shows.',
  }),
  ...section('RFC 8705 §3.4', {
    tls_client_certificate_bound_access_tokens: 'Whether its tokens are bound to its certificate.',
  }),
  ...section('RFC 9449 §5.2', { dpop_bound_access_tokens: 'Whether its tokens are always bound to a DPoP key.' }),
  ...section('RFC 9101 §10.5', { require_signed_request_object: 'Whether its requests must be signed.' }),
  ...section('RFC 9126 §6', { require_pushed_authorization_requests: 'Whether its requests must be pushed.' }),
  ...section('RFC 9396 §10', { authorization_details_types: 'The types of authorization details it may ask for.' }),
  ...section('RFC 9701 §6', { introspection_signed_response_alg: 'How introspections are signed for it.' }),
  ...section('OAuth 2.0 JWT Secured Authorization Response Mode §3', {
    authorization_signed_response_alg: 'How answers to its authorization requests are signed.',
  }),
  ...section('OIDC CIBA §4', {
    backchannel_token_delivery_mode: 'Whether it polls until a user has decided, or is told.',
    backchannel_client_notification_endpoint: 'Where it is told that a user has decided.',
    backchannel_authentication_request_signing_alg: 'How it signs its backchannel requests.',
  }),
} satisfies Readonly<Record<RegisteredMember, ParameterMeaning>>;

/** What only the answer has. */
export const clientInformation: Dictionary = {
  ...section('RFC 7591 §3.2.1', {
    client_id: 'The name the application is known by from now on.',
    client_secret: 'Its password. It is told here once.',
    client_id_issued_at: 'When it was registered, in seconds since 1970.',
    client_secret_expires_at: 'Until when the secret is good; 0 for ever.',
  }),
  ...section('RFC 7592 §3', {
    registration_access_token: 'For reading, changing and deleting the registration.',
    registration_client_uri: 'Where the registration can be read, changed and deleted.',
  }),
};
