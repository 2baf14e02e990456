import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of revocation, token exchange and the JWT bearer grant. */
export const tokenStatusFixes = {
  actor_token_invalid: {
    fix: 'Send an actor_token that is valid now, exactly as it was issued: an access token or ID Token of this server, or a JWT of a trusted issuer.',
    rfc: 'RFC 8693 §2.2.2',
  },
  actor_token_type_unexpected: {
    fix: 'Send actor_token and actor_token_type together, or neither of them.',
    rfc: 'RFC 8693 §2.1',
  },
  assertion_audience_mismatch: {
    fix: 'Put the issuer identifier of this server, or the address of its token endpoint, into aud of the JWT.',
    rfc: 'RFC 7523 §3',
  },
  assertion_expired: {
    fix: 'Make a new JWT for each request, with exp a few minutes ahead; compare the clocks of both machines.',
    rfc: 'RFC 7523 §3',
  },
  assertion_issuer_untrusted: {
    fix: 'Add the iss of the JWT to trustedIssuers in clients.config.ts, with its keys. It is compared character by character.',
    rfc: 'RFC 7523 §3',
  },
  assertion_jti_replayed: {
    fix: 'Give each JWT a jti of its own: a JWT with a jti is good once.',
    rfc: 'RFC 7523 §3',
  },
  assertion_malformed: {
    fix: 'Send a signed JWT in compact form: three parts of base64url with dots between.',
    rfc: 'RFC 7515 §3.1',
  },
  assertion_not_yet_valid: {
    fix: 'Compare the clocks of both machines; nbf and iat must not be in the future.',
    rfc: 'RFC 7523 §3',
  },
  assertion_signature_wrong: {
    fix: 'Sign with a key of the trusted issuer and an algorithm it is trusted with; alg and kid of the header must be those of the key.',
    rfc: 'RFC 7523 §3',
  },
  assertion_subject_missing: {
    fix: 'Say in the JWT who it is about: the claim sub, or the one named by subjectClaim of the trusted issuer, as text.',
    rfc: 'RFC 7523 §3',
  },
  assertion_subject_unknown: {
    fix: 'Add the user to clients.config.ts, map the subject in users of the trusted issuer, or let it create users with createUsers: true.',
    rfc: 'RFC 7523 §3',
  },
  assertion_time_malformed: {
    fix: 'Write exp, nbf and iat in seconds since 1970, as numbers; exp is required.',
    rfc: 'RFC 7523 §3',
  },
  audience_unknown: {
    fix: 'Use the client_id of a registered client, or an audience of one; an API by its address goes into resource.',
    rfc: 'RFC 8693 §2.2.2',
  },
  may_act_mismatch: {
    fix: 'Exchange this token as the party its may_act names, or leave may_act out of the access_token_claims of the user.',
    rfc: 'RFC 8693 §4.4',
  },
  requested_token_type_unavailable: {
    fix: 'Ask for an access token, or begin with a token of a user and register the client for what it asks: openid, or the grant refresh_token.',
    rfc: 'RFC 8693 §2.2.2',
  },
  requested_token_type_unsupported: {
    fix: 'Ask for urn:ietf:params:oauth:token-type: with access_token, refresh_token, id_token or jwt at the end.',
    rfc: 'RFC 8693 §3',
  },
  subject_token_expired: {
    fix: 'Get a fresh token first; lifetimes here are short on purpose.',
    rfc: 'RFC 8693 §2.2.2',
  },
  subject_token_invalid: {
    fix: 'Send the token exactly as it was issued, with the subject_token_type it has; none survives a restart.',
    rfc: 'RFC 8693 §2.2.2',
  },
  subject_token_of_another_client: {
    fix: 'Exchange refresh tokens and ID Tokens with the client they were issued to; for another client send the access token.',
    rfc: 'RFC 8693 §2.2.2',
  },
  subject_token_revoked: {
    fix: 'Log in again: the token, or what it came from, was revoked.',
    rfc: 'RFC 8693 §2.2.2',
  },
  token_of_another_client: {
    fix: 'Revoke a token with the client it was issued to.',
    rfc: 'RFC 7009 §2.1',
  },
  token_type_unsupported: {
    fix: 'Use urn:ietf:params:oauth:token-type: with access_token, refresh_token, id_token or jwt at the end; an actor has no refresh token.',
    rfc: 'RFC 8693 §3',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
