import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals at the token endpoint, and of what it gave. */
export const tokenFixes = {
  access_token_expired: {
    fix: 'Get a new access token, with the refresh token if you have one. Lifetimes here are short on purpose.',
    rfc: 'RFC 6750 §3.1',
  },
  access_token_for_another_resource: {
    fix: 'Leave resource out, or ask for the address of UserInfo beside the other one: resource may be repeated.',
    rfc: 'RFC 9068 §4',
  },
  access_token_key_unknown: {
    fix: 'Get a new access token. Keys that were taken out of the JWK Set verify nothing any more.',
    rfc: 'RFC 9068 §4',
  },
  access_token_missing: {
    fix: 'Send the token in the header: Authorization: Bearer <access token>.',
    rfc: 'RFC 6750 §2.1',
  },
  access_token_not_for_a_user: {
    fix: 'A client credentials token has no user behind it. Ask with a token from a login that was granted openid.',
    rfc: 'OIDC Core §5.3',
  },
  access_token_revoked: {
    fix: 'Log in again. If you did not revoke it yourself, look for a code or refresh token that was used twice.',
    rfc: 'RFC 6750 §3.1',
  },
  access_token_unreadable: {
    fix: 'Send the access_token exactly as the token endpoint gave it, not the ID Token, and not a token from before the last restart: keys are new on each start.',
    rfc: 'RFC 9068 §4',
  },
  authentication_method_not_registered: {
    fix: 'Authenticate the way the client is registered, or add the method to its token_endpoint_auth_methods.',
    rfc: 'RFC 6749 §2.3',
  },
  authentication_methods_combined: {
    fix: 'Send the client secret in one place only: the Authorization header or the body.',
    rfc: 'RFC 6749 §2.3',
  },
  authorization_revoked: {
    fix: 'Log in again: everything from that login was revoked, most often because a code or a refresh token was used twice.',
    rfc: 'RFC 6749 §5.2',
  },
  basic_header_malformed: {
    fix: 'Form-encode client_id and client_secret, join them with a colon, then base64 the whole.',
    rfc: 'RFC 6749 §2.3.1',
  },
  bearer_header_malformed: {
    fix: 'One header, the word Bearer, one space, the token, nothing around it: no quotes and no line break.',
    rfc: 'RFC 6750 §2.1',
  },
  client_is_public: {
    fix: 'This grant needs a client with a secret. Use one, or log a user in with the authorization code grant.',
    rfc: 'RFC 6749 §4.4',
  },
  certificate_missing: {
    fix: 'Connect with the certificate of the client (mutual TLS): POST its client_id to /tls/client.pem for one. Or register it without tls_client_certificate_bound_access_tokens.',
    rfc: 'RFC 8705 §3.4',
  },
  client_secret_missing: {
    fix: 'Send the secret of this client: HTTP Basic, or client_secret in the body if it is registered for that.',
    rfc: 'RFC 6749 §2.3.1',
  },
  client_secret_wrong: {
    fix: 'Compare the secret your app sends with the one in clients.config.ts or the environment. A line break at the end of an environment variable counts.',
    rfc: 'RFC 6749 §2.3.1',
  },
  client_unidentified: {
    fix: 'Say which client you are: client_id in the request, or HTTP Basic.',
    rfc: 'RFC 6749 §3.2.1',
  },
  client_unknown: {
    fix: 'Use the client_id of a registered client, or register this one in clients.config.ts.',
    rfc: 'RFC 6749 §2.2',
  },
  code_expired_or_unknown: {
    fix: 'Start the login again. A code lives 60 seconds, and none survives a restart.',
    rfc: 'RFC 6749 §4.1.2',
  },
  code_of_another_client: {
    fix: 'Redeem a code with the client_id that asked for it.',
    rfc: 'RFC 6749 §4.1.3',
  },
  code_replayed: {
    fix: 'Redeem each code once. React runs effects twice in development: guard the callback, and take the code out of the address afterwards.',
    rfc: 'RFC 6749 §4.1.2',
  },
  grant_type_not_registered: {
    fix: "Add the grant to the client's grant_types in clients.config.ts, or use a client that has it.",
    rfc: 'RFC 6749 §5.2',
  },
  grant_type_unsupported: {
    fix: 'Use one of the grant types in the discovery document; mind the spelling, long ones are URNs.',
    rfc: 'RFC 6749 §5.2',
  },
  pkce_mismatch: {
    fix: 'Send the code_verifier this very login started with. Two tabs or a double start overwrite a verifier kept under one name.',
    rfc: 'RFC 7636 §4.6',
  },
  redirect_uri_mismatch: {
    fix: 'Send the same redirect_uri as in the authorization request, character by character: mind the slash at the end, and localhost against 127.0.0.1.',
    rfc: 'RFC 6749 §4.1.3',
  },
  refresh_token_expired_or_unknown: {
    fix: 'Log in again. No refresh token survives a restart of the sandbox.',
    rfc: 'RFC 6749 §6',
  },
  refresh_token_of_another_client: {
    fix: 'Use a refresh token with the client it was given to.',
    rfc: 'RFC 6749 §6',
  },
  refresh_token_reused: {
    fix: 'Keep the new refresh token of each answer and drop the old one. Two tabs that refresh at once need a lock. The whole family is revoked now: log in again.',
    rfc: 'RFC 9700 §4.14.2',
  },
  scope_widened: {
    fix: 'A refresh or an exchange may ask for less than was granted, never for more. Log in again with the larger scope.',
    rfc: 'RFC 6749 §6',
  },
  token_ended: {
    fix: 'Somebody pressed Expire now for it. Get a new one, as your app must when a token expires by itself; or take it back on its page.',
    rfc: 'RFC 6750 §3.1',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
