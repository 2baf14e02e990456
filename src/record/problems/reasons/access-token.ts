import { decodeJwt } from '../../../base/text/jwt.ts';
import { apiReceivers, isAccessTokenType, judgeAudience, judgeIssuer } from '../../../protocol/judge-claims.ts';
import { type Case, named, sentHeader, shown } from '../case.ts';
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
import type { FieldCheck } from '../problem.ts';
import { advice, keepState, patchClient } from '../remedies.ts';
import { environment, inApp } from '../source-text.ts';

const wholeToken = 'Send the access_token of the token response, whole and unchanged.';

const unreadable: ReasonEntry = {
  title: ({ error }) =>
    error.sent?.startsWith('the word') ? `The app sent ${error.sent} as a token` : 'The token is not an access token',
  why: ({ error }) =>
    error.sent?.startsWith('the word')
      ? 'The variable of the token was not set. The app did not have a token yet, or stores it under a different name.'
      : `${error.description}.`,
  fix: wholeToken,
  rfc: 'RFC 9068 §4',
  compare: compareDescribed({ sent: 'a different value', expected: 'an access token of this server' }),
};

const expired: ReasonEntry = {
  title: refused => `The access token of ${named(refused.who)} has expired`,
  why: 'A token is refused after its `exp`. The app still uses the old one, because it does not refresh or its clock is slow.',
  fix: 'Get a new access token, with the refresh token if there is one. Lifetimes here are short on purpose.',
  rfc: 'RFC 6750 §3.1',
  compare: compareDescribed({ sentLabel: 'The token says', expectedLabel: 'The API expects' }),
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
  title: 'Somebody expired this token manually',
  why: 'Somebody pressed Expire now. The server treats the token as expired, so that you can see how your app reacts.',
  fix: 'Get a new token, as your app must when a token expires. Or press Undo expiry on the page of the token.',
  rfc: 'RFC 6750 §3.1',
};

const idToken: ReasonEntry = {
  title: 'The app sent the ID token to the API instead of the access token',
  why: 'An ID token tells the app who signed in, and gives no access. The API accepts only tokens whose `typ` is `at+jwt`.',
  fix: 'Send access_token of the token response instead of id_token. The ID token tells your app who signed in, and gives no access.',
  rfc: 'RFC 9068 §2.1',
  fields: tokenFields,
  compare: compareDescribed({ sent: 'an ID token', expected: 'the access token' }),
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
      ? 'All tokens of its sign-in were revoked.'
      : `All tokens of its sign-in were revoked ${span(Math.max(0, error.at - by.at))} before, in \`${by.requestId}\` (${by.reason.replaceAll('_', ' ')}).`;
  },
  fix: 'Get a new token. If you did not revoke it yourself, look for a code or refresh token that was used twice.',
  rfc: 'RFC 6750 §3.1',
  compare: () => compareWords('a revoked token', 'a valid token'),
};

/** Access tokens that UserInfo or the sample backend refuses (RFC 9068, RFC 6750). */
export const accessTokenEntries = {
  access_token_unreadable: {
    ...unreadable,
    title: refused => {
      if (decodeJwt(sentToken(refused) ?? '')?.header.typ === 'JWT')
        return 'The app sent the ID token instead of the access token';
      return refused.error.sent?.startsWith('the word')
        ? `The app sent ${refused.error.sent} as a token`
        : 'The token is not an access token of this server';
    },
    fix: 'Send the access_token exactly as the token endpoint issued it. Do not send the ID token, or a token from before the last restart: each start makes new keys, unless STATE_FILE keeps the state.',
    fields: tokenFields,
  },
  api_token_malformed: unreadable,
  api_token_opaque: {
    ...unreadable,
    title: 'The token is not a JWT',
    fix: 'Send the access token, not a code or a refresh token. For an opaque access token set API_TOKEN_CHECK=introspection, or register the client with access_token_format jwt.',
    rfc: 'RFC 7662 §2',
  },
  api_token_encrypted: { ...unreadable, title: 'The token is encrypted' },
  api_token_unsigned: {
    ...unreadable,
    title: 'The token is not signed',
    fix: `${wholeToken} No API may accept an unsigned token.`,
    rfc: 'RFC 8725 §3.1',
  },
  api_alg_refused: {
    title: 'The API does not accept the algorithm of the token',
    why: 'The API must choose the algorithms. If the token could choose, an attacker would send one without a signature.',
    fix: `${wholeToken} The API accepts only its own list of algorithms.`,
    rfc: 'RFC 8725 §3.1',
    compare: compareListed(' or ', { sentLabel: 'alg of the token', expectedLabel: 'Accepted' }),
  },
  api_typ_mismatch: {
    title: 'The token is not an access token',
    why: 'The `typ` in the header tells the purpose of a JWT. An access token has `at+jwt`.',
    fix: wholeToken,
    rfc: 'RFC 9068 §2.1',
    compare: ({ error }) =>
      compareText(error.sent ?? '', [error.expected ?? 'at+jwt'], { sentLabel: 'typ of the token' }),
    fields: tokenFields,
  },
  api_id_token_sent: idToken,
  access_token_key_unknown: {
    title: 'The signing key of the token was removed from the JWK Set',
    why: 'The `kid` in the header names the key. The keys were rotated and the old ones removed, so nobody can verify the signature.',
    fix: 'Get a new access token. Tokens of a removed key cannot be verified.',
    rfc: 'RFC 9068 §4',
    compare: compareListed(' or ', { sentLabel: 'Key of the token', expectedLabel: 'Keys in the JWK Set' }),
  },
  api_key_unknown: {
    title: 'The server does not have the signing key of the token',
    why: refused =>
      namesKeys(refused)
        ? 'The header of the token names keys of its own, with `jku`, `jwk` or `x5u`. The API ignores them, because every sender can write them. It takes keys only from the server.'
        : 'The `kid` in the header names the key. Each start makes new keys, so the token is from before the last start, or from a different server.',
    fix: 'Get a new token. Each start makes new keys, unless STATE_FILE keeps keys, sessions and refresh tokens: then an app goes on as if nothing had happened. SEED or KEYS_FILE alone keep the keys, so its next refresh fails.',
    rfc: 'RFC 9068 §4',
    references: ['RFC 8725 §3.10'],
    certainty: 'likely',
    others: [
      'The token is from a different server.',
      'The keys were rotated and the old ones removed.',
      'Somebody made the token with a key of their own.',
    ],
    compare: compareListed(' or ', { sentLabel: 'kid of the token', expectedLabel: 'Known keys' }),
    fixes: refused => (namesKeys(refused) ? [] : [keepState]),
  },
  api_key_for_another_alg: {
    title: 'The `alg` of the token does not match its key',
    why: 'A key belongs to one algorithm. If the header names a different one, somebody changed it.',
    fix: wholeToken,
    rfc: 'RFC 8725 §3.1',
  },
  api_signature_invalid: {
    title: 'The signature of the token does not match',
    why: 'The token was changed after it was signed, or a different key signed it. The signature covers every character of header and claims.',
    fix: 'Send the token unchanged, because an edited claim breaks the signature. To test different claims, change the user and sign in again.',
    rfc: 'RFC 7515 §5.2',
    fields: tokenFields,
  },
  api_issuer_mismatch: {
    title: 'The token is from a different issuer',
    why: 'The API compares `iss` with its trusted issuer, character by character. A server with two names, such as localhost for the browser and a container name for back ends, looks like two issuers.',
    fix: 'Send a token of this sandbox. If the sandbox has several names, the page Connect shows which one is the issuer.',
    rfc: 'RFC 9068 §4',
    compare: ({ error }) =>
      compareUrls(error.sent ?? '', [error.expected ?? ''], {
        sentLabel: 'iss of the token',
        expectedLabel: 'The API trusts',
      }),
    fixes: ({ known }) => [
      advice(
        'Use one issuer for browser and back end (ISSUER), and give back ends their own address (BACKCHANNEL_URL).',
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
  token_ended: { ...ended, title: 'Somebody expired this code or token manually' },
  api_token_not_yet_valid: {
    title: 'The token is not valid yet',
    why: 'The `nbf` of the token is in the future. The clocks differ, or the token is meant for later use.',
    fix: 'Compare the clocks of both machines, because nbf of the token is in the future.',
    rfc: 'RFC 7519 §4.1.5',
    compare: compareDescribed({ sentLabel: 'The token says', expectedLabel: 'The API expects' }),
  },
  api_claim_malformed: {
    title: 'A claim of the token is missing or has the wrong type',
    fix: wholeToken,
    rfc: 'RFC 9068 §4',
  },
  access_token_revoked: revoked,
  api_token_inactive: {
    ...revoked,
    title: 'The token is not active',
    why: refused =>
      refused.error.sent?.includes('unknown') === true
        ? 'This server did not issue the token, or no longer knows it.'
        : `The token is ${refused.error.sent?.replace('a token that is ', '') ?? 'not valid'}, so introspection returns \`active: false\`.`,
    fix: 'Get a new token. The token was revoked, has expired, or is from a different server.',
    rfc: 'RFC 7662 §2.2',
    compare: compareSentAndExpected,
  },
} as const satisfies ReasonEntries;

/** True if the header of the token names keys (RFC 7515 §4.1.2, §4.1.3, §4.1.5). */
function namesKeys(refused: Case): boolean {
  const { header = {} } = decodeJwt(sentToken(refused) ?? '') ?? {};
  return ['jku', 'jwk', 'x5u'].some(name => name in header);
}

function sentToken(refused: Case): string | undefined {
  return sentHeader(refused, 'authorization')?.trim().split(/\s+/).at(-1) ?? refused.parameters.get('access_token');
}

function tokenFields(refused: Case): readonly FieldCheck[] {
  const jwt = decodeJwt(sentToken(refused) ?? '');
  if (jwt === undefined) return [];
  const { typ } = jwt.header;
  const { aud, iss } = jwt.claims;
  const text = (value: unknown) =>
    value === undefined ? 'missing' : shown(typeof value === 'string' ? value : JSON.stringify(value));
  return [
    { name: 'typ', sent: text(typ), expected: 'at+jwt', isRight: isAccessTokenType(typ) },
    {
      name: 'iss',
      sent: text(iss),
      expected: refused.known.iss,
      isRight: judgeIssuer(iss, refused.known.iss).level === 'pass',
    },
    ...audienceField(refused, jwt.claims, text(aud)),
  ];
}

/** The `aud` as the sample backend judges it, whatever kind of token it is in. */
function audienceField({ known, request }: Case, claims: Readonly<Record<string, unknown>>, sent: string) {
  const collection = /\/api\/([^/]+)/.exec(request?.path ?? '')?.[1];
  if (known.api === undefined || collection === undefined) return [];
  const { level } = judgeAudience(claims, apiReceivers(known.api, collection));
  return [{ name: 'aud', sent, expected: 'an audience of the API', isRight: level === 'pass' }];
}
