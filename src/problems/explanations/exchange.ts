import { compareSentAndExpected, compareText, compareUrls, compareWords } from '../compare.ts';
import type { Entries } from '../entry.ts';
import { nearestNames } from '../nearest-names.ts';
import { advice } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';
import { jwtEntries } from './jwt-entries.ts';

const jwt = jwtEntries('the JWT');

/** Token exchange (RFC 8693), the JWT bearer grant (RFC 7523) and revocation (RFC 7009). */
export const exchangeEntries = {
  actor_token_invalid: {
    title: 'The actor_token is not good',
    why: ({ error }) => `${error.description}. Who acts for somebody has to prove who they are, as well.`,
  },
  actor_token_type_unexpected: {
    title: 'actor_token and actor_token_type came without each other',
    why: 'The type says how to read the token; alone neither of them means anything.',
  },
  assertion_audience_mismatch: {
    ...jwt.audienceMismatch,
    compare: ({ error }) =>
      compareUrls((error.sent ?? '').replace(/^"(.*)"$/, '$1'), (error.expected ?? '').split(' or '), {
        sentLabel: 'aud sent',
      }),
  },
  assertion_expired: jwt.expired,
  assertion_issuer_untrusted: {
    title: 'The issuer of the JWT is not trusted here',
    why: 'Whoever may say who somebody is has to be configured, with the keys they sign with. The iss is compared character by character.',
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
  assertion_jti_replayed: jwt.replayed,
  assertion_malformed: jwt.malformed,
  assertion_not_yet_valid: jwt.notYetValid,
  assertion_signature_wrong: {
    ...jwt.signatureWrong,
    why: ({ error }) =>
      `${error.description}. Only a signature by a key of the trusted issuer, with an algorithm it is trusted with, proves that it wrote the JWT.`,
  },
  assertion_subject_missing: {
    title: 'The JWT does not say who it is about',
    why: ({ error }) => `${error.description}. Without a subject there is nobody to give a token for.`,
  },
  assertion_subject_unknown: {
    title: 'The JWT is about {sent}, who is no user here',
    why: 'A token is given for a user of this server: one with the same sub, or one the subject is mapped to.',
  },
  assertion_time_malformed: jwt.timeMalformed,
  audience_unknown: {
    title: 'The audience {sent} is not known here',
    why: 'audience names who shall get the token: a registered client, or an audience of one. An API by its address is a resource.',
    compare: ({ error, known }) => {
      const ids = [...known.registered()].map(({ client_id }) => client_id);
      const near = nearestNames(error.sent ?? '', ids);
      return compareText(error.sent ?? '', near.length === 0 ? ids : near, {
        expectedLabel: near.length === 0 ? 'Clients' : 'Nearest',
      });
    },
    fixes: ({ error }) =>
      /^https?:/.test(error.sent ?? '')
        ? [advice('Send the address as resource.', inApp(`resource=${error.sent ?? ''}`))]
        : [],
  },
  may_act_mismatch: {
    title: 'The token says that somebody else may act for its user',
    why: 'may_act names who may exchange it. That is not the one who asks.',
  },
  requested_token_type_unavailable: {
    title: 'A token of this type cannot be given for this one',
    why: ({ error }) => `${error.description}.`,
  },
  requested_token_type_unsupported: {
    title: 'There is no token type {sent} here',
    why: 'Types of tokens are URNs, compared character by character.',
    compare: ({ error }) => compareText(error.sent ?? '', (error.expected ?? '').split(', ')),
  },
  subject_token_expired: {
    title: 'The subject_token has expired',
    why: 'Only a token that is good now can be exchanged.',
    compare: () => compareWords('an expired token', 'a token that is good now'),
  },
  subject_token_invalid: {
    title: 'The subject_token is not good',
    why: ({ error }) => `${error.description}. It has to be a token of the type that subject_token_type says.`,
    compare: ({ parameters, error }) =>
      compareWords(
        `a token of the type ${parameters.get('subject_token_type') ?? 'that is not named'}`,
        error.expected ?? 'a token that is good now',
      ),
  },
  subject_token_of_another_client: {
    title: 'The subject_token was issued to another client than {client}',
    why: 'Refresh tokens and ID Tokens are for their client alone: whoever else holds one has no right to.',
    compare: refused =>
      compareSentAndExpected({
        ...refused,
        error: { ...refused.error, sent: refused.error.sent ?? `a token that was not issued to ${refused.who}` },
      }),
  },
  subject_token_revoked: {
    title: 'The subject_token was revoked or replaced',
    why: ({ error }) => `${error.description}.`,
    compare: () => compareWords('a token that was taken back', 'a token that is good now'),
  },
  token_of_another_client: {
    title: '{client} wants to revoke a token of another client',
    why: 'A client may take back only what was given to it. The token stays as it is.',
    compare: ({ who, error }) => compareWords(`a token that was not issued to ${who}`, error.expected ?? ''),
  },
  token_type_unsupported: {
    title: 'There is no token type {sent} here',
    why: 'Types of tokens are URNs, compared character by character.',
    compare: ({ error }) => compareText(error.sent ?? '', (error.expected ?? '').split(', ')),
  },
} as const satisfies Entries;
