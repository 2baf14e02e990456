import { decodeJwt } from '../../text/jwt.ts';
import { type Case, sentHeader, shown } from '../case.ts';
import {
  compareDescribed,
  compareListed,
  compareSentAndExpected,
  compareText,
  compareUrls,
  compareWords,
} from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import { revocationOf, span } from '../history.ts';
import { advice, patchClient, setting } from '../remedies.ts';
import { environment, inApp } from '../source-text.ts';

const wholeToken = 'Send the access_token of the token response, whole and unchanged.';

const unreadable: ReasonEntry = {
  title: ({ error }) =>
    error.sent?.startsWith('the word') ? `The app sent ${error.sent} as a token` : 'This is not an access token',
  why: ({ error }) =>
    error.sent?.startsWith('the word')
      ? 'The variable was not set when the request was made: the token was not there yet, or is stored under another name.'
      : `${error.description}.`,
  fix: wholeToken,
  rfc: 'RFC 9068 §4',
  compare: compareDescribed({ sent: 'something else', expected: 'an access token of this server' }),
};

const expired: ReasonEntry = {
  title: refused => `The access token of ${refused.who} has expired`,
  why: 'After exp a token is refused. The app went on with an old one: it does not refresh, or its clock is behind.',
  fix: 'Get a new access token, with the refresh token if you have one. Lifetimes here are short on purpose.',
  rfc: 'RFC 6750 §3.1',
  compare: compareDescribed({ sentLabel: 'The token says', expectedLabel: 'The API wants' }),
  fixes: refused =>
    refused.client === undefined
      ? []
      : [
          patchClient(refused, `Set the access token lifetime of ${refused.who} to 1 hour`, {
            access_token_lifetime: 3600,
          }),
        ],
};

const ended: ReasonEntry = {
  title: 'Somebody ended this token before its time',
  why: 'The button Expire now makes a token count as expired, so that you can see what your app does then. This is what it does.',
  fix: 'Somebody pressed Expire now for it. Get a new one, as your app must when a token expires by itself; or take it back on its page.',
  rfc: 'RFC 6750 §3.1',
};

const idToken: ReasonEntry = {
  title: 'The ID Token was sent to the API, and not the access token',
  why: 'An ID Token tells the app who has logged in: its aud is the app. The API takes tokens that are made for it, with typ at+jwt.',
  fix: 'Send access_token of the token response instead of id_token. The ID Token tells your app who logged in; it opens nothing.',
  rfc: 'RFC 9068 §2.1',
  fields: tokenFields,
  compare: compareDescribed({ sent: 'an ID Token', expected: 'the access token' }),
  fixes: () => [
    advice('Send the access token.', inApp("Authorization: 'Bearer ' + tokens.access_token // not tokens.id_token")),
  ],
  references: ['RFC 8725 §3.12'],
};

const revoked: ReasonEntry = {
  title: 'The access token of {client} was revoked',
  why: ({ known, error }) => {
    const by = error.authorizationId === undefined ? undefined : revocationOf(known, error.authorizationId);
    return by === undefined
      ? 'Everything that grew from its login has ended.'
      : `Everything that grew from its login ended ${span(Math.max(0, error.at - by.at))} before, in ${by.requestId} (${by.reason.replaceAll('_', ' ')}).`;
  },
  fix: 'Log in again. If you did not revoke it yourself, look for a code or refresh token that was used twice.',
  rfc: 'RFC 6750 §3.1',
  compare: () => compareWords('a token that was revoked', 'a token that is good'),
};

/** Access tokens at UserInfo and at the sample backend, as far as they can be read. */
export const accessTokenEntries = {
  access_token_unreadable: {
    ...unreadable,
    title: refused =>
      typOf(refused) === 'JWT'
        ? 'The ID Token was sent, and not the access token'
        : 'This is no access token of this server',
    fix: 'Send the access_token exactly as the token endpoint gave it, not the ID Token, and not a token from before the last restart: keys are new on each start.',
    fields: tokenFields,
  },
  api_token_malformed: unreadable,
  api_token_opaque: {
    ...unreadable,
    title: 'This is no JWT: an opaque token, a code or a refresh token',
    fix: 'Send the access token, no code and no refresh token. An opaque access token needs API_TOKEN_CHECK=introspection, or a client with access_token_format jwt.',
    rfc: 'RFC 7662 §2',
  },
  api_token_encrypted: { ...unreadable, title: 'The token is encrypted' },
  api_token_unsigned: {
    ...unreadable,
    title: 'The token is not signed',
    fix: `${wholeToken} Nobody may take a token that is not signed.`,
    rfc: 'RFC 8725 §3.1',
  },
  api_alg_refused: {
    title: 'The token is signed with an algorithm that the API does not take',
    why: 'An API decides itself which algorithms it takes: whoever lets the token choose can be given one without a signature.',
    fix: `${wholeToken} An API decides itself which algorithms it takes.`,
    rfc: 'RFC 8725 §3.1',
    compare: compareListed(' or ', { sentLabel: 'alg of the token', expectedLabel: 'Taken' }),
  },
  api_typ_mismatch: {
    title: 'The token is no access token',
    why: 'typ in its header says what a JWT is for. Only at+jwt is an access token.',
    fix: wholeToken,
    rfc: 'RFC 9068 §2.1',
    compare: ({ error }) =>
      compareText(error.sent ?? '', [error.expected ?? 'at+jwt'], { sentLabel: 'typ of the token' }),
    fields: tokenFields,
  },
  api_id_token_sent: idToken,
  access_token_key_unknown: {
    title: 'The token is signed by a key that was taken out of the JWK Set',
    why: 'kid in its header names the key. The keys were rotated and the old ones taken back, so nobody can verify with them.',
    fix: 'Get a new access token. Keys that were taken out of the JWK Set verify nothing any more.',
    rfc: 'RFC 9068 §4',
    compare: compareListed(' or ', { sentLabel: 'Key of the token', expectedLabel: 'Keys in the JWK Set' }),
  },
  api_key_unknown: {
    title: 'The token is signed by a key that this server does not have',
    why: 'kid in its header names the key. Keys are made on each start, so a token from before the last one, or of another server, is signed by one that is gone.',
    fix: 'Log in again: keys are new on each start, and those of old tokens are gone. SEED or KEYS_FILE keeps them.',
    rfc: 'RFC 9068 §4',
    certainty: 'likely',
    others: ['The token is from another server.', 'The keys were rotated, and the old ones taken back.'],
    compare: compareListed(' or ', { sentLabel: 'kid of the token', expectedLabel: 'Keys there are' }),
    fixes: () => [setting('Make the same keys on each start', 'SEED', 'anything')],
  },
  api_key_for_another_alg: {
    title: 'The alg of the token is not the one of its key',
    why: 'A key is for one kind of algorithm. A header that says another one was changed.',
    fix: wholeToken,
    rfc: 'RFC 8725 §3.1',
  },
  api_signature_invalid: {
    title: 'The signature of the token does not match',
    why: 'The token was changed after it was signed, or another key has signed it. A signature is over every character of header and claims.',
    fix: 'Send the token unchanged: whoever edits a claim breaks the signature. To test other claims, change the user and log in again.',
    rfc: 'RFC 7515 §5.2',
    fields: tokenFields,
  },
  api_issuer_mismatch: {
    title: 'The token is of another issuer',
    why: 'iss is compared character by character with the issuer the API trusts. One server that goes by two names makes two issuers: localhost for the browser, the name of the container for back ends.',
    fix: 'Send a token of this very sandbox. Where it goes by several names, the page Connect says which of them counts.',
    rfc: 'RFC 9068 §4',
    compare: ({ error }) =>
      compareUrls(error.sent ?? '', [error.expected ?? ''], {
        sentLabel: 'iss of the token',
        expectedLabel: 'The API trusts',
      }),
    fixes: ({ known }) => [
      advice(
        'Keep one issuer for all (ISSUER), and give back ends their own address (BACKCHANNEL_URL).',
        environment('ISSUER', known.issuer),
      ),
    ],
  },
  access_token_expired: expired,
  api_token_expired: {
    ...expired,
    fix: 'Get a new access token with the refresh token, before the old one expires or when the API answers 401.',
  },
  api_token_ended: ended,
  token_ended: { ...ended, title: 'Somebody ended this code or token before its time' },
  api_token_not_yet_valid: {
    title: 'The token is not valid yet',
    why: 'Its nbf is in the future: the clocks differ, or it was made for later.',
    fix: 'Compare the clocks: nbf of the token is in the future.',
    rfc: 'RFC 7519 §4.1.5',
    compare: compareDescribed({ sentLabel: 'The token says', expectedLabel: 'The API wants' }),
  },
  api_claim_malformed: {
    title: 'A claim of the token is missing, or of the wrong kind',
    fix: wholeToken,
    rfc: 'RFC 9068 §4',
  },
  access_token_revoked: revoked,
  api_token_inactive: {
    ...revoked,
    title: 'The token is not active',
    why: refused =>
      refused.error.sent?.includes('unknown') === true
        ? 'This server has not issued it, or has forgotten it.'
        : `It is ${refused.error.sent?.replace('a token that is ', '') ?? 'not good'}, so introspection says active: false.`,
    fix: 'Log in again: the token was revoked, has expired, or is not of here.',
    rfc: 'RFC 7662 §2.2',
    compare: compareSentAndExpected,
  },
} as const satisfies ReasonEntries;

function sentToken(refused: Case): string | undefined {
  return sentHeader(refused, 'authorization')?.trim().split(/\s+/).at(-1) ?? refused.parameters.get('access_token');
}

function typOf(refused: Case): unknown {
  return decodeJwt(sentToken(refused) ?? '')?.header.typ;
}

/** What tells an access token from an ID Token. */
function tokenFields(refused: Case) {
  const jwt = decodeJwt(sentToken(refused) ?? '');
  if (jwt === undefined) return [];
  const { typ } = jwt.header;
  const { aud, iss } = jwt.claims;
  const text = (value: unknown) =>
    value === undefined ? 'missing' : shown(typeof value === 'string' ? value : JSON.stringify(value));
  return [
    { name: 'typ', sent: text(typ), expected: 'at+jwt', isRight: typ === 'at+jwt' },
    { name: 'iss', sent: text(iss), expected: refused.known.issuer, isRight: iss === refused.known.issuer },
    {
      name: 'aud',
      sent: text(aud),
      expected: 'the API, not the app',
      isRight: aud !== refused.client?.client_id || typ === 'at+jwt',
    },
  ];
}
