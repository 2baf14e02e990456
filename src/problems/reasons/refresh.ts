import type { EventOf } from '../../events/event.ts';
import { type Case, shown } from '../case.ts';
import { compareText, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { exchangeOf, givenFor, issuedToken, span } from '../history.ts';
import { advice, patchClient, setting } from '../remedies.ts';
import { inApp } from '../source-text.ts';

const oneAtATime = inApp(
  [
    'let refreshing; // one refresh at a time, for all callers; across tabs navigator.locks does it',
    'function freshToken() {',
    '  refreshing ??= refresh().finally(() => { refreshing = undefined; });',
    '  return refreshing;',
    '}',
    '// store refresh_token of every answer: the one before is used up',
  ].join('\n'),
);

/** Refresh tokens that are not good, or not any more. */
export const refreshEntries = {
  refresh_token_expired_or_unknown: {
    title: refused => {
      const other = otherToken(refused);
      if (other !== undefined) return `The app sent ${other.name} as refresh_token`;
      return issued(refused) === undefined ? 'The refresh token is not known here' : 'The refresh token has expired';
    },
    why: refused => {
      const other = otherToken(refused);
      if (other !== undefined)
        return `It is ${other.tokenId}, which was issued to ${shown(other.client_id, 80)}, but ${other.name} renews nothing: that is what refresh_token of the same answer is for.`;
      const token = issued(refused);
      if (token === undefined)
        return 'No refresh token like this was issued since the start of this sandbox, as far as it remembers. Is it one from before the last start, from another server, or no refresh token at all?';
      return `It was issued ${span(refused.error.at - token.at)} before, and lives ${span(token.exp - token.iat)}.`;
    },
    fix: 'Log in again. No refresh token survives a restart of the sandbox.',
    rfc: 'RFC 6749 §6',
    certainty: refused => (issued(refused) === undefined && otherToken(refused) === undefined ? 'likely' : 'certain'),
    others: [
      'The sandbox was started again: no refresh token survives that.',
      'An access token or ID Token was sent as refresh_token.',
    ],
    compare: refused => {
      const other = otherToken(refused);
      if (other !== undefined)
        return compareWords(`${other.tokenId}, ${other.name}`, 'the refresh_token of the same answer');
      const token = issued(refused);
      if (token === undefined)
        return compareWords('a refresh token that was not issued here', 'the refresh_token of a token response');
      return compareWords(
        `a refresh token that is ${span(refused.error.at - token.at)} old`,
        `one of at most ${span(token.exp - token.iat)}`,
      );
    },
    fixes: refused =>
      otherToken(refused) !== undefined
        ? [advice('Send the refresh token.', inApp('refresh_token: tokens.refresh_token // not tokens.access_token'))]
        : issued(refused) === undefined
          ? []
          : [setting('Give refresh tokens more time', 'REFRESH_TOKEN_LIFETIME', '2592000')],
  },
  refresh_token_of_another_client: {
    title: '{client} sent a refresh token of another client',
    why: 'A refresh token is good only for the client it was given to.',
    fix: 'Use a refresh token with the client it was given to.',
    rfc: 'RFC 6749 §6',
    reported: 'The refresh token of another client was sent',
    compare: refused =>
      compareText(refused.who, [issued(refused)?.client_id ?? 'the client it was given to'], {
        sentLabel: 'Sent by',
        expectedLabel: 'Issued to',
      }),
  },
  refresh_token_reused: {
    title: 'The refresh token of {client} was used before',
    why: reuseWords,
    fix: 'Keep the new refresh token of each answer and drop the old one. Two tabs that refresh at once need a lock. The whole family is revoked now: log in again.',
    rfc: 'RFC 9700 §4.14.2',
    reported: 'A refresh token was used twice',
    certainty: 'likely',
    others: [
      'The answer to the first use was lost, and the app tried again with the old one.',
      'The app keeps the first refresh token and not the one of each answer.',
      'A copy of it is used elsewhere: that is what the check is for.',
    ],
    compare: compareReuse,
    fixes: refused => [
      advice('Keep the refresh token of each answer, and refresh once at a time.', oneAtATime),
      patchClient(refused, `Let refresh tokens of ${refused.who} be used again`, { refresh_token_rotation: false }),
    ],
    insteadOfFix: 'The whole family is revoked now: log in again.',
    note: {
      title: 'Why all of them are revoked',
      text: 'Of two uses one is not by the app, and nobody can tell which. So both lose what they have, and the user logs in again.',
    },
    references: ['RFC 9700 §2.2.2'],
  },
} as const satisfies ReasonEntries;

function issued({ known, parameters }: Case): EventOf<'token.issued'> | undefined {
  const token = issuedToken(known, parameters.get('refresh_token'));
  return token?.tokenType === 'refresh' ? token : undefined;
}

/** A token of this server that is no refresh token, with its name in a sentence. */
function otherToken({ known, parameters }: Case) {
  const token = issuedToken(known, parameters.get('refresh_token'));
  if (token === undefined || token.tokenType === 'refresh') return undefined;
  const { tokenId, client_id } = token;
  return { tokenId, client_id, name: token.tokenType === 'id' ? 'an ID Token' : 'an access token' };
}

/** The refresh token that took its place, and the one at the end of that row. */
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
  const rule = 'Each refresh token is good once: its answer brings the next one.';
  if (next === undefined) return `${rule} The first use is not in the history any more.`;
  const gap = refused.error.at - next.at;
  const first = `It was used ${span(gap)} before, in ${next.requestId}.`;
  if (gap >= 5) return `${rule} ${first} The app went on with an old one: it does not keep the one of each answer.`;
  const ip = exchangeOf(refused.known, next.requestId)?.exchange.ip;
  const who =
    ip === refused.request?.exchange.ip
      ? 'Two parts of the app, or two tabs, refreshed at the same moment.'
      : 'Two programs use it.';
  return `${rule} ${first} ${who}`;
}

function compareReuse(refused: Case) {
  const token = issued(refused);
  const { next, current } = successors(refused);
  const sent =
    token === undefined
      ? 'a refresh token that was used up'
      : `${token.tokenId}, used up in ${next?.requestId ?? 'a request that is forgotten'}`;
  return compareWords(
    sent,
    current === undefined
      ? (refused.error.expected ?? 'the latest one')
      : `${current.tokenId}, the current one of this login`,
  );
}
