import type { EventOf } from '../../../base/events/event.ts';
import { type Case, shown } from '../case.ts';
import { compareText, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { exchangeOf, givenFor, issuedToken, span } from '../history.ts';
import { advice, keepState, patchClient, setting } from '../remedies.ts';
import { inApp } from '../source-text.ts';

const oneAtATime = inApp(
  [
    'let refreshing; // one refresh at a time for all callers; use navigator.locks across tabs',
    'function freshToken() {',
    '  refreshing ??= refresh().finally(() => { refreshing = undefined; });',
    '  return refreshing;',
    '}',
    '// store the refresh_token of every response: the previous one no longer works',
  ].join('\n'),
);

/** Refused refresh tokens (RFC 6749 §6). */
export const refreshEntries = {
  refresh_token_expired_or_unknown: {
    title: refused => {
      const other = otherToken(refused);
      if (other !== undefined) return `The app sent ${other.name} as refresh_token`;
      return issued(refused) === undefined ? 'The refresh token is unknown' : 'The refresh token has expired';
    },
    why: refused => {
      const other = otherToken(refused);
      if (other !== undefined)
        return `The app sent \`${other.tokenId}\`, which was issued to \`${shown(other.client_id, 80)}\`. Only the refresh_token of the same response renews tokens, not ${other.name}.`;
      const token = issued(refused);
      if (token === undefined)
        return 'The history of this sandbox has no such refresh token. It may be from before the last start, from a different server, or not a refresh token.';
      return `The token was issued ${span(refused.error.at - token.at)} before, and expires after ${span(token.exp - token.iat)}.`;
    },
    fix: 'Sign in again. A restart of the sandbox removes all refresh tokens, unless STATE_FILE keeps them. SEED keeps only the keys.',
    rfc: 'RFC 6749 §6',
    certainty: refused => (issued(refused) === undefined && otherToken(refused) === undefined ? 'likely' : 'certain'),
    others: [
      'The sandbox restarted without STATE_FILE, which removes all refresh tokens. SEED keeps only the keys.',
      'An access token or ID token was sent as refresh_token.',
    ],
    compare: refused => {
      const other = otherToken(refused);
      if (other !== undefined)
        return compareWords(`${other.tokenId}, ${other.name}`, 'the refresh_token of the same response');
      const token = issued(refused);
      if (token === undefined)
        return compareWords('a refresh token that this server did not issue', 'the refresh_token of a token response');
      return compareWords(
        `a refresh token that is ${span(refused.error.at - token.at)} old`,
        `one that is at most ${span(token.exp - token.iat)} old`,
      );
    },
    fixes: refused =>
      otherToken(refused) !== undefined
        ? [advice('Send the refresh token.', inApp('refresh_token: tokens.refresh_token // not tokens.access_token'))]
        : issued(refused) === undefined
          ? [keepState]
          : [setting('Give refresh tokens a longer lifetime', 'REFRESH_TOKEN_LIFETIME', '2592000')],
  },
  refresh_token_of_another_client: {
    title: '{client} sent a refresh token of a different client',
    why: 'A refresh token is valid only for the client that it was issued to.',
    fix: 'Send a refresh token with the client_id that it was issued to.',
    rfc: 'RFC 6749 §6',
    reported: 'The refresh token of a different client was sent',
    compare: refused =>
      compareText(refused.who, [issued(refused)?.client_id ?? 'the client it was issued to'], {
        sentLabel: 'Sent by',
        expectedLabel: 'Issued to',
      }),
  },
  refresh_token_reused: {
    title: 'The refresh token of {client} was used twice',
    why: reuseWords,
    fix: 'Store the new refresh token of each response and drop the old one. Two tabs that refresh at once need a lock, or, in place of a provider that forgives a second use, REFRESH_TOKEN_GRACE. Sign in again, because the whole family is revoked now.',
    rfc: 'RFC 9700 §4.14.2',
    reported: 'A refresh token was used twice',
    certainty: 'likely',
    others: [
      'The response to the first use was lost, and the app tried again with the old token.',
      'The app stores the first refresh token and ignores the new ones.',
      'A thief used a copy of the token. This check exists for that case.',
    ],
    compare: compareReuse,
    fixes: refused => [
      advice('Store the refresh token of each response, and run one refresh at a time.', oneAtATime),
      patchClient(refused, `Let ${refused.who} reuse refresh tokens`, { refresh_token_rotation: false }),
    ],
    insteadOfFix: 'Sign in again, because the whole family is revoked now.',
    note: {
      title: 'Why all of them are revoked',
      text: 'One of the two uses may come from a thief, and the server cannot tell which one. So it revokes all tokens, and the user signs in again.',
    },
    references: ['RFC 9700 §2.2.2'],
  },
} as const satisfies ReasonEntries;

function issued({ known, parameters }: Case): EventOf<'token.issued'> | undefined {
  const token = issuedToken(known, parameters.get('refresh_token'));
  return token?.tokenType === 'refresh' ? token : undefined;
}

/** Finds a token of this server that is not a refresh token, with its name for a sentence. */
function otherToken({ known, parameters }: Case) {
  const token = issuedToken(known, parameters.get('refresh_token'));
  if (token === undefined || token.tokenType === 'refresh') return undefined;
  const { tokenId, client_id } = token;
  return { tokenId, client_id, name: token.tokenType === 'id' ? 'an ID token' : 'an access token' };
}

/** Finds the refresh token that replaced the sent one, and the newest of the family. */
function successors(refused: Case): {
  readonly next?: EventOf<'token.issued'>;
  readonly current?: EventOf<'token.issued'>;
} {
  const token = issued(refused);
  if (token === undefined) return {};
  const after = (each: EventOf<'token.issued'>) =>
    givenFor(refused.known, each).find(({ tokenType }) => tokenType === 'refresh');
  const next = after(token);
  let current = next;
  for (let later = current; later !== undefined; later = after(later)) current = later;
  return next === undefined || current === undefined ? {} : { next, current };
}

function reuseWords(refused: Case): string {
  const { next } = successors(refused);
  const rule = 'A refresh token works only once. Its response has the next one.';
  if (next === undefined) return `${rule} The first use is no longer in the history.`;
  const gap = refused.error.at - next.at;
  const first = `This token was used ${span(gap)} before, in \`${next.requestId}\`.`;
  if (gap >= 5)
    return `${rule} ${first} The app still uses an old token: it does not store the new one of each response.`;
  const ip = exchangeOf(refused.known, next.requestId)?.exchange.ip;
  const who =
    ip === refused.request?.exchange.ip
      ? 'Two parts of the app, or two tabs, refreshed at the same moment.'
      : 'Two programs use the same token.';
  return `${rule} ${first} ${who}`;
}

function compareReuse(refused: Case) {
  const token = issued(refused);
  const { next, current } = successors(refused);
  const sent =
    token === undefined
      ? 'a refresh token that was used already'
      : `${token.tokenId}, used in ${next?.requestId ?? 'a request that is no longer in the history'}`;
  return compareWords(
    sent,
    current === undefined
      ? (refused.error.expected ?? 'the latest one')
      : `${current.tokenId}, the current one of this sign-in`,
  );
}
