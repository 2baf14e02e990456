import { compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { compareKeys, jwtEntries } from './jwt-entries.ts';

const assertion = jwtEntries('the client_assertion');

/** Client assertions (RFC 7523 §3). */
export const clientAssertionEntries = {
  client_assertion_alg_refused: {
    ...assertion.algRefused,
    fix: 'Sign with an algorithm of token_endpoint_auth_signing_alg_values_supported and, where the client is registered for one, with that one.',
    rfc: 'RFC 8725 §3.1',
  },
  client_assertion_audience_mismatch: {
    ...assertion.audienceMismatch,
    fix: 'Put the issuer into aud, exactly as in the discovery document: mind the port, and no slash at the end.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_client_mismatch: {
    title: 'client_id is not the client of the client_assertion',
    why: 'The JWT says who the client is. A client_id beside it may be left out, and must not say something else.',
    fix: 'Send the client_id that is the sub of the assertion, or leave the parameter out.',
    rfc: 'RFC 7521 §4.2',
  },
  client_assertion_expired: {
    ...assertion.expired,
    fix: 'Make a fresh assertion for each request, and check the clock of the machine that makes it.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_issuer_mismatch: {
    title: 'iss and sub of the client_assertion are not both the client_id',
    why: 'A client speaks for itself here: it is the one who signs (iss) and the one it is about (sub).',
    fix: 'Set both iss and sub of the assertion to the client_id.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_jti_missing: {
    title: 'The client_assertion has no jti',
    why: 'By its jti a JWT is recognised when it comes a second time.',
    fix: 'Give each assertion a jti of its own: a random value will do.',
    rfc: 'OIDC Core §9',
    compare: () => compareWords('no jti', 'jti, a fresh random value'),
  },
  client_assertion_key_unknown: {
    ...assertion.keyUnknown,
    fix: 'Publish the public key in the jwks or at the jwks_uri of the client, with the kid the assertion names and without another use or alg.',
    rfc: 'RFC 7517 §4',
    compare: compareKeys,
  },
  client_assertion_lives_too_long: {
    title: 'The client_assertion is good for too long',
    why: 'As long as it is good its jti has to be remembered. If exp is far in the future, it may be in milliseconds.',
    fix: 'Let the assertion expire after a minute or so. If exp is in milliseconds, divide by 1000.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_malformed: {
    ...assertion.malformed,
    fix: 'Send the compact form of a signed JWT, three parts with dots between, with typ JWT or without typ.',
    rfc: 'RFC 7523 §2.2',
  },
  client_assertion_missing: {
    title: 'client_assertion_type is there, and no client_assertion',
    why: 'The type announces a JWT, and none came: look for a variable that is not set.',
    fix: 'Send the JWT as client_assertion beside client_assertion_type.',
    rfc: 'RFC 7521 §4.2',
    compare: () => compareWords('client_assertion_type alone', 'client_assertion, a signed JWT'),
  },
  client_assertion_not_yet_valid: {
    ...assertion.notYetValid,
    fix: 'Check the clock of the machine that makes the assertion: its iat or nbf is in the future.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_replayed: {
    ...assertion.replayed,
    fix: 'Make a new assertion, with a new jti, for each request. Look for one that is kept and sent again.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_signature_wrong: {
    ...assertion.signatureWrong,
    fix: 'Sign with the private key that belongs to the registered public key, or for client_secret_jwt with the very characters of the client_secret.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_time_malformed: {
    ...assertion.timeMalformed,
    fix: 'Give the assertion an exp. Times are numbers of seconds since 1970, not text.',
    rfc: 'RFC 7519 §4.1.4',
  },
  client_assertion_type_unsupported: {
    title: 'The client_assertion_type is not the one for a JWT',
    why: 'There is one form of assertion here, and its name is compared character by character.',
    fix: 'Send client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer beside the client_assertion.',
    rfc: 'RFC 7523 §2.2',
  },
  client_encryption_key_missing: {
    title: 'There is no key to encrypt for {client}',
    why: 'The client is registered for encrypted answers, and has published no public key for that.',
    fix: 'Publish a public key for the registered encryption algorithm, with use enc, or register the client without encryption.',
    rfc: 'OIDC Core §10.2',
  },
  client_keys_unavailable: {
    title: 'The keys of {client} cannot be read',
    why: '{description}. Without them no signature of the client can be checked.',
    fix: 'Open the jwks_uri from where the sandbox runs: it must answer 200 with a JWK Set within 5 seconds. In a container localhost is the container itself.',
    rfc: 'RFC 7591 §2',
    compare: refused =>
      compareWords(refused.client?.jwks_uri ?? 'no jwks', refused.error.expected ?? 'a JWK Set of public keys', {
        sentLabel: 'Looked for at',
      }),
  },
} as const satisfies ReasonEntries;
