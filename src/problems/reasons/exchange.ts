import { compareListed, compareNearest, compareSentAndExpected, compareUrls, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { advice } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';
import { jwtEntries } from './jwt-entries.ts';

const jwt = jwtEntries('the JWT');

/** Token exchange (RFC 8693), the JWT bearer grant (RFC 7523) and revocation (RFC 7009). */
export const exchangeEntries = {
  actor_token_invalid: {
    title: 'The actor_token is not good',
    why: '{description}. Who acts for somebody has to prove who they are, as well.',
    fix: 'Send an actor_token that is valid now, exactly as it was issued: an access token or ID Token of this server, or a JWT of a trusted issuer.',
    rfc: 'RFC 8693 §2.2.2',
  },
  actor_token_type_unexpected: {
    title: 'actor_token and actor_token_type came without each other',
    why: 'The type says how to read the token; alone neither of them means anything.',
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
    fix: 'Make a new JWT for each request, with exp a few minutes ahead; compare the clocks of both machines.',
    rfc: 'RFC 7523 §3',
  },
  assertion_issuer_untrusted: {
    title: 'The issuer of the JWT is not trusted here',
    why: 'Whoever may say who somebody is has to be configured, with the keys they sign with. The iss is compared character by character.',
    fix: 'Add the iss of the JWT to trustedIssuers in clients.config.ts, with its keys. It is compared character by character.',
    rfc: 'RFC 7523 §3',
    compare: ({ error }) =>
      compareUrls(error.sent ?? 'no iss', (error.expected ?? '').replace(/^one of /, '').split(', '), {
        sentLabel: 'iss sent',
        expectedLabel: 'Trusted',
      }),
    fixes: ({ error }) => [
      advice('Trust it.', {
        where: 'clients.config.ts',
        code: `trustedIssuers: [${literal({ issuer: error.sent ?? '', jwks_uri: `${error.sent ?? ''}/jwks.json` })}]`,
      }),
    ],
  },
  assertion_jti_replayed: {
    ...jwt.replayed,
    fix: 'Give each JWT a jti of its own: a JWT with a jti is good once.',
    rfc: 'RFC 7523 §3',
  },
  assertion_malformed: {
    ...jwt.malformed,
    fix: 'Send a signed JWT in compact form: three parts of base64url with dots between.',
    rfc: 'RFC 7515 §3.1',
  },
  assertion_not_yet_valid: {
    ...jwt.notYetValid,
    fix: 'Compare the clocks of both machines; nbf and iat must not be in the future.',
    rfc: 'RFC 7523 §3',
  },
  assertion_signature_wrong: {
    ...jwt.signatureWrong,
    why: '{description}. Only a signature by a key of the trusted issuer, with an algorithm it is trusted with, proves that it wrote the JWT.',
    fix: 'Sign with a key of the trusted issuer and an algorithm it is trusted with; alg and kid of the header must be those of the key.',
    rfc: 'RFC 7523 §3',
  },
  assertion_subject_missing: {
    title: 'The JWT does not say who it is about',
    why: '{description}. Without a subject there is nobody to give a token for.',
    fix: 'Say in the JWT who it is about: the claim sub, or the one named by subjectClaim of the trusted issuer, as text.',
    rfc: 'RFC 7523 §3',
  },
  assertion_subject_unknown: {
    title: 'The JWT is about {sent}, who is no user here',
    why: 'A token is given for a user of this server: one with the same sub, or one the subject is mapped to.',
    fix: 'Add the user to clients.config.ts, map the subject in users of the trusted issuer, or let it create users with createUsers: true.',
    rfc: 'RFC 7523 §3',
  },
  assertion_time_malformed: {
    ...jwt.timeMalformed,
    fix: 'Write exp, nbf and iat in seconds since 1970, as numbers; exp is required.',
    rfc: 'RFC 7523 §3',
  },
  audience_unknown: {
    title: 'The audience {sent} is not known here',
    why: 'audience names who shall get the token: a registered client, or an audience of one. An API by its address is a resource.',
    fix: 'Use the client_id of a registered client, or an audience of one; an API by its address goes into resource.',
    rfc: 'RFC 8693 §2.2.2',
    compare: ({ error, known }) => {
      const ids = [...known.registered()].map(({ client_id }) => client_id);
      return compareNearest(error.sent ?? '', ids, 'Clients');
    },
    fixes: ({ error }) =>
      /^https?:/.test(error.sent ?? '')
        ? [advice('Send the address as resource.', inApp(`resource=${error.sent ?? ''}`))]
        : [],
  },
  may_act_mismatch: {
    title: 'The token says that somebody else may act for its user',
    why: 'may_act names who may exchange it. That is not the one who asks.',
    fix: 'Exchange this token as the party its may_act names, or leave may_act out of the access_token_claims of the user.',
    rfc: 'RFC 8693 §4.4',
  },
  requested_token_type_unavailable: {
    title: 'A token of this type cannot be given for this one',
    fix: 'Ask for an access token, or begin with a token of a user and register the client for what it asks: openid, or the grant refresh_token.',
    rfc: 'RFC 8693 §2.2.2',
  },
  requested_token_type_unsupported: {
    title: 'There is no token type {sent} here',
    why: 'Types of tokens are URNs, compared character by character.',
    fix: 'Ask for urn:ietf:params:oauth:token-type: with access_token, refresh_token, id_token or jwt at the end.',
    rfc: 'RFC 8693 §3',
    compare: compareListed(', '),
  },
  subject_token_expired: {
    title: 'The subject_token has expired',
    why: 'Only a token that is good now can be exchanged.',
    fix: 'Get a fresh token first; lifetimes here are short on purpose.',
    rfc: 'RFC 8693 §2.2.2',
    compare: () => compareWords('an expired token', 'a token that is good now'),
  },
  subject_token_invalid: {
    title: 'The subject_token is not good',
    why: '{description}. It has to be a token of the type that subject_token_type says.',
    fix: 'Send the token exactly as it was issued, with the subject_token_type it has; none survives a restart.',
    rfc: 'RFC 8693 §2.2.2',
    compare: ({ parameters, error }) =>
      compareWords(
        `a token of the type ${parameters.get('subject_token_type') ?? 'that is not named'}`,
        error.expected ?? 'a token that is good now',
      ),
  },
  subject_token_of_another_client: {
    title: 'The subject_token was issued to another client than {client}',
    why: 'Refresh tokens and ID Tokens are for their client alone: whoever else holds one has no right to.',
    fix: 'Exchange refresh tokens and ID Tokens with the client they were issued to; for another client send the access token.',
    rfc: 'RFC 8693 §2.2.2',
    compare: refused =>
      compareSentAndExpected({
        ...refused,
        error: { ...refused.error, sent: refused.error.sent ?? `a token that was not issued to ${refused.who}` },
      }),
  },
  subject_token_revoked: {
    title: 'The subject_token was revoked or replaced',
    fix: 'Log in again: the token, or what it came from, was revoked.',
    rfc: 'RFC 8693 §2.2.2',
    compare: () => compareWords('a token that was taken back', 'a token that is good now'),
  },
  token_of_another_client: {
    title: '{client} wants to revoke a token of another client',
    why: 'A client may take back only what was given to it. The token stays as it is.',
    fix: 'Revoke a token with the client it was issued to.',
    rfc: 'RFC 7009 §2.1',
    compare: ({ who, error }) => compareWords(`a token that was not issued to ${who}`, error.expected ?? ''),
  },
  token_type_unsupported: {
    title: 'There is no token type {sent} here',
    why: 'Types of tokens are URNs, compared character by character.',
    fix: 'Use urn:ietf:params:oauth:token-type: with access_token, refresh_token, id_token or jwt at the end; an actor has no refresh token.',
    rfc: 'RFC 8693 §3',
    compare: compareListed(', '),
  },
} as const satisfies ReasonEntries;
