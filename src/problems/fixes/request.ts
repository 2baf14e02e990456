import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of pushed requests, of request objects, and of what the front channel may bring. */
export const requestFixes = {
  nonce_missing: {
    fix: 'Send a fresh random nonce, and compare it with the nonce of the ID Token.',
    rfc: 'OIDC Core §3.2.2.1',
  },
  request_not_pushed: {
    fix: 'Post the parameters to the pushed authorization request endpoint first; then send the browser with client_id and the request_uri it gave, and nothing else.',
    rfc: 'RFC 9126 §5',
  },
  request_not_signed: {
    fix: 'Put all parameters into a JWT signed with a key of the client, and send it as request; or register the client without require_signed_request_object.',
    rfc: 'RFC 9101 §10.5',
  },
  request_object_alg_refused: {
    fix: 'Sign with an algorithm of request_object_signing_alg_values_supported and, where the client is registered for one, with that one.',
    rfc: 'RFC 9101 §6.2',
  },
  request_object_audience_mismatch: {
    fix: 'Put the issuer of this server into aud, exactly as the discovery document has it.',
    rfc: 'RFC 9101 §4',
  },
  request_object_client_mismatch: {
    fix: 'Put the client_id into the request object as client_id and as iss, the same as beside it.',
    rfc: 'RFC 9101 §5',
  },
  request_object_expired: {
    fix: 'Make a new request object for each request, with exp a few minutes ahead; look at the clock of the machine that signs.',
    rfc: 'RFC 9101 §4',
  },
  request_object_key_unknown: {
    fix: "Publish the public key in the client's jwks or at its jwks_uri, with the kid of the request object.",
    rfc: 'RFC 9101 §6.2',
  },
  request_object_malformed: {
    fix: 'Send a signed JWT in compact form, with typ oauth-authz-req+jwt; no client assertion, no ID Token, not encrypted.',
    rfc: 'RFC 9101 §4',
  },
  request_object_mismatch: {
    fix: 'Repeat outside only client_id and response_type, with the values of the request object.',
    rfc: 'OIDC Core §6.1',
  },
  request_object_nested: {
    fix: 'Send the parameters themselves; a request object or a pushed request cannot point to another.',
    rfc: 'RFC 9101 §4',
  },
  request_object_not_yet_valid: {
    fix: 'Set the clock of the machine that signs; nbf and iat are seconds since 1970, not milliseconds.',
    rfc: 'RFC 7519 §4.1.5',
  },
  request_object_signature_wrong: {
    fix: 'Sign with the private key that belongs to the published one. After a rotation the kid must change.',
    rfc: 'RFC 9101 §6.2',
  },
  request_object_time_malformed: {
    fix: 'Send exp and nbf as numbers, in seconds since 1970, at most an hour from now.',
    rfc: 'RFC 7519 §4.1.4',
  },
  request_object_unsigned: {
    fix: 'Sign the request object with a key of the client (alg none is not taken), or send plain parameters.',
    rfc: 'RFC 9101 §6.2',
  },
  request_parameters_combined: {
    fix: 'Send the request object in request, or its address in request_uri, never both.',
    rfc: 'RFC 9101 §5',
  },
  request_uri_expired_or_unknown: {
    fix: 'Push a new request for each login, and send the browser at once. A request_uri is good for one answer, and none survives a restart.',
    rfc: 'RFC 9126 §2.2',
  },
  request_uri_not_registered: {
    fix: "Add the address to the client's request_uris, or send the request object in request.",
    rfc: 'RFC 9101 §10.4',
  },
  request_uri_of_another_client: {
    fix: 'Send the client_id that pushed the request.',
    rfc: 'RFC 9126 §2.2',
  },
  request_uri_unreadable: {
    fix: 'Serve the request object at the registered address, without a redirect, and with the hash in the fragment if there is one.',
    rfc: 'RFC 9101 §5.2.3',
  },
  response_type_not_registered: {
    fix: "Use a response type in the client's response_types, or add this one there. OAuth 2.1 has only code.",
    rfc: 'RFC 7591 §2.1',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
