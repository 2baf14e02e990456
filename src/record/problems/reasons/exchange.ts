import { compareListed, compareNearest, compareSentAndExpected, compareUrls, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { advice } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';
import { jwtEntries } from './jwt-entries.ts';

const jwt = jwtEntries('the JWT');

/** Refused token exchanges (RFC 8693), JWT bearer grants (RFC 7523) and revocations (RFC 7009). */
export const exchangeEntries = {
  actor_token_invalid: {
    title: 'The actor_token is not valid',
    why: '{description}. The actor must prove its identity, too.',
    fix: 'Send a valid actor_token unchanged: an access token or ID token of this server, or a JWT of a trusted issuer.',
    rfc: 'RFC 8693 §2.2.2',
  },
  actor_token_type_unexpected: {
    title: 'The request has only one of actor_token and actor_token_type',
    why: 'The type says how to read the token, so neither has a meaning alone.',
    fix: 'Send actor_token and actor_token_type together, or neither of them.',
    rfc: 'RFC 8693 §2.1',
  },
  assertion_audience_mismatch: {
    ...jwt.audienceMismatch,
    fix: 'Put the issuer identifier of this server, or the address of its token endpoint, into aud of the JWT.',
    rfc: 'RFC 7523 §3',
  },
  assertion_expired: {
    ...jwt.expired,
    fix: 'Make a new JWT for each request, with exp a few minutes ahead. Compare the clocks of both machines.',
    rfc: 'RFC 7523 §3',
  },
  assertion_issuer_untrusted: {
    title: 'The issuer of the JWT is not trusted here',
    why: 'The configuration lists the trusted issuers with their keys. The `iss` of this JWT is not among them. It is compared character by character.',
    fix: 'Add the iss of the JWT to trustedIssuers in clients.config.ts, with its keys. The iss is compared character by character.',
    rfc: 'RFC 7523 §3',
    compare: ({ error }) =>
      compareUrls(error.sent ?? 'no iss', (error.expected ?? '').replace(/^one of /, '').split(', '), {
        sentLabel: 'iss sent',
        expectedLabel: 'Trusted',
      }),
    fixes: ({ error }) => [
      advice('Trust this issuer.', {
        where: 'clients.config.ts',
        code: `trustedIssuers: [${literal({ issuer: error.sent ?? '', jwks_uri: `${error.sent ?? ''}/jwks.json` })}]`,
      }),
    ],
  },
  assertion_jti_replayed: {
    ...jwt.replayed,
    fix: 'Give each JWT its own jti, because a JWT with a jti works only once.',
    rfc: 'RFC 7523 §3',
  },
  assertion_malformed: {
    ...jwt.malformed,
    fix: 'Send a signed JWT in compact form: three parts in base64url, separated by dots.',
    rfc: 'RFC 7515 §3.1',
  },
  assertion_not_yet_valid: {
    ...jwt.notYetValid,
    fix: 'Compare the clocks of both machines, because nbf and iat must not be in the future.',
    rfc: 'RFC 7523 §3',
  },
  assertion_signature_wrong: {
    ...jwt.signatureWrong,
    why: '{description}. Only a signature with a key and an algorithm of the trusted issuer proves that it wrote the JWT.',
    fix: 'Sign with a key and an algorithm that are configured for the trusted issuer. The header must have alg and kid of this key.',
    rfc: 'RFC 7523 §3',
  },
  assertion_subject_missing: {
    title: 'The JWT has no subject',
    why: '{description}. Without a subject, the server does not know the user of the new token.',
    fix: 'Put the user into the JWT as text: into sub, or into the claim that subjectClaim of the trusted issuer names.',
    rfc: 'RFC 7523 §3',
  },
  assertion_subject_unknown: {
    title: 'The subject `{sent}` of the JWT is not a user',
    why: 'The server issues tokens only for its users: the user with the same sub, or the one that the subject is mapped to.',
    fix: 'Add the user to clients.config.ts, map the subject in users of the trusted issuer, or let it create users with createUsers: true.',
    rfc: 'RFC 7523 §3',
  },
  assertion_time_malformed: {
    ...jwt.timeMalformed,
    fix: 'Write exp, nbf and iat as numbers, in seconds since 1970. exp is required.',
    rfc: 'RFC 7523 §3',
  },
  audience_unknown: {
    title: 'Unknown audience `{sent}`',
    why: 'The parameter `audience` names the recipient of the token: a registered client, or an audience of a client. For the address of an API use `resource`.',
    fix: 'Use the client_id of a registered client, or an audience of a client. Send the address of an API as resource.',
    rfc: 'RFC 8693 §2.2.2',
    compare: ({ error, known }) => {
      const ids = [...known.registered()].map(({ client_id }) => client_id);
      return compareNearest(error.sent ?? '', ids, 'Clients');
    },
    fixes: ({ error }) =>
      /^https?:/.test(error.sent ?? '')
        ? [advice('Send the address as `resource`.', inApp(`resource=${error.sent ?? ''}`))]
        : [],
  },
  may_act_mismatch: {
    title: 'The may_act of the token names a different actor',
    why: 'The claim may_act names the party that may exchange the token, and this is a different one.',
    fix: 'Exchange this token as the party in its may_act, or remove may_act from the access_token_claims of the user.',
    rfc: 'RFC 8693 §4.4',
  },
  requested_token_type_unavailable: {
    title: 'The subject_token cannot be exchanged for a token of this type',
    fix: 'Request an access token. For an ID token or refresh token, send the token of a user, and register the client for openid or the grant refresh_token.',
    rfc: 'RFC 8693 §2.2.2',
  },
  requested_token_type_unsupported: {
    title: 'Unknown token type `{sent}`',
    why: 'Token types are URNs, which are compared character by character.',
    fix: 'Request urn:ietf:params:oauth:token-type: with access_token, refresh_token, id_token or jwt at the end.',
    rfc: 'RFC 8693 §3',
    compare: compareListed(', '),
  },
  subject_token_expired: {
    title: 'The subject_token has expired',
    why: 'Only a valid token can be exchanged.',
    fix: 'Get a new token first. Lifetimes here are short on purpose.',
    rfc: 'RFC 8693 §2.2.2',
    compare: () => compareWords('an expired token', 'a valid token'),
  },
  subject_token_invalid: {
    title: 'The subject_token is not valid',
    why: '{description}. The token must have the type in subject_token_type.',
    fix: 'Send the token unchanged, with its own subject_token_type. A restart removes all tokens.',
    rfc: 'RFC 8693 §2.2.2',
    compare: ({ parameters, error }) =>
      compareWords(
        `a token of the type ${parameters.get('subject_token_type') ?? '(none)'}`,
        error.expected ?? 'a valid token',
      ),
  },
  subject_token_of_another_client: {
    title: 'The subject_token was not issued to {client}',
    why: 'Only its own client may use a refresh token or an ID token.',
    fix: 'Exchange refresh tokens and ID tokens with their own client. With a different client, send the access token.',
    rfc: 'RFC 8693 §2.2.2',
    compare: refused =>
      compareSentAndExpected({
        ...refused,
        error: { ...refused.error, sent: refused.error.sent ?? `a token that was not issued to ${refused.who}` },
      }),
  },
  subject_token_revoked: {
    title: 'The subject_token was revoked or replaced',
    fix: 'Sign in again, because the token or its sign-in was revoked.',
    rfc: 'RFC 8693 §2.2.2',
    compare: () => compareWords('a revoked token', 'a valid token'),
  },
  token_of_another_client: {
    title: '{client} tried to revoke a token of a different client',
    why: 'A client may revoke only its own tokens. The token stays valid.',
    fix: 'Revoke a token with the client that it was issued to.',
    rfc: 'RFC 7009 §2.1',
    compare: ({ who, error }) => compareWords(`a token that was not issued to ${who}`, error.expected ?? ''),
  },
  token_type_unsupported: {
    title: 'Unknown token type `{sent}`',
    why: 'Token types are URNs, which are compared character by character.',
    fix: 'Use urn:ietf:params:oauth:token-type: with access_token, refresh_token, id_token or jwt at the end. An actor has no refresh token.',
    rfc: 'RFC 8693 §3',
    compare: compareListed(', '),
  },
} as const satisfies ReasonEntries;
