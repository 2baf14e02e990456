import { compareDescribed, compareWords } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import { advice, withoutDemand } from '../remedies.ts';
import { shellQuoted } from '../source-text.ts';
import { compareKeys, jwtEntries } from './jwt-entries.ts';

const assertion = jwtEntries('the client_assertion');

/** Client assertions (RFC 7523 §3). */
export const clientAssertionEntries = {
  client_assertion_alg_refused: {
    ...assertion.algRefused,
    fix: 'Sign with the algorithm that the client is registered for, or else with one of token_endpoint_auth_signing_alg_values_supported.',
    rfc: 'RFC 8725 §3.1',
  },
  client_assertion_audience_mismatch: {
    ...assertion.audienceMismatch,
    fix: 'Put the issuer into aud, exactly as in the discovery document. Check the port, and that no slash is at the end.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_client_mismatch: {
    title: 'The client_id and the client_assertion name different clients',
    why: 'The JWT identifies the client. A client_id parameter is optional, but it must name the same client.',
    fix: 'Send the sub of the assertion as client_id, or leave the parameter out.',
    rfc: 'RFC 7521 §4.2',
  },
  client_assertion_expired: {
    ...assertion.expired,
    fix: 'Make a new assertion for each request, and check the clock of the machine that signs it.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_issuer_mismatch: {
    title: '`iss` and `sub` of the client_assertion are not both the client_id',
    why: 'The client signs the assertion (`iss`) about itself (`sub`), so both claims are its client_id.',
    fix: 'Set both iss and sub of the assertion to the client_id.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_jti_missing: {
    title: 'The client_assertion has no `jti`',
    why: 'The server recognises a replayed JWT by its `jti`.',
    fix: 'Give each assertion its own jti, such as a random value.',
    rfc: 'OIDC Core §9',
    compare: () => compareWords('no jti', 'jti, a fresh random value'),
  },
  client_assertion_key_unknown: {
    ...assertion.keyUnknown,
    fix: 'Publish the public key in the jwks or at the jwks_uri of the client, with the kid of the assertion and no conflicting use or alg.',
    rfc: 'RFC 7517 §4',
    compare: compareKeys,
  },
  client_assertion_lives_too_long: {
    title: 'The lifetime of the client_assertion is too long',
    why: 'The server must remember the `jti` until the assertion expires. An `exp` far in the future may be in milliseconds.',
    fix: 'Let the assertion expire after about a minute. If exp is in milliseconds, divide it by 1000.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_malformed: {
    ...assertion.malformed,
    fix: 'Send a signed JWT in compact form: three parts separated by dots, with typ JWT or without typ.',
    rfc: 'RFC 7523 §2.2',
  },
  client_assertion_missing: {
    title: 'The request has a client_assertion_type but no client_assertion',
    why: 'The type announces a JWT, but the request has none. Look for a variable that is not set.',
    fix: 'Send the JWT as client_assertion together with client_assertion_type.',
    rfc: 'RFC 7521 §4.2',
    compare: () => compareWords('client_assertion_type alone', 'client_assertion, a signed JWT'),
  },
  client_assertion_not_yet_valid: {
    ...assertion.notYetValid,
    fix: 'Check the clock of the machine that signs the assertion. Its iat or nbf is in the future.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_replayed: {
    ...assertion.replayed,
    fix: 'Make a new assertion with a new jti for each request. Look for code that stores an assertion and sends it again.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_signature_wrong: {
    ...assertion.signatureWrong,
    fix: 'Sign with the private key of the registered public key. For client_secret_jwt, use the characters of the client_secret as the key.',
    rfc: 'RFC 7523 §3',
  },
  client_assertion_time_malformed: {
    ...assertion.timeMalformed,
    fix: 'Give the assertion an exp. Write times as numbers, in seconds since 1970.',
    rfc: 'RFC 7519 §4.1.4',
  },
  client_assertion_type_unsupported: {
    title: 'The client_assertion_type is not supported',
    why: 'The server supports only one type, and compares its name character by character.',
    fix: 'Send client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer with the client_assertion.',
    rfc: 'RFC 7523 §2.2',
  },
  client_encryption_key_missing: {
    title: '{client} has no key for encryption',
    why: 'The client is registered for encrypted responses, but it has not published a public key for encryption.',
    fix: 'Publish a public key with use enc for the registered encryption algorithm, or register the client without encryption.',
    rfc: 'OIDC Core §10.2',
  },
  client_keys_unavailable: {
    title: 'The keys of {client} cannot be read',
    why: '{description}. The server cannot check a signature of the client without its keys.',
    fix: 'Open the jwks_uri on the machine of the sandbox. It must answer 200 with a JWK Set within 5 seconds. In a container, localhost is the container itself.',
    rfc: 'RFC 7591 §2',
    compare: refused =>
      compareWords(refused.client?.jwks_uri ?? 'no jwks', refused.error.expected ?? 'a JWK Set of public keys', {
        sentLabel: 'Looked for at',
      }),
  },
} as const satisfies ReasonEntries;

const missing: ReasonEntry = {
  title: 'The connection has no client certificate',
  why: ({ error }) =>
    error.endpoint === 'api' || error.endpoint === 'userinfo'
      ? 'The token is bound to a certificate, so it is valid only on a connection with this certificate. A proxy that ends TLS removes the certificate.'
      : `${error.description}. A proxy that ends TLS removes the certificate.`,
  fix: 'Connect with the certificate of the client (mutual TLS): POST its client_id to /tls/client.pem to get one. Or register the client without tls_client_certificate_bound_access_tokens.',
  rfc: 'RFC 8705 §3.4',
  fixes: refused => [
    advice('Get a certificate from this sandbox and connect with it.', {
      where: 'curl',
      code: `curl ${shellQuoted(`${refused.known.issuer}/tls/client.pem`)} --data-urlencode ${shellQuoted(`client_id=${refused.client?.client_id ?? ''}`)} -o client.pem\ncurl --cert client.pem …`,
    }),
    ...withoutDemand(refused, `Give ${refused.who} bearer tokens`, 'tls_client_certificate_bound_access_tokens'),
  ],
};

const mismatch: ReasonEntry = {
  title: 'The connection has a different client certificate',
  why: 'The code or token is bound to the certificate of the connection that requested it. The client has a new certificate now, or a different program connects.',
  fix: 'Connect with the same client certificate that requested the token.',
  rfc: 'RFC 8705 §4',
  compare: compareDescribed({ sentLabel: 'Connection has', expectedLabel: 'Bound to' }),
};

/** Refused client certificates (RFC 8705). */
export const certificateEntries = {
  certificate_missing: missing,
  api_certificate_missing: {
    ...missing,
    fix: 'Connect with the client certificate that the token is bound to.',
    rfc: 'RFC 8705 §3',
  },
  certificate_mismatch: mismatch,
  api_certificate_mismatch: mismatch,
  certificate_not_registered: {
    title: 'The certificate is not registered for {client}',
    why: 'No CA vouches for a self-signed certificate, so the certificate or its key must be among the keys of the client.',
    fix: "Put the certificate into x5c of a key in the client's jwks, or add its public key there. Replace it after a renewal.",
    rfc: 'RFC 8705 §2.2',
  },
  certificate_subject_mismatch: {
    title: 'The certificate does not name {client}',
    why: 'The CA vouches for the names in the certificate. One of them must be exactly the name that the client is registered with.',
    fix: 'Compare the names in the certificate with the tls_client_auth_… member of the client. POST client_id to /tls/client.pem to get a matching certificate.',
    rfc: 'RFC 8705 §2.1',
  },
  certificate_untrusted: {
    title: 'No trusted CA issued the certificate',
    why: 'The name in a certificate proves nothing unless a trusted CA has signed it.',
    fix: 'Use a certificate from a CA in TLS_CLIENT_CA. Without that setting, POST client_id to /tls/client.pem to get one. Check its dates, and that it is meant for clients.',
    rfc: 'RFC 8705 §2.1',
  },
} as const satisfies ReasonEntries;
