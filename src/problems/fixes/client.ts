import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of clients that prove who they are with keys, or want something encrypted. */
export const clientFixes = {
  client_assertion_alg_refused: {
    fix: 'Sign with an algorithm of token_endpoint_auth_signing_alg_values_supported and, where the client is registered for one, with that one.',
    rfc: 'RFC 8725 §3.1',
  },
  client_assertion_audience_mismatch: {
    fix: 'Put the issuer into aud, exactly as in the discovery document: mind the port, and no slash at the end.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_client_mismatch: {
    fix: 'Send the client_id that is the sub of the assertion, or leave the parameter out.',
    rfc: 'RFC 7521 §4.2',
  },
  client_assertion_expired: {
    fix: 'Make a fresh assertion for each request, and check the clock of the machine that makes it.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_issuer_mismatch: {
    fix: 'Set both iss and sub of the assertion to the client_id.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_jti_missing: {
    fix: 'Give each assertion a jti of its own: a random value will do.',
    rfc: 'OIDC Core §9',
  },
  client_assertion_key_unknown: {
    fix: 'Publish the public key in the jwks or at the jwks_uri of the client, with the kid the assertion names and without another use or alg.',
    rfc: 'RFC 7517 §4',
  },
  client_assertion_lives_too_long: {
    fix: 'Let the assertion expire after a minute or so. If exp is in milliseconds, divide by 1000.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_malformed: {
    fix: 'Send the compact form of a signed JWT, three parts with dots between, with typ JWT or without typ.',
    rfc: 'RFC 7523 §2.2',
  },
  client_assertion_missing: {
    fix: 'Send the JWT as client_assertion beside client_assertion_type.',
    rfc: 'RFC 7521 §4.2',
  },
  client_assertion_not_yet_valid: {
    fix: 'Check the clock of the machine that makes the assertion: its iat or nbf is in the future.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_replayed: {
    fix: 'Make a new assertion, with a new jti, for each request. Look for one that is kept and sent again.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_signature_wrong: {
    fix: 'Sign with the private key that belongs to the registered public key, or for client_secret_jwt with the very characters of the client_secret.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_time_malformed: {
    fix: 'Give the assertion an exp. Times are numbers of seconds since 1970, not text.',
    rfc: 'RFC 7519 §4.1.4',
  },
  client_assertion_type_unsupported: {
    fix: 'Send client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer beside the client_assertion.',
    rfc: 'RFC 7523 §2.2',
  },
  client_encryption_key_missing: {
    fix: 'Publish a public key for the registered encryption algorithm, with use enc, or register the client without encryption.',
    rfc: 'OIDC Core §10.2',
  },
  client_keys_unavailable: {
    fix: 'Open the jwks_uri from where the sandbox runs: it must answer 200 with a JWK Set within 5 seconds. In a container localhost is the container itself.',
    rfc: 'RFC 7591 §2',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
